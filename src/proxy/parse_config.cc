// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/duration_text.h"
#include "core/policy/feature_gates.h"
#include "kube/decode_fields.h"
#include "proxy/node_port_addresses.h"
#include "proxy/proxy_config.h"
#include "wire/json_object.h"
#include "wire/padded_text.h"
#include "wire/yaml_documents.h"

namespace proxima::proxy {
namespace {

using wire::JsonObject;

constexpr std::string_view kApiVersion = "kubeproxy.config.k8s.io/v1alpha1";
constexpr std::string_view kKind = "KubeProxyConfiguration";
constexpr std::uint16_t kHealthzPort = 10256;
constexpr std::uint16_t kMetricsPort = 10249;
// Those that change something.
constexpr std::array<std::string_view, 3> kGates = {"AllowServiceExternalIPs", "ComponentFlagz",
                                                    "ComponentStatusz"};

void read(const JsonObject& object, std::string_view key, std::string& into) {
  if (const auto text = object.text(key)) into = *text;
}

void read(const JsonObject& object, std::string_view key, bool& into) {
  if (const auto value = object.boolean(key)) into = *value;
}

void read(const JsonObject& object, std::string_view key, std::int64_t& into) {
  if (const auto value = kube::decode_integer(object, key)) into = *value;
}

void read(const JsonObject& object, std::string_view key, std::chrono::nanoseconds& into) {
  const auto text = object.text(key);
  if (!text) return;
  const auto duration = parse_duration(*text);
  if (duration) {
    into = *duration;
  } else {
    object.report(key, duration.error().message);
  }
}

// Upstream cannot tell 0 from nothing said where a field has no pointer.
template <class T>
void read_unless_zero(const JsonObject& object, std::string_view key, T& into) {
  T value = into;
  read(object, key, value);
  if (value != T{}) into = value;
}

// visit(key) for every member of the object under `key`.
template <class Visit>
void each_key(const JsonObject& object, std::string_view key, Visit visit) {
  const auto element = object.find(key);
  simdjson::dom::object members;
  if (!element || element->get(members) != simdjson::SUCCESS) return;
  for (const auto member : members) visit(member.key);
}

void read_client(const JsonObject& client, ClientConfig& into) {
  read(client, "kubeconfig", into.kubeconfig);
  read_unless_zero(client, "burst", into.burst);
  const auto qps = client.find("qps");
  double value = 0;
  if (qps && qps->get(value) == simdjson::SUCCESS && value != 0) into.qps = value;
  if (qps && !qps->is_number()) client.report("qps", "not a number");
}

void read_conntrack(const JsonObject& conntrack, ConntrackConfig& into) {
  read(conntrack, "maxPerCore", into.max_per_core);
  read(conntrack, "min", into.min);
  read(conntrack, "tcpEstablishedTimeout", into.tcp_established_timeout);
  read(conntrack, "tcpCloseWaitTimeout", into.tcp_close_wait_timeout);
  read(conntrack, "tcpBeLiberal", into.tcp_be_liberal);
  read(conntrack, "udpTimeout", into.udp_timeout);
  read(conntrack, "udpStreamTimeout", into.udp_stream_timeout);
}

// A file that names no mode was written for kube-proxy, to whom that means iptables.
bool is_other_mode(std::string_view mode) { return mode != "nftables"; }

// Periods and masquerading belong to a mode; ipvs has the bit and masqueradeAll of iptables.
void read_mode_section(const JsonObject& object, ProxyConfig& config) {
  const bool is_ipvs = config.mode == "ipvs";
  const JsonObject periods = object.child(is_ipvs                      ? "ipvs"
                                          : is_other_mode(config.mode) ? "iptables"
                                                                       : "nftables");
  if (is_ipvs) config.min_sync_period = std::chrono::nanoseconds(0);
  read_unless_zero(periods, "syncPeriod", config.sync_period);
  read_unless_zero(periods, "minSyncPeriod", config.min_sync_period);
  const JsonObject marks = is_ipvs ? object.child("iptables") : periods;
  read(marks, "masqueradeAll", config.masquerade_all);
  read(marks, "masqueradeBit", config.masquerade_bit);
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    parts.emplace_back(part);
  }
  return parts;
}

void read_local_detection(const JsonObject& object, ProxyConfig& config) {
  read_unless_zero(object, "detectLocalMode", config.detect_local_mode);
  const JsonObject detect = object.child("detectLocal");
  read(detect, "bridgeInterface", config.bridge_interface);
  read(detect, "interfaceNamePrefix", config.interface_name_prefix);
  config.cluster_cidrs = split_at_commas(object.text("clusterCIDR").value_or(""));
}

void read_fields(const JsonObject& object, ProxyConfig& config) {
  read(object, "mode", config.mode);
  read(object, "hostnameOverride", config.hostname_override);
  read_unless_zero(object, "bindAddress", config.bind_address);
  read(object, "healthzBindAddress", config.healthz_bind_address);
  read(object, "metricsBindAddress", config.metrics_bind_address);
  read(object, "bindAddressHardFail", config.bind_address_hard_fail);
  read(object, "enableProfiling", config.enable_profiling);
  read_client(object.child("clientConnection"), config.client);
  const JsonObject gates = object.child("featureGates");
  each_key(object, "featureGates", [&](std::string_view gate) {
    if (const auto on = gates.boolean(gate)) config.feature_gates[std::string(gate)] = *on;
  });
  read_unless_zero(object, "configSyncPeriod", config.config_sync_period);
  read_mode_section(object, config);
  read_local_detection(object, config);
  object.each_text("nodePortAddresses", [&](std::string_view text, const wire::JsonPath&) {
    config.node_port_addresses.emplace_back(text);
  });
  read(object, "oomScoreAdj", config.oom_score_adj);
  read_conntrack(object.child("conntrack"), config.conntrack);
}

std::string with_port(const std::string& address, std::uint16_t port) {
  const auto parsed = IpAddress::parse(address);
  if (!parsed) return address;
  const bool is_v6 = address.find(':') != std::string::npos;
  return (is_v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

// What depends on other fields.
void complete(ProxyConfig& config) {
  const auto bind = IpAddress::parse(config.bind_address);
  const bool is_v4 = bind && bind->family() == IpFamily::V4;
  if (config.healthz_bind_address.empty()) config.healthz_bind_address = is_v4 ? "0.0.0.0" : "::";
  if (config.metrics_bind_address.empty())
    config.metrics_bind_address = is_v4 ? "127.0.0.1" : "::1";
  config.healthz_bind_address = with_port(config.healthz_bind_address, kHealthzPort);
  config.metrics_bind_address = with_port(config.metrics_bind_address, kMetricsPort);
  if (config.node_port_addresses.empty() && !is_other_mode(config.mode))
    config.node_port_addresses.emplace_back(kPrimaryNodePortAddresses);
}

struct Section {
  std::string_view name;  // "" for the top
  std::vector<std::string_view> fields;
};

const std::vector<Section>& known_sections() {
  static const std::vector<Section> sections = {
      {"",
       {"apiVersion",
        "kind",
        "featureGates",
        "clientConnection",
        "logging",
        "hostnameOverride",
        "bindAddress",
        "healthzBindAddress",
        "metricsBindAddress",
        "bindAddressHardFail",
        "enableProfiling",
        "showHiddenMetricsForVersion",
        "mode",
        "iptables",
        "ipvs",
        "nftables",
        "winkernel",
        "detectLocalMode",
        "detectLocal",
        "clusterCIDR",
        "nodePortAddresses",
        "oomScoreAdj",
        "conntrack",
        "configSyncPeriod",
        "portRange",
        "windowsRunAsService"}},
      {"clientConnection", {"kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"}},
      {"iptables",
       {"masqueradeBit", "masqueradeAll", "localhostNodePorts", "syncPeriod", "minSyncPeriod"}},
      {"ipvs",
       {"syncPeriod", "minSyncPeriod", "scheduler", "excludeCIDRs", "strictARP", "tcpTimeout",
        "tcpFinTimeout", "udpTimeout"}},
      {"nftables", {"masqueradeBit", "masqueradeAll", "syncPeriod", "minSyncPeriod"}},
      {"detectLocal", {"bridgeInterface", "interfaceNamePrefix"}},
      {"conntrack",
       {"maxPerCore", "min", "tcpEstablishedTimeout", "tcpCloseWaitTimeout", "tcpBeLiberal",
        "udpTimeout", "udpStreamTimeout"}},
  };
  return sections;
}

void warn_of_unknown(const Section& section, std::string_view key,
                     std::vector<std::string>& warnings) {
  if (std::find(section.fields.begin(), section.fields.end(), key) != section.fields.end()) return;
  const std::string before = section.name.empty() ? "" : std::string(section.name) + ".";
  warnings.push_back("unknown field \"" + before + std::string(key) + "\"");
}

std::vector<std::string> warnings_of(const simdjson::dom::object& top, const JsonObject& object,
                                     const ProxyConfig& config) {
  std::vector<std::string> warnings;
  for (const Section& section : known_sections()) {
    const auto warn = [&](std::string_view key) { warn_of_unknown(section, key, warnings); };
    if (section.name.empty()) {
      for (const auto member : top) warn(member.key);
    } else {
      each_key(object, section.name, warn);
    }
  }
  if (config.mode.empty())
    warnings.push_back(
        "no mode, which means iptables: its settings are used, and rules are nftables'");
  else if (is_other_mode(config.mode))
    warnings.push_back("mode \"" + config.mode +
                       "\" is not this proxy's: its settings are used, and rules are nftables'");
  for (const auto& [gate, on] : config.feature_gates) {
    const bool is_known = policy::is_feature_gate(gate) ||
                          std::find(kGates.begin(), kGates.end(), gate) != kGates.end();
    if (!is_known) warnings.push_back("feature gate \"" + gate + "\" changes nothing here");
  }
  if (config.enable_profiling) warnings.push_back("enableProfiling: there are no profiles");
  return warnings;
}

Result<std::string> one_document(std::string_view text) {
  wire::YamlDocuments documents(text, 1);
  auto first = documents.next();
  if (!first) return std::move(first).error();
  if (!*first) return Error{ErrorCode::InvalidInput, "the configuration is empty"};
  return std::move(**first);
}

Status check_kind(const JsonObject& object) {
  const auto version = object.text("apiVersion").value_or("");
  const auto kind = object.text("kind").value_or("");
  if (version == kApiVersion && kind == kKind) return Unit{};
  return Error{ErrorCode::InvalidInput, "no kind \"" + std::string(kind) +
                                            "\" is registered for version \"" +
                                            std::string(version) + "\""};
}

}  // namespace

ProxyConfig default_proxy_config() {
  ProxyConfig config{.mode = "nftables"};
  complete(config);
  return config;
}

Result<ParsedConfig> parse_proxy_config(std::string_view text) {
  PROXIMA_TRY(const std::string json, one_document(text), "read the proxy's configuration");
  const wire::PaddedText padded{json};
  simdjson::dom::parser parser;
  simdjson::dom::object parsed;
  const auto failure = parser.parse(padded.text().data(), padded.text().size(), false).get(parsed);
  if (failure != simdjson::SUCCESS)
    return Error{ErrorCode::InvalidInput, "read the proxy's configuration: not an object"};
  wire::ProblemLog log;
  const JsonObject object(parsed, log);
  PROXIMA_TRY([[maybe_unused]] const Unit known, check_kind(object),
              "read the proxy's configuration");
  ParsedConfig result;
  read_fields(object, result.config);
  if (!log.problems().empty()) {
    const wire::Problem& problem = log.problems().front();
    return Error{ErrorCode::InvalidInput,
                 "read the proxy's configuration: " + problem.field + ": " + problem.message};
  }
  result.warnings = warnings_of(parsed, object, result.config);
  complete(result.config);
  return result;
}

}  // namespace proxima::proxy
