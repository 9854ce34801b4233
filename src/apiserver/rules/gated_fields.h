// SPDX-License-Identifier: Apache-2.0
// Fields of features that are switched off: as upstream's servers do it, a new object does not get
// them, and an object that has them keeps them, so that nothing is lost when a feature comes back.
#pragma once

#include "apiserver/resource.h"
#include "apiserver/rules/json_fields.h"
#include "core/policy/feature_gates.h"

namespace proxima::apiserver::rules {

// `old` null: on create.
void drop_gated_fields(const ResourceType& type, const policy::FeatureGates& gates,
                       JsonFields& object, const JsonFields* old);

}  // namespace proxima::apiserver::rules
