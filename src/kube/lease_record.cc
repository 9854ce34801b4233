// SPDX-License-Identifier: Apache-2.0
#include "kube/lease_record.h"

#include <algorithm>
#include <boost/json.hpp>

#include "core/model/limits.h"
#include "kube/json_member.h"

namespace proxima::kube {
namespace {

namespace json = boost::json;

std::int64_t number_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

// A Lease that says more is held for very long, not for no time at all.
std::int64_t seconds_of(const json::object& spec) {
  constexpr const model::Limit& kBounds = model::limit_of(model::Bounded::LeaseSeconds);
  return std::clamp(number_of(spec, "leaseDurationSeconds"),
                    static_cast<std::int64_t>(kBounds.least),
                    static_cast<std::int64_t>(kBounds.most));
}

std::int64_t transitions_of(const json::object& spec) {
  const std::int64_t transitions = number_of(spec, "leaseTransitions");
  const model::Limit& bounds = model::limit_of(model::Bounded::LeaseTransitions);
  return bounds.admits(static_cast<double>(transitions)) ? transitions : 0;
}

json::object spec_of(const LeaseRecord& record) {
  return {{"holderIdentity", record.holder},
          {"leaseDurationSeconds", record.duration_seconds},
          {"acquireTime", record.acquire_time},
          {"renewTime", record.renew_time},
          {"leaseTransitions", record.transitions}};
}

}  // namespace

Result<LeaseRecord> parse_lease(std::string_view object) {
  json::error_code error;
  const json::value document = json::parse(object, error);
  if (error || !document.is_object())
    return Error{ErrorCode::InvalidInput, "the Lease is not a JSON object"};
  const json::value* spec = document.get_object().if_contains("spec");
  if (spec == nullptr || !spec->is_object()) return LeaseRecord{};
  const json::object& said = spec->get_object();
  return LeaseRecord{text_member(said, "holderIdentity"), seconds_of(said),
                     text_member(said, "acquireTime"), text_member(said, "renewTime"),
                     transitions_of(said)};
}

std::string with_record(std::string_view object, const LeaseRecord& record) {
  json::error_code error;
  json::value document = json::parse(object, error);
  if (error || !document.is_object()) document = json::object();
  document.get_object()["spec"] = spec_of(record);
  return json::serialize(document);
}

std::string new_lease(const ObjectRef& ref, const LeaseRecord& record) {
  return json::serialize(
      json::object{{"apiVersion", "coordination.k8s.io/v1"},
                   {"kind", "Lease"},
                   {"metadata", json::object{{"name", ref.name}, {"namespace", ref.ns}}},
                   {"spec", spec_of(record)}});
}

}  // namespace proxima::kube
