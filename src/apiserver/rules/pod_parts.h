// SPDX-License-Identifier: Apache-2.0
// The rules for Pods, in parts.
#pragma once

#include <vector>

#include "apiserver/object_rules.h"
#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {

void apply_pod_defaults(JsonFields& pod);
void default_container(JsonFields& container);
void default_volume(JsonFields& volume);

// "Guaranteed", "Burstable" or "BestEffort", by what the containers ask for.
std::string_view quality_of_service(const JsonFields& spec);

void check_containers(FieldErrors& errors, const JsonFields& spec);
void check_volumes(FieldErrors& errors, const JsonFields& spec);
void check_pod_spec(FieldErrors& errors, const JsonFields& spec);
// What an update may change in a spec: images, and very little else.
void check_pod_spec_update(FieldErrors& errors, const JsonFields& spec, const JsonFields& old);
void check_pod_status(FieldErrors& errors, const JsonFields& pod, const JsonFields& old);

}  // namespace proxima::apiserver::rules
