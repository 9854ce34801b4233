// SPDX-License-Identifier: Apache-2.0
// ServiceCIDRs, and the two kinds here that can only be read.
#include "apiserver/rules/ip_rules.h"

#include <boost/json/value.hpp>
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

const FieldPath kCidrs("spec.cidrs");

void prepare_cidr_create(JsonFields& cidr) { cidr["status"] = JsonFields(); }

void prepare_cidr_update(Subresource subresource, JsonFields& cidr, const JsonFields& old) {
  keep_other_half(subresource, cidr, old);
}

void check_cidrs(FieldErrors& errors, const JsonFields& object) {
  const JsonFields& spec = object_at(object, "spec");
  const auto cidrs = texts_at(spec, "cidrs");
  if (cidrs.empty()) return errors.required(kCidrs, "at least one CIDR required");
  if (cidrs.size() > 2)
    return errors.invalid(kCidrs, json::object{{"CIDRs", value_at(spec, "cidrs")}},
                          "may only hold up to 2 values");
  for (std::size_t i = 0; i < cidrs.size(); ++i) check_strict_cidr(errors, kCidrs[i], cidrs[i]);
  if (cidrs.size() < 2) return;
  const auto first = parse_cidr(cidrs[0]);
  const auto second = parse_cidr(cidrs[1]);
  if (first && second && first->base.family() == second->base.family())
    errors.invalid(kCidrs, value_at(spec, "cidrs"),
                   "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and "
                   "2001:db8::/64");
}

void check_cidr_create(FieldErrors& errors, const JsonFields& cidr) {
  check_core_metadata(errors, cidr, false, dns_subdomain_faults);
  check_cidrs(errors, cidr);
}

void check_cidr_update(FieldErrors& errors, Subresource subresource, const JsonFields& cidr,
                       const JsonFields& old) {
  check_core_metadata_update(errors, cidr, old);
  if (subresource == Subresource::Status) return;
  constexpr std::string_view kFixed = "field is immutable";
  const auto now = texts_at(object_at(cidr, "spec"), "cidrs");
  const auto before = texts_at(object_at(old, "spec"), "cidrs");
  if (now.size() == before.size()) {
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i] != before[i]) errors.invalid(kCidrs[i], now[i], kFixed);
  } else if (before.size() == 1 && now.size() == 2) {
    // A second family may join.
    if (now[0] != before[0]) errors.invalid(kCidrs[0], now[0], kFixed);
    check_cidrs(errors, cidr);
  } else {
    errors.invalid(kCidrs, value_at(object_at(cidr, "spec"), "cidrs"), kFixed);
  }
}

}  // namespace

const KindRules kServiceCidrRules = {.prepare_create = prepare_cidr_create,
                                     .prepare_update = prepare_cidr_update,
                                     .check_create = check_cidr_create,
                                     .check_update = check_cidr_update};

// Written by the server alone.
const KindRules kIpAddressRules = {};

}  // namespace proxima::apiserver::rules
