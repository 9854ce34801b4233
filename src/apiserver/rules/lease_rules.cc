// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/kind_rules.h"

#include <boost/json/value.hpp>
#include "apiserver/rules/metadata_rules.h"

namespace proxima::apiserver::rules {
namespace {

// Fields of a gate that is off by default in 1.36.
void drop_strategy(JsonFields& lease) {
  JsonFields* const spec = find_object(lease, "spec");
  if (spec == nullptr) return;
  spec->erase("strategy");
  spec->erase("preferredHolder");
}

void prepare_lease_update(Subresource /*subresource*/, JsonFields& lease,
                          const JsonFields& /*old*/) {
  drop_strategy(lease);
}

void check_spec(FieldErrors& errors, const JsonFields& lease) {
  const JsonFields& spec = object_at(lease, "spec");
  const auto duration = find_number(spec, "leaseDurationSeconds");
  if (duration && *duration <= 0)
    errors.invalid(FieldPath("spec.leaseDurationSeconds"), *duration, "must be greater than 0");
  const auto transitions = find_number(spec, "leaseTransitions");
  if (transitions && *transitions < 0)
    errors.invalid(FieldPath("spec.leaseTransitions"), *transitions,
                   "must be greater than or equal to 0");
}

void check_lease_create(FieldErrors& errors, const JsonFields& lease) {
  check_metadata(errors, lease, true, dns_subdomain_faults);
  check_spec(errors, lease);
}

void check_lease_update(FieldErrors& errors, Subresource /*subresource*/, const JsonFields& lease,
                        const JsonFields& old) {
  check_metadata_update(errors, lease, old);
  check_spec(errors, lease);
}

}  // namespace

const KindRules kLeaseRules = {.prepare_create = drop_strategy,
                               .prepare_update = prepare_lease_update,
                               .check_create = check_lease_create,
                               .check_update = check_lease_update,
                               .unconditional_update = false};

}  // namespace proxima::apiserver::rules
