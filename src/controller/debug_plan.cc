// SPDX-License-Identifier: Apache-2.0
#include "controller/debug_plan.h"

#include <boost/json.hpp>

#include "core/policy/reason.h"

namespace proxima::controller {
namespace {

namespace json = boost::json;

json::object render(const slices::ZoneFigures& zone) {
  return {{"zone", zone.zone},
          {"endpoints", zone.endpoints},
          {"hinted", zone.hinted},
          {"demand", zone.demand},
          {"localShare", zone.local_share},
          {"predictedOverload", zone.predicted_overload}};
}

json::object render(const slices::FamilyDecision& family) {
  json::object object{{"addressType", kube::to_text(family.family)},
                      {"policy", policy::to_text(family.policy)},
                      {"reason", policy::text_of(family.reason).code},
                      {"sentence", family.sentence},
                      {"hinted", family.hinted},
                      {"localShare", family.local_share}};
  if (!family.split.empty()) object["split"] = family.split;
  json::array zones;
  for (const slices::ZoneFigures& zone : family.zones) zones.push_back(render(zone));
  object["zones"] = std::move(zones);
  return object;
}

json::object render(const plan::ServiceCondition& condition) {
  return {{"type", condition.type},
          {"status", plan::to_text(condition.status)},
          {"reason", condition.reason},
          {"message", condition.message}};
}

json::object render(const ShadowWrite& write) {
  json::object object{{"operation", to_text(write.operation)}, {"name", write.name}};
  json::error_code error;
  if (!write.body.empty()) object["object"] = json::parse(write.body, error);
  return object;
}

template <class All>
json::array render_all(const All& all) {
  json::array array;
  for (const auto& one : all) array.push_back(render(one));
  return array;
}

json::object render(const std::string& key, const DecisionEntry& entry) {
  json::object object{{"service", key},
                      {"accepted", entry.decision.accepted},
                      {"dependsOnNodes", entry.decision.depends_on_nodes},
                      {"endpoints", entry.endpoints},
                      {"slices", entry.slices},
                      {"families", render_all(entry.decision.families)},
                      {"conditions", render_all(entry.decision.conditions)}};
  if (!entry.decision.client_workload.empty()) object["clients"] = entry.decision.client_workload;
  if (!entry.error.empty()) object["error"] = entry.error;
  if (!entry.shadow.empty()) object["wouldWrite"] = render_all(entry.shadow);
  return object;
}

}  // namespace

std::string render_decisions(const DecisionBook::Entries& entries) {
  json::array services;
  for (const auto& [key, entry] : entries) services.push_back(render(key, *entry));
  return json::serialize(json::object{{"services", std::move(services)}});
}

}  // namespace proxima::controller
