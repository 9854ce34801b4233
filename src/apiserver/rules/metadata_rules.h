// SPDX-License-Identifier: Apache-2.0
// The rules for metadata, which all kinds share.
#pragma once

#include "apiserver/resource.h"
#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"
#include "apiserver/rules/name_rules.h"

namespace proxima::apiserver::rules {

// What a name of a kind may look like.
using NameRule = Faults (*)(std::string_view);

void check_metadata(FieldErrors& errors, const JsonFields& object, bool namespaced, NameRule rule);
// The names that every kind refuses, whatever its own rule says: those that break a path.
void check_common_metadata(FieldErrors& errors, const JsonFields& object, bool namespaced);
void check_metadata_update(FieldErrors& errors, const JsonFields& object, const JsonFields& old);

// What upstream's own kinds (not Leases) check besides: a finalizer without a slash must be a known
// one.
void check_core_metadata(FieldErrors& errors, const JsonFields& object, bool namespaced,
                         NameRule rule);
void check_core_metadata_update(FieldErrors& errors, const JsonFields& object,
                                const JsonFields& old);
bool is_standard_finalizer(std::string_view name);

// Keys and values; errors come in the order of the keys.
void check_labels(FieldErrors& errors, const JsonFields& labels, const FieldPath& path);

// What an update may not change is taken from `old`: generation, timestamps, a missing uid.
void keep_system_metadata(JsonFields& object, const JsonFields& old);

}  // namespace proxima::apiserver::rules
