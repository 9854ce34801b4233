// SPDX-License-Identifier: Apache-2.0
#include "core/policy/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "core/model/label_syntax.h"
#include "core/model/limits.h"
#include "core/policy/topology_keys.h"

namespace proxima::policy {
namespace {

using model::Bounded;
using model::limit_of;
using model::RoutingTexts;
using model::Service;
using model::Snapshot;

struct PolicyName {
  std::string_view text;
  PolicyKind kind;
};
constexpr PolicyName kPolicyNames[] = {
    // The first name of a kind is the one that is printed.
    {"cluster-wide", PolicyKind::ClusterWide},
    {"topology-keys", PolicyKind::TopologyKeys},
    {"auto", PolicyKind::Auto},
    {"prefer-same-zone", PolicyKind::PreferSameZone},
    {"prefer-same-node", PolicyKind::PreferSameNode},
    {"zone-aware", PolicyKind::ZoneAware},
    {"balanced", PolicyKind::Balanced},
    {"require-zone", PolicyKind::RequireZone},
    {"none", PolicyKind::ClusterWide},
    {"Auto", PolicyKind::Auto},
    {"PreferZone", PolicyKind::Auto},
    {"PreferClose", PolicyKind::PreferSameZone},
    {"prefer-close", PolicyKind::PreferSameZone},
    {"PreferSameZone", PolicyKind::PreferSameZone},
    {"PreferSameNode", PolicyKind::PreferSameNode},
    {"RequireZone", PolicyKind::RequireZone},
};

constexpr std::string_view kHintsGate = "TopologyAwareHints";
constexpr std::string_view kOwnDomain = "proxima.io/";

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma), " "));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

