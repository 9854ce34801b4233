// SPDX-License-Identifier: Apache-2.0
// Taints of Nodes and tolerations of Pods.
#pragma once

#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {

void check_taints(FieldErrors& errors, const JsonArray& taints, const FieldPath& path);
void check_tolerations(FieldErrors& errors, const JsonArray& tolerations, const FieldPath& path);
// A Pod's tolerations may only grow.
void check_added_tolerations(FieldErrors& errors, const JsonArray& tolerations,
                             const JsonArray& old, const FieldPath& path);

}  // namespace proxima::apiserver::rules
