// SPDX-License-Identifier: Apache-2.0
// What one kind does to an object that is written. Metadata, which all kinds share, is not repeated
// here except where a kind's own order of errors needs it.
#pragma once

#include <string>
#include <vector>

#include "apiserver/object_rules.h"
#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {

struct KindRules {
  // Null: the kind does nothing there.
  void (*apply_defaults)(JsonFields& object) = nullptr;
  void (*prepare_create)(JsonFields& object) = nullptr;
  void (*prepare_update)(Subresource subresource, JsonFields& object,
                         const JsonFields& old) = nullptr;
  void (*check_create)(FieldErrors& errors, const JsonFields& object) = nullptr;
  void (*check_update)(FieldErrors& errors, Subresource subresource, const JsonFields& object,
                       const JsonFields& old) = nullptr;
  void (*warn)(std::vector<std::string>& warnings, const JsonFields& object,
               const JsonFields* old) = nullptr;
  // An update needs no resourceVersion.
  bool unconditional_update = true;
};

extern const KindRules kNamespaceRules;
extern const KindRules kNodeRules;
extern const KindRules kPodRules;
extern const KindRules kServiceRules;
extern const KindRules kEndpointsRules;
extern const KindRules kConfigMapRules;
extern const KindRules kEventRules;
extern const KindRules kEventsV1Rules;
extern const KindRules kEndpointSliceRules;
extern const KindRules kLeaseRules;
extern const KindRules kServiceCidrRules;
extern const KindRules kIpAddressRules;

// The main resource leaves status alone, the status sub-resource leaves `kept` alone.
void keep_other_half(Subresource subresource, JsonFields& object, const JsonFields& old);

}  // namespace proxima::apiserver::rules