// "NAME", "Kind/NAME" or "NAMESPACE/Kind/NAME".
bool is_workload(std::string_view text) {
  constexpr int kMostParts = 3;
  for (int parts = 1; parts <= kMostParts; ++parts) {
    const auto slash = text.find('/');
    if (slash == 0 || text.empty()) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
  return false;
}

bool is_auto(std::string_view value) { return value == "Auto" || value == "auto"; }

// The values upstream's API takes, and our own heuristics under our own domain, as KEP-4444 has it
// for implementations.
std::optional<PolicyKind> parse_traffic_distribution(std::string_view text) {
  if (text == "PreferClose" || text == "PreferSameZone") return PolicyKind::PreferSameZone;
  if (text == "PreferSameNode") return PolicyKind::PreferSameNode;
  if (text.starts_with(kOwnDomain)) return parse_policy(text.substr(kOwnDomain.size()));
  return std::nullopt;
}

// Walks the sources from the strongest to the weakest; the first that gives a policy wins, and the
// rest is only remarked upon.
class Resolver {
 public:
  Resolver(const Snapshot& snapshot, const Service& service, const Settings& defaults)
      : snapshot_(snapshot), service_(service) {
    out_.settings = defaults;
  }

  ResolvedSettings resolve(std::optional<PolicyKind> forced);

 private:
  std::string_view text(NameId id) const { return snapshot_.names[id]; }
  const FeatureGates& gates() const { return out_.settings.gates; }
  void take(PolicyKind kind, Reason from, std::string_view subject);
  void refuse(const Note& note);
  // For a policy, and not for a setting beside it.
  void refuse_wish(const Note& note);
  void remark(Reason reason, std::string_view subject = {}) {
    out_.chain.push_back({.reason = reason, .subject = subject});
  }

  const RoutingTexts& namespace_texts() const;
  void read_threshold(NameId said, double& threshold);
  void read_parameters(const RoutingTexts& texts);
  void read_tiers(const RoutingTexts& texts);
  void read_keys();
  void ask_service_annotation();
  void ask_topology_keys();
  void ask_topology_annotations();
  void ask_traffic_policy_field();
  void ask_traffic_distribution();
  void ask_namespace();
  void ask_default(std::optional<PolicyKind> forced);

  const Snapshot& snapshot_;
  const Service& service_;
  ResolvedSettings out_;
  bool found_ = false;
  bool wish_refused_ = false;
  bool keys_valid_ = false;
  std::string_view first_key_;
};

ResolvedSettings Resolver::resolve(std::optional<PolicyKind> forced) {
  read_parameters(namespace_texts());
  read_parameters(service_.routing);
  read_keys();
  if (forced) take(*forced, Reason::PolicyFromCommandLine, to_text(*forced));
  ask_service_annotation();
  ask_topology_keys();
  ask_topology_annotations();
  ask_traffic_policy_field();
  ask_traffic_distribution();
  ask_namespace();
  ask_default(forced);
  if (out_.settings.policy == PolicyKind::TopologyKeys && out_.settings.topology_keys.empty()) {
    refuse_wish({.reason = Reason::TopologyKeysMissing});
  }
  return std::move(out_);
}

void Resolver::take(PolicyKind kind, Reason from, std::string_view subject) {
  if (kind == PolicyKind::TopologyKeys && !gates().service_topology)
    return remark(Reason::FeatureGateOff, "ServiceTopology");
  if (found_) return remark(Reason::OverriddenByStrongerSetting, subject);
  found_ = true;
  out_.settings.policy = kind;
  out_.from = {.reason = from, .subject = subject};
}

void Resolver::refuse(const Note& note) {
  out_.chain.push_back(note);
  out_.accepted = false;
}

void Resolver::refuse_wish(const Note& note) {
  refuse(note);
  wish_refused_ = true;
}

const RoutingTexts& Resolver::namespace_texts() const {
  static constexpr RoutingTexts kSilent;
  return service_.ns ? snapshot_.namespaces[service_.ns.value()].routing : kSilent;
}

void Resolver::read_threshold(NameId said, double& threshold) {
  if (!said) return;
  const auto value = parse_overload(text(said));
  const bool valid = value && std::isfinite(*value);
  if (valid) threshold = *value;
  if (!valid) refuse({.reason = Reason::InvalidAutoThreshold, .subject = text(said)});
}

// What is said beside the policy's name; the Service after (so over) its Namespace.
void Resolver::read_parameters(const RoutingTexts& texts) {
  if (texts.overload) {
    const auto overload = parse_overload(text(texts.overload));
    if (overload) out_.settings.overload = *overload;
    if (!overload) refuse({.reason = Reason::InvalidOverload, .subject = text(texts.overload)});
  }
  if (texts.demand) {
    const auto demand = parse_demand(text(texts.demand));
    if (demand) out_.settings.demand = *demand;
    if (!demand) refuse({.reason = Reason::InvalidDemand, .subject = text(texts.demand)});
  }
  if (texts.min_local_endpoints) {
    const auto digits = trimmed(text(texts.min_local_endpoints), " ");
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
    const bool valid = error == std::errc() && end == digits.end() &&
                       limit_of(Bounded::MinLocalEndpoints).admits(value);
    if (valid) out_.settings.min_local_endpoints = value;
    if (!valid) refuse({.reason = Reason::InvalidMinLocalEndpoints, .subject = digits});
  }
  if (texts.node_first) {
    const auto value = text(texts.node_first);
    if (value == "true" || value == "false") out_.settings.node_first = value == "true";
    if (value != "true" && value != "false") {
      refuse({.reason = Reason::InvalidNodeFirst, .subject = value});
    }
  }
  read_threshold(texts.auto_start, out_.settings.auto_options.start_below);
  read_threshold(texts.auto_stop, out_.settings.auto_options.stop_above);
  if (texts.panic) {
    const auto value = text(texts.panic);
    if (value == "ready" || value == "all") out_.settings.panic_uses_all = value == "all";
    if (value != "ready" && value != "all") {
      refuse({.reason = Reason::InvalidPanic, .subject = value});
    }
  }
  read_tiers(texts);
}

// What else may serve a zone that has too few endpoints of its own.
void Resolver::read_tiers(const RoutingTexts& texts) {
  if (texts.failover) {
    const auto budget = parse_failover(text(texts.failover));
    if (budget) out_.settings.failover = *budget;
    if (!budget) refuse({.reason = Reason::InvalidFailover, .subject = text(texts.failover)});
  }
  if (texts.fallback) {
    const auto value = text(texts.fallback);
    const bool region = value == "region";
    if (region || value == "everywhere")
      out_.settings.fallback = region ? Fallback::Region : Fallback::Everywhere;
    if (!region && value != "everywhere")
      refuse({.reason = Reason::InvalidFallback, .subject = value});
  }
}

// The field where it exists, else the annotation (a real API server drops the field).
void Resolver::read_keys() {
  std::vector<std::string_view> keys;
  for (NameId key : Snapshot::part(snapshot_.names_pool, service_.topology_key_fields)) {
    keys.push_back(text(key));
  }
  if (keys.empty() && service_.routing.topology_keys) {
    keys = split_at_commas(text(service_.routing.topology_keys));
  }
  if (keys.empty()) return;
  if (!gates().service_topology) return remark(Reason::FeatureGateOff, "ServiceTopology");
  first_key_ = keys.front();
  const bool external_local = service_.external_policy == model::TrafficPolicy::Local;
  if (auto wrong = check_topology_keys(keys, external_local)) return refuse_wish(*wrong);
  // KEP-2433, interoperability: the two are refused together, so neither counts.
  if (service_.traffic_policy && text(service_.traffic_policy) == "PreferZone") {
    return refuse_wish({.reason = Reason::TopologyKeysWithPreferZone});
  }
  out_.settings.topology_keys = std::move(keys);
  keys_valid_ = true;
}

void Resolver::ask_service_annotation() {
  if (!service_.routing.policy) return;
  const auto value = text(service_.routing.policy);
  if (auto kind = parse_policy(value)) {
    return take(*kind, Reason::PolicyFromServiceAnnotation, value);
  }
  refuse_wish({.reason = Reason::UnknownPolicy, .subject = value});
}

void Resolver::ask_topology_keys() {
  if (keys_valid_) take(PolicyKind::TopologyKeys, Reason::PolicyFromTopologyKeys, first_key_);
}

// The deprecated annotation wins when its key exists, even when its value disables.
void Resolver::ask_topology_annotations() {
  const NameId old_name = service_.topology_aware_hints;
  const NameId new_name = service_.topology_mode;
  if (old_name && new_name) {
    if (old_name != new_name) refuse({.reason = Reason::ConflictingTopologyAnnotations});
    remark(Reason::DeprecatedAnnotationWins);
  }
  const NameId value = old_name ? old_name : new_name;
  if (!value) return;
  const auto name =
      old_name ? model::kTopologyAwareHintsAnnotation : model::kTopologyModeAnnotation;
  if (!is_auto(text(value))) return remark(Reason::TopologyAnnotationDisables, name);
  if (!gates().topology_aware_hints) return remark(Reason::FeatureGateOff, kHintsGate);
  take(PolicyKind::Auto, Reason::PolicyFromTopologyAnnotation, name);
}

void Resolver::ask_traffic_policy_field() {
  if (!service_.traffic_policy) return;
  const auto value = text(service_.traffic_policy);
  if (value == "PreferZone") {
    const bool beside_keys =
        service_.topology_key_fields.size > 0 || service_.routing.topology_keys.has_value();
    if (beside_keys) return;
    if (!gates().service_traffic_policy)
      return remark(Reason::FeatureGateOff, "ServiceTrafficPolicy");
    if (!gates().topology_aware_hints) return remark(Reason::FeatureGateOff, kHintsGate);
    return take(PolicyKind::Auto, Reason::PolicyFromTrafficPolicyField, value);
  }
  // "Cluster" and "Local" are the values that KEP-2086 gave the same field.
  if (value == "Cluster" || value == "Local") return;
  refuse_wish({.reason = Reason::UnknownTrafficPolicy, .subject = value});
}

void Resolver::ask_traffic_distribution() {
  if (!service_.traffic_distribution) return;
  const auto value = text(service_.traffic_distribution);
  if (!gates().service_traffic_distribution)
    return remark(Reason::FeatureGateOff, "ServiceTrafficDistribution");
  const bool prefers_same = value == "PreferSameZone" || value == "PreferSameNode";
  if (prefers_same && !gates().prefer_same_traffic_distribution)
    return refuse_wish(
        {.reason = Reason::FeatureGateOff, .subject = "PreferSameTrafficDistribution"});
  if (auto kind = parse_traffic_distribution(value)) {
    return take(*kind, Reason::PolicyFromTrafficDistribution, value);
  }
  refuse_wish({.reason = Reason::UnknownTrafficDistribution, .subject = value});
}

void Resolver::ask_namespace() {
  const NameId policy = namespace_texts().policy;
  if (!policy) return;
  if (auto kind = parse_policy(text(policy))) {
    return take(*kind, Reason::PolicyFromNamespace, text(policy));
  }
  refuse_wish({.reason = Reason::UnknownPolicy, .subject = text(policy)});
}

void Resolver::ask_default(std::optional<PolicyKind> forced) {
  if (found_ || forced) return;
  if (out_.settings.policy == PolicyKind::TopologyKeys && !gates().service_topology) {
    remark(Reason::FeatureGateOff, "ServiceTopology");
    out_.settings.policy = PolicyKind::ClusterWide;
  }
  const PolicyKind kind = out_.settings.policy;
  if (kind == PolicyKind::ClusterWide) {
    out_.from = {.reason = wish_refused_ ? Reason::NothingElseSaid : Reason::NothingSaid};
    return;
  }
  out_.from = {.reason = Reason::PolicyFromClusterDefault, .subject = to_text(kind)};
}

}  // namespace

