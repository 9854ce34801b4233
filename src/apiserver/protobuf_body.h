// SPDX-License-Identifier: Apache-2.0
// Bodies in Kubernetes' protobuf → JSON, since Go clients send nothing else. Answers are JSON:
// every client takes that.
//
// kubernetes.protobuf says which number is which field: a line with the OpenAPI name of a type,
// then a line " NUMBER FIELD one|list|map TYPE" for each of its fields. A field that JSON does not
// know is an embedded struct, whose members belong to the type around it.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/resource.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {

inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// JSON text with the apiVersion and kind that the envelope names, or those of `type` when it names
// none. A refusal is 400.
Outcome<std::string> protobuf_to_json(const ResourceType& type, std::string_view body);
// The same for the options of a delete.
Outcome<std::string> protobuf_delete_options_to_json(std::string_view body);

}  // namespace proxima::apiserver
