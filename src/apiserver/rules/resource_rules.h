// SPDX-License-Identifier: Apache-2.0
// Amounts of CPU, memory and the like: of Nodes and of containers.
#pragma once

#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {

// status.capacity and status.allocatable.
void check_node_resources(FieldErrors& errors, const JsonFields& status);
// limits and requests.
void check_container_resources(FieldErrors& errors, const JsonFields& resources,
                               const FieldPath& path);

}  // namespace proxima::apiserver::rules