std::string_view to_text(PolicyKind kind) {
  return kPolicyNames[static_cast<std::size_t>(kind)].text;
}

std::optional<PolicyKind> parse_policy(std::string_view text) {
  for (const PolicyName& name : kPolicyNames) {
    if (name.text == text) return name.kind;
  }
  return std::nullopt;
}

Result<DemandSetting> parse_demand(std::string_view text) {
  constexpr std::string_view kClients = "clients=";
  if (text == "cpu") return DemandSetting{.source = DemandSource::Cpu};
  if (text == "nodes") return DemandSetting{.source = DemandSource::Nodes};
  if (text == "measured") return DemandSetting{.source = DemandSource::Measured};
  if (text.starts_with(kClients) && is_workload(text.substr(kClients.size()))) {
    return DemandSetting{.source = DemandSource::Clients, .clients = text.substr(kClients.size())};
  }
  return Error{ErrorCode::InvalidInput, "\"" + std::string(text) +
                                            "\" is not a source of demand: use cpu, nodes, "
                                            "measured or clients=WORKLOAD"};
}

std::string client_workload(std::string_view clients, std::string_view service_namespace) {
  const auto slashes = std::count(clients.begin(), clients.end(), '/');
  std::string name(clients);
  if (slashes >= 2) return name;
  return std::string(service_namespace) + (slashes == 1 ? "/" : "/Deployment/") + name;
}

