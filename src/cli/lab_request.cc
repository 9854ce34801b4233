// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_request.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>

#include "agents/lab_shape.h"
#include "cli/figures.h"
#include "cli/near_match.h"

namespace proxima::cli {
namespace {

namespace json = boost::json;

constexpr CountBounds kPods = {0, agents::kPodsOfAServiceInAZoneMax};  // of a service in a zone

// What may follow an action.
struct Grammar {
  LabAction action;
  std::size_t least;
  std::size_t most;
  std::string_view usage;
};
constexpr std::size_t kAny = 1000;
constexpr Grammar kGrammar[] = {
    {LabAction::Status, 0, 0, "status"},
    {LabAction::AddNode, 1, 1, "add-node ZONE"},
    {LabAction::Scale, 2, kAny, "scale SERVICE ZONE=PODS..."},
    {LabAction::KillNode, 1, 1, "kill-node NODE"},
    {LabAction::FailZone, 1, 1, "fail-zone ZONE"},
    {LabAction::Heal, 0, 1, "heal [ZONE|NODE]"},
    {LabAction::Demand, 1, kAny, "demand ZONE=SHARE..."},
    {LabAction::Policy, 2, 2, "policy SERVICE POLICY|none"},
};

const Grammar& grammar_of(LabAction action) {
  return *std::find_if(std::begin(kGrammar), std::end(kGrammar),
                       [action](const Grammar& row) { return row.action == action; });
}

// "80%" or "0.8".
Result<double> parse_share(std::string_view text) {
  auto share = parse_threshold(text);
  if (share && *share <= 1) return share;
  return Error{ErrorCode::InvalidInput,
               "\"" + std::string(text) + "\" is not a share of all demand, such as 80% or 0.8"};
}

Result<double> parse_pods(std::string_view text) {
  auto count = parse_count(text, kPods);
  if (!count) return std::move(count).error();
  return static_cast<double>(*count);
}

Status add_zone(LabRequest& request, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{
        ErrorCode::InvalidInput,
        "\"" + word + "\" is not ZONE=" + (request.action == LabAction::Scale ? "PODS" : "SHARE")};
  const std::string zone = word.substr(0, equals);
  const std::string_view value = std::string_view(word).substr(equals + 1);
  PROXIMA_TRY(const double number,
              request.action == LabAction::Scale ? parse_pods(value) : parse_share(value), zone);
  for (const auto& [known, other] : request.zones)
    if (known == zone) return Error{ErrorCode::InvalidInput, zone + " is given twice"};
  request.zones.emplace_back(zone, number);
  return Unit{};
}

Status add_policy(LabRequest& request, const std::string& word) {
  if (word == "none") return Unit{};
  auto kind = parse_policy_name(word);
  if (!kind) return std::move(kind).error();
  request.policy = policy::to_text(*kind);
  return Unit{};
}

Status add_words(LabRequest& request, const std::vector<std::string>& words) {
  switch (request.action) {
    case LabAction::Scale:
      request.service = words.front();
      for (std::size_t i = 1; i < words.size(); ++i) {
        Status added = add_zone(request, words[i]);
        if (!added) return added;
      }
      return Unit{};
    case LabAction::Demand:
      for (const std::string& word : words) {
        Status added = add_zone(request, word);
        if (!added) return added;
      }
      return Unit{};
    case LabAction::Policy:
      request.service = words[0];
      return add_policy(request, words[1]);
    default:
      if (!words.empty()) request.name = words.front();
      return Unit{};
  }
}

Result<std::string> known_name(const std::string& what, const std::string& name,
                               const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  return Error{ErrorCode::NotFound, "the lab has no " + what + " \"" + name + "\"" +
                                        did_you_mean(near_matches(name, known))};
}

// "service/shop/even", "shop/even" or "even".
Result<std::string> known_service(std::string name, const std::vector<std::string>& known) {
  for (const std::string_view prefix : {"service/", "services/", "svc/"})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  if (name.find('/') != std::string::npos) return known_name("service", name, known);
  std::vector<std::string> fitting;
  for (const std::string& other : known)
    if (other.ends_with("/" + name)) fitting.push_back(other);
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) return known_name("service", name, known);
  return Error{ErrorCode::InvalidInput, "\"" + name + "\" is in several namespaces: write " +
                                            fitting[0] + " or " + fitting[1]};
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

json::object zones_of(const LabRequest& request) {
  json::object zones;
  for (const auto& [zone, number] : request.zones) {
    if (request.action == LabAction::Scale)
      zones[zone] = static_cast<std::int64_t>(number);
    else
      zones[zone] = number;
  }
  return zones;
}

std::string listed(const LabRequest& request) {
  std::string out;
  for (const auto& [zone, number] : request.zones)
    out += (out.empty() ? "" : ", ") + zone + " " +
           (request.action == LabAction::Scale ? std::to_string(static_cast<int>(number))
                                               : percent_text(number));
  return out;
}

// As the annotation says it: JSON has no infinity.
json::value bound_of(const LabRequest& request) {
  if (!request.overload) return nullptr;
  if (std::isinf(*request.overload)) return bound_text(*request.overload).c_str();
  return *request.overload;
}

json::object body_of(const LabRequest& request, const LabNames& names) {
  json::object body;
  switch (request.action) {
    case LabAction::AddNode:
    case LabAction::FailZone:
      body["zone"] = request.name;
      break;
    case LabAction::KillNode:
      body["node"] = request.name;
      break;
    case LabAction::Heal:
      if (!request.name.empty())
        body[contains(names.zones, request.name) ? "zone" : "node"] = request.name;
      break;
    case LabAction::Scale:
      body["service"] = request.service;
      body["zones"] = zones_of(request);
      break;
    case LabAction::Demand:
      body["zones"] = zones_of(request);
      break;
    case LabAction::Policy:
      body["policy"] = request.policy ? json::value(*request.policy) : json::value(nullptr);
      body["overload"] = bound_of(request);
      break;
    case LabAction::Status:
      break;
  }
  return body;
}

}  // namespace

Result<LabRequest> parse_lab_request(const LabCommand& command) {
  const Grammar& grammar = grammar_of(command.action);
  const std::size_t count = command.words.size();
  if (count < grammar.least || count > grammar.most)
    return Error{ErrorCode::InvalidInput, "it is: proxima lab " + std::string(grammar.usage)};
  if (command.overload && command.action != LabAction::Policy)
    return Error{ErrorCode::InvalidInput, "--overload is for: proxima lab policy"};
  if (command.json && command.action != LabAction::Status)
    return Error{ErrorCode::InvalidInput, "--output is for: proxima lab status"};
  LabRequest request;
  request.action = command.action;
  request.overload = command.overload;
  Status added = add_words(request, command.words);
  if (!added) return std::move(added).error();
  if (request.overload && request.policy != policy::to_text(policy::PolicyKind::Balanced))
    return Error{ErrorCode::InvalidInput, "--overload is for policy balanced"};
  return request;
}

Result<LabRequest> with_known_names(LabRequest request, const LabNames& names) {
  for (const auto& [zone, number] : request.zones) {
    auto known = known_name("zone", zone, names.zones);
    if (!known) return std::move(known).error();
  }
  if (!request.service.empty()) {
    auto service = known_service(request.service, names.services);
    if (!service) return std::move(service).error();
    request.service = std::move(*service);
  }
  if (request.name.empty()) return request;
  std::vector<std::string> known = names.zones;
  if (request.action == LabAction::KillNode) known = names.nodes;
  if (request.action == LabAction::Heal)
    known.insert(known.end(), names.nodes.begin(), names.nodes.end());
  const char* what = request.action == LabAction::KillNode ? "node"
                     : request.action == LabAction::Heal   ? "zone or node"
                                                           : "zone";
  auto name = known_name(what, request.name, known);
  if (!name) return std::move(name).error();
  return request;
}

LabCall render_call(const LabRequest& request, const LabNames& names) {
  LabCall call;
  if (request.action == LabAction::Policy) {
    call.path = "/api/services/" + request.service + "/policy";
  } else {
    for (const auto& [name, action] : kLabActions)
      if (action == request.action) call.path = "/api/lab/" + std::string(name);
  }
  call.body = json::serialize(body_of(request, names));
  return call;
}

std::string done_text(const LabRequest& request) {
  switch (request.action) {
    case LabAction::AddNode:
      return "a node was added to " + request.name;
    case LabAction::FailZone:
      return request.name + " has failed; \"proxima lab heal " + request.name + "\" brings it back";
    case LabAction::KillNode:
      return request.name + " was killed; \"proxima lab heal " + request.name + "\" brings it back";
    case LabAction::Heal:
      return (request.name.empty() ? "everything" : request.name) + " was healed";
    case LabAction::Scale:
      return request.service + " was scaled: " + listed(request);
    case LabAction::Demand:
      return "demand was set: " + listed(request);
    case LabAction::Policy:
      return request.service + " has " +
             (request.policy ? "policy " + *request.policy : "no policy of its own any more") +
             (request.overload ? ", overload " + bound_text(*request.overload) : "");
    case LabAction::Status:
      break;
  }
  return {};
}

}  // namespace proxima::cli
