// SPDX-License-Identifier: Apache-2.0
#include "core/plan/service_patch.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "core/model/labels.h"

namespace proxima::plan {
namespace {

using model::Service;

constexpr std::string_view kBalancedPolicy = "balanced";
constexpr std::string_view kAutoMode = "Auto";
constexpr std::string_view kTrue = "true";

// The annotations that patches write or remove, and where a Service has them.
struct AnnotationField {
  std::string_view key;
  NameId& (*of)(Service& service);
};
constexpr std::array<AnnotationField, 6> kAnnotationFields = {{
    {model::kPolicyAnnotation, [](Service& s) -> NameId& { return s.routing.policy; }},
    {model::kOverloadAnnotation, [](Service& s) -> NameId& { return s.routing.overload; }},
    {model::kNodeFirstAnnotation, [](Service& s) -> NameId& { return s.routing.node_first; }},
    {model::kTopologyKeysAnnotation, [](Service& s) -> NameId& { return s.routing.topology_keys; }},
    {model::kTopologyAwareHintsAnnotation,
     [](Service& s) -> NameId& { return s.topology_aware_hints; }},
    {model::kTopologyModeAnnotation, [](Service& s) -> NameId& { return s.topology_mode; }},
}};

NameId& annotation_of(Service& service, std::string_view key) {
  const auto found = std::ranges::find(kAnnotationFields, key, &AnnotationField::key);
  PROXIMA_CHECK(found != kAnnotationFields.end());
  return found->of(service);
}

class PatchMaker {
 public:
  PatchMaker(const ServiceWords& now, const ServiceRehearsal& rehearsal) : service_(now.service) {
    patch_.removes_topology_keys = !now.topology_keys.empty();
    // Other values of the field have nothing to do with topology.
    patch_.removes_traffic_policy = rehearsal.text(service_.traffic_policy) == "PreferZone";
  }

  void set(std::string_view key, std::string_view value) {
    patch_.annotations.push_back({key, value});
  }
  void remove(std::string_view key) {
    if (annotation_of(service_, key)) patch_.annotations.push_back({key, std::nullopt});
  }
  ServicePatch take() && { return std::move(patch_); }
  ServicePatch& patch() { return patch_; }

 private:
  Service service_;
  ServicePatch patch_;
};

}  // namespace

std::vector<std::string_view> patch_words() {
  return {kPreferSameZone, kPreferSameNode, kPreferClose, kBalancedPolicy, kAutoMode, kTrue};
}

// Fields and annotations that are not named here are weaker than what is set, and a cluster without
// Proxima goes on by them: spec.trafficDistribution stays where the annotation of balanced comes.
ServicePatch patch_for(const ServiceWords& now, const PatchWish& wish,
                       const ServiceRehearsal& rehearsal) {
  PatchMaker maker(now, rehearsal);
  switch (wish.target) {
    case MoveTarget::TrafficDistribution:
      maker.remove(model::kPolicyAnnotation);
      maker.remove(model::kTopologyModeAnnotation);
      maker.patch().traffic_distribution = wish.distribution;
      break;
    case MoveTarget::Balanced:
      maker.set(model::kPolicyAnnotation, kBalancedPolicy);
      if (wish.overload) maker.set(model::kOverloadAnnotation, *wish.overload);
      if (wish.node_first) maker.set(model::kNodeFirstAnnotation, kTrue);
      maker.remove(model::kTopologyModeAnnotation);
      break;
    case MoveTarget::Auto:
      maker.remove(model::kPolicyAnnotation);
      maker.set(model::kTopologyModeAnnotation, kAutoMode);
      break;
  }
  maker.remove(model::kTopologyKeysAnnotation);
  maker.remove(model::kTopologyAwareHintsAnnotation);
  return std::move(maker).take();
}

ServiceWords patched(const ServiceWords& words, const ServicePatch& patch,
                     const ServiceRehearsal& rehearsal) {
  ServiceWords out = words;
  for (const AnnotationChange& change : patch.annotations)
    annotation_of(out.service, change.key) =
        change.value ? rehearsal.word(*change.value) : NameId();
  if (patch.traffic_distribution)
    out.service.traffic_distribution = rehearsal.word(*patch.traffic_distribution);
  if (patch.removes_topology_keys) out.topology_keys.clear();
  if (patch.removes_traffic_policy) out.service.traffic_policy = NameId();
  return out;
}

}  // namespace proxima::plan