Result<double> parse_overload(std::string_view text) {
  const Error wrong{ErrorCode::InvalidInput,
                    "\"" + std::string(text) +
                        "\" is not a bound on overload: use a percentage such as 20%, a number "
                        "such as 0.2, or inf"};
  if (text == "inf" || text == "∞") return std::numeric_limits<double>::infinity();
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || end != text.end()) return wrong;
  if (percent) value /= 100;
  if (!limit_of(Bounded::Overload).admits(value)) return wrong;
  return value;
}

std::optional<Note> check_topology_keys(const std::vector<std::string_view>& keys,
                                        bool external_policy_local) {
  if (keys.empty()) return std::nullopt;
  if (external_policy_local) return Note{.reason = Reason::TopologyKeysWithExternalLocal};
  if (keys.size() > kMaxTopologyKeys) {
    return Note{.reason = Reason::TooManyTopologyKeys,
                .count = static_cast<std::int64_t>(keys.size()),
                .limit = static_cast<double>(kMaxTopologyKeys)};
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto before = keys.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(keys.begin(), before, keys[i]) != before) {
      return Note{.reason = Reason::DuplicateTopologyKey, .subject = keys[i]};
    }
    if (keys[i] == kAnyTopology) {
      if (i + 1 < keys.size()) return Note{.reason = Reason::CatchAllNotLast};
      continue;
    }
    if (model::wrong_label_key(keys[i])) {
      return Note{.reason = Reason::InvalidTopologyKey, .subject = keys[i]};
    }
  }
  return std::nullopt;
}

ResolvedSettings resolve_settings(const Snapshot& snapshot, const Service& service,
                                  const Settings& defaults, std::optional<PolicyKind> forced) {
  return Resolver(snapshot, service, defaults).resolve(forced);
}

bool uses_hints(const model::Snapshot& snapshot, const model::Service& service,
                const FeatureGates& gates) {
  if (!gates.topology_aware_hints) return false;
  if (gates.service_traffic_distribution) return true;
  const NameId value =
      service.topology_aware_hints ? service.topology_aware_hints : service.topology_mode;
  return value && is_auto(snapshot.names[value]);
}

}  // namespace proxima::policy
