// SPDX-License-Identifier: Apache-2.0
#include "agents/scenario.h"

#include <algorithm>
#include <boost/json/parse.hpp>

#include "agents/name_list.h"
#include "agents/scenario_cluster.h"
#include "agents/scenario_fields.h"
#include "base/duration_text.h"
#include "core/policy/policy_names.h"
#include "core/policy/settings.h"
#include "wire/yaml_documents.h"

namespace proxima::agents {
namespace {

namespace json = boost::json;

// A demonstration, not a data set.
constexpr std::size_t kScenarioBytesMax = 1U << 20U;
constexpr std::size_t kActionsMax = 10'000;
constexpr std::chrono::hours kLatest{24};

// The names that a timeline may use.
struct Names {
  std::vector<std::string> zones;
  std::vector<std::string> services;
  std::vector<std::string> nodes;
};

Names names_of(const LabShape& shape) {
  Names names;
  for (const ZoneShape& zone : shape.zones) {
    names.zones.push_back(zone.name);
    for (std::size_t i = 0; i < std::min(zone.nodes, kLabNodesMax); ++i)
      names.nodes.push_back("node-" + std::to_string(names.nodes.size() + 1));
  }
  for (const ServiceShape& service : shape.services) names.services.push_back(service.key());
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class ActionReader {
 public:
  explicit ActionReader(Names names) : names_(std::move(names)) {}

  TimedAction read(const ScenarioFields& fields) {
    TimedAction timed;
    timed.at = time_of(fields);
    const std::string what = fields.text("do");
    for (const Kind& kind : kKinds) {
      if (kind.name != what) continue;
      std::vector<std::string> keys = {"at", "do"};
      keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
      fields.only(keys);
      timed.action = (this->*kind.read)(fields);
      return timed;
    }
    std::vector<std::string> known;
    for (const Kind& kind : kKinds) known.emplace_back(kind.name);
    if (fields.has("do"))
      fields.fault("do", "no action \"" + what + "\"; there are " + name_list(known));
    return timed;
  }

 private:
  using Read = LabAction (ActionReader::*)(const ScenarioFields&);
  struct Kind {
    std::string_view name;
    std::vector<std::string> keys;
    Read read;
  };
  static const std::vector<Kind> kKinds;

  static std::chrono::milliseconds time_of(const ScenarioFields& fields) {
    // "at: 0" is a number to YAML.
    if (fields.has("at") && !fields.is_text("at") && fields.number("at") == 0) return {};
    const std::string text = fields.text("at");
    const auto time = parse_duration(text);
    if (time && *time >= std::chrono::nanoseconds(0) && *time <= kLatest)
      return std::chrono::duration_cast<std::chrono::milliseconds>(*time);
    fields.fault("at", "a time such as 10s or 1m30s, up to 24h, is wanted");
    return {};
  }

  static std::string known(const ScenarioFields& fields, std::string_view key,
                           const std::vector<std::string>& names) {
    std::string name = fields.text(key);
    if (fields.has(key) && !has(names, name))
      fields.fault(key,
                   "no " + std::string(key) + " \"" + name + "\"; there are " + name_list(names));
    return name;
  }
  // The zones of a mapping, each a zone of the cluster.
  std::vector<std::string> known_zones(const ScenarioFields& fields, const ScenarioFields& zones) {
    if (zones.names().empty()) fields.fault("zones", "name a zone at least");
    for (const std::string& zone : zones.names())
      if (!has(names_.zones, zone))
        zones.fault(zone, "no such zone; there are " + name_list(names_.zones));
    return zones.names();
  }

  LabAction fail_zone(const ScenarioFields& fields) {
    return FailZone{known(fields, "zone", names_.zones)};
  }
  LabAction kill_node(const ScenarioFields& fields) {
    return KillNode{known(fields, "node", names_.nodes)};
  }
  LabAction add_node(const ScenarioFields& fields) {
    names_.nodes.push_back("node-" + std::to_string(names_.nodes.size() + 1));
    return AddNode{known(fields, "zone", names_.zones)};
  }
  LabAction heal(const ScenarioFields& fields) {
    if (fields.has("zone") && fields.has("node"))
      fields.fault("node", "either a zone or a node, or neither");
    if (fields.has("zone"))
      return Heal{{HealTarget::Kind::Zone, known(fields, "zone", names_.zones)}};
    if (fields.has("node"))
      return Heal{{HealTarget::Kind::Node, known(fields, "node", names_.nodes)}};
    return Heal{};
  }
  LabAction scale(const ScenarioFields& fields) {
    Scale action;
    action.service = known(fields, "service", names_.services);
    const ScenarioFields zones = fields.child("zones");
    for (const std::string& zone : known_zones(fields, zones)) {
      action.zones[zone] = zones.count(zone);
      if (action.zones[zone] > kPodsOfAServiceInAZoneMax)
        zones.fault(zone, "more than " + std::to_string(kPodsOfAServiceInAZoneMax));
    }
    return action;
  }
  LabAction demand(const ScenarioFields& fields) {
    SetDemand action;
    const ScenarioFields zones = fields.child("zones");
    double sum = 0;
    for (const std::string& zone : known_zones(fields, zones)) {
      const double share = zones.share(zone);
      if (share < 0 || share > 1) zones.fault(zone, "a share is from 0% to 100%");
      sum += share;
      action.zones[zone] = share;
    }
    if (sum > 1.001) fields.fault("zones", "the shares add up to more than 100%");
    return action;
  }
  LabAction rate(const ScenarioFields& fields) {
    const double rate = fields.number("requestsPerSecond");
    if (rate < 0 || rate > kRequestsPerSecondMax)
      fields.fault("requestsPerSecond", "a number from 0 to 5000");
    return SetRate{rate};
  }
  LabAction policy(const ScenarioFields& fields) {
    SetPolicy action;
    action.service = known(fields, "service", names_.services);
    if (fields.has("policy")) action.policy = fields.text("policy");
    if (action.policy && !policy::parse_policy(*action.policy))
      fields.fault("policy",
                   "no policy \"" + *action.policy + "\"; there are " + policy::policy_names());
    const std::string overload = read_overload(fields);
    if (overload.empty()) return action;
    const auto bound = policy::parse_overload(overload);
    if (bound) action.overload = *bound;
    if (!bound) fields.fault("overload", bound.error().message);
    return action;
  }

  Names names_;
};

const std::vector<ActionReader::Kind> ActionReader::kKinds = {
    {"fail-zone", {"zone"}, &ActionReader::fail_zone},
    {"kill-node", {"node"}, &ActionReader::kill_node},
    {"heal", {"zone", "node"}, &ActionReader::heal},
    {"add-node", {"zone"}, &ActionReader::add_node},
    {"scale", {"service", "zones"}, &ActionReader::scale},
    {"demand", {"zones"}, &ActionReader::demand},
    {"rate", {"requestsPerSecond"}, &ActionReader::rate},
    {"policy", {"service", "policy", "overload"}, &ActionReader::policy},
};

Scenario read_scenario(const ScenarioFields& top) {
  top.only({"cluster", "timeline"});
  Scenario scenario;
  scenario.cluster = read_cluster(top.child("cluster"));
  ActionReader reader(names_of(scenario.cluster));
  const std::vector<ScenarioFields> entries = top.entries("timeline");
  if (entries.size() > kActionsMax)
    top.fault("timeline", "more than " + std::to_string(kActionsMax) + " actions");
  for (const ScenarioFields& entry : entries) scenario.timeline.push_back(reader.read(entry));
  std::stable_sort(scenario.timeline.begin(), scenario.timeline.end(),
                   [](const TimedAction& a, const TimedAction& b) { return a.at < b.at; });
  return scenario;
}

// The only document of the file, as JSON.
Result<json::object> parse_document(std::string_view text) {
  if (text.size() > kScenarioBytesMax)
    return Error{ErrorCode::InvalidInput, "more than 1 MiB is no scenario"};
  wire::YamlDocuments documents(text, 1);
  auto document = documents.next();
  if (!document) return std::move(document).error();
  if (!*document) return json::object();
  auto second = documents.next();
  if (!second) return std::move(second).error();
  if (*second) return Error{ErrorCode::InvalidInput, "one document is wanted, and there are more"};
  json::error_code error;
  json::parse_options options;
  options.max_depth = wire::kMaxYamlDepth;
  json::value value = json::parse(**document, error, {}, options);
  if (error) return Error{ErrorCode::InvalidInput, "line 1: " + error.message()};
  if (value.is_null()) return json::object();
  if (!value.is_object()) return Error{ErrorCode::InvalidInput, "line 1: a mapping is wanted"};
  return std::move(value.get_object());
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text) {
  const auto document = parse_document(text);
  if (!document) return document.error();
  ScenarioFaults faults(wire::yaml_lines(text));
  Scenario scenario = read_scenario(ScenarioFields(*document, "", faults));
  if (faults.first()) return *faults.first();
  return scenario;
}

}  // namespace proxima::agents
