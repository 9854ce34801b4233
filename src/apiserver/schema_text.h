// SPDX-License-Identifier: Apache-2.0
// The notation of *.schema and *.sentences: what the fields of a type are, and what we say of them.
//
//   io.k8s.api.core.v1.ServicePort v1.ServicePort     a type, and its name in Go
//    port! integer always                             a field: '!' required, its type, how it is
//    protocol string go=v1.Protocol default=TCP       written, and key=value facts
//
// A type is a word of schema.h or another type's name, behind "[]" for a list and "{}" for a map. A
// name that comes again adds fields to the type. Lines with '#' are comments. Sentences have the
// same two levels:
//
//   io.k8s.api.core.v1.ServicePort One port of a Service.
//    port The port that clients use.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "apiserver/schema.h"
#include "base/result.h"

namespace proxima::apiserver {

using SchemaTypes = std::deque<TypeInfo>;  // a deque: types point to each other

// Fields sorted by name, types linked. Views into `text`, which must outlive the result. An error
// names the line.
Result<SchemaTypes> parse_schema(std::string_view text);
// Adds descriptions. An error: a sentence about a type or field that is not there.
Status add_sentences(SchemaTypes& types, std::string_view text);

}  // namespace proxima::apiserver
