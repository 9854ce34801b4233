// SPDX-License-Identifier: Apache-2.0
#include "apiserver/object_rules.h"

#include <boost/json/value.hpp>

#include "apiserver/rules/gated_fields.h"
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"
#include "base/check.h"

namespace proxima::apiserver {

using namespace rules;  // what this file is the face of

namespace {

const KindRules& rules_of(const ResourceType& type) {
  switch (type.kind) {
    case Kind::Namespace:
      return kNamespaceRules;
    case Kind::Node:
      return kNodeRules;
    case Kind::Pod:
      return kPodRules;
    case Kind::Service:
      return kServiceRules;
    case Kind::Endpoints:
      return kEndpointsRules;
    case Kind::ConfigMap:
      return kConfigMapRules;
    case Kind::Event:
      return kEventRules;
    case Kind::EventsV1:
      return kEventsV1Rules;
    case Kind::EndpointSlice:
      return kEndpointSliceRules;
    case Kind::Lease:
      return kLeaseRules;
    case Kind::ServiceCidr:
      return kServiceCidrRules;
    case Kind::IpAddress:
      return kIpAddressRules;
  }
  PROXIMA_CHECK(false);
}

}  // namespace

void apply_defaults(const ResourceType& type, boost::json::object& object) {
  if (const auto apply = rules_of(type).apply_defaults) apply(object);
}

void prepare_create(const ResourceType& type, const policy::FeatureGates& gates,
                    boost::json::object& object) {
  drop_gated_fields(type, gates, object, nullptr);
  JsonFields& metadata = make_object(object, "metadata");
  for (const std::string_view key : {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"})
    metadata.erase(key);
  if (const auto prepare = rules_of(type).prepare_create) prepare(object);
}

void prepare_update(const ResourceType& type, const policy::FeatureGates& gates,
                    Subresource subresource, boost::json::object& object,
                    const boost::json::object& old) {
  drop_gated_fields(type, gates, object, &old);
  const KindRules& rules = rules_of(type);
  keep_system_metadata(object, old);
  JsonFields& metadata = make_object(object, "metadata");
  if (rules.unconditional_update && text_at(metadata, "resourceVersion").empty())
    copy_member(metadata, object_at(old, "metadata"), "resourceVersion");
  if (rules.prepare_update != nullptr) rules.prepare_update(subresource, object, old);
}

std::vector<FieldError> validate_create(const ResourceType& type,
                                        const boost::json::object& object) {
  FieldErrors errors;
  if (const auto check = rules_of(type).check_create) check(errors, object);
  // Only then: what a kind itself says about a name is clearer.
  if (errors.empty()) check_common_metadata(errors, object, type.namespaced);
  return errors.take();
}

std::vector<FieldError> validate_update(const ResourceType& type, Subresource subresource,
                                        const boost::json::object& object,
                                        const boost::json::object& old) {
  FieldErrors errors;
  const KindRules& rules = rules_of(type);
  if (!rules.unconditional_update &&
      text_at(object_at(object, "metadata"), "resourceVersion").empty()) {
    errors.invalid(FieldPath("metadata.resourceVersion"), 0, "must be specified for an update");
    return errors.take();
  }
  check_common_metadata(errors, object, type.namespaced);
  check_metadata_update(errors, object, old);
  if (rules.check_update != nullptr) rules.check_update(errors, subresource, object, old);
  return errors.take();
}

std::vector<std::string> warnings_of(const ResourceType& type, const boost::json::object& object,
                                     const boost::json::object* old) {
  std::vector<std::string> warnings;
  if (const auto warn = rules_of(type).warn) warn(warnings, object, old);
  return warnings;
}

void rules::keep_other_half(Subresource subresource, JsonFields& object, const JsonFields& old) {
  copy_member(object, old, subresource == Subresource::Status ? "spec" : "status");
}

}  // namespace proxima::apiserver
