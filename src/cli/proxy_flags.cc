// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>

#include "base/duration_text.h"
#include "cli/argument_values.h"
#include "cli/log_flags.h"
#include "cli/value_rows.h"
#include "proxy/config_document.h"

namespace proxima::cli {
namespace {

namespace json = boost::json;

// What a flag's text must be before it goes into a field of the configuration.
enum class Kind { Text, Number, Amount, Duration, Switch, List, Gates, Mode };

Result<json::value> number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return Error{ErrorCode::InvalidInput, "\"" + text + "\" is not a whole number"};
  return json::value(value);
}

std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    all.emplace_back(part);
  }
  return all;
}

Result<json::value> gates(const std::string& text) {
  json::object all;
  for (const std::string& part : parts(text)) {
    const std::size_t equals = part.find('=');
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (value != "true" && value != "false")
      return Error{ErrorCode::InvalidInput, "\"" + part + "\" is not GATE=true or GATE=false"};
    all[part.substr(0, equals)] = value == "true";
  }
  return json::value(std::move(all));
}

Result<json::value> field_value(Kind kind, const std::string& text) {
  switch (kind) {
    case Kind::Number:
      return number(text);
    case Kind::Amount: {
      auto amount = parse_amount(text);
      if (!amount) return std::move(amount).error();
      return json::value(*amount);
    }
    case Kind::Duration: {
      auto duration = parse_duration(text);
      if (!duration) return std::move(duration).error();
      return json::value(duration_text(*duration));
    }
    case Kind::Switch:
      return json::value(text == "true");
    case Kind::List: {
      json::array all;
      for (std::string& part : parts(text)) all.emplace_back(std::move(part));
      return json::value(std::move(all));
    }
    case Kind::Gates:
      return gates(text);
    case Kind::Mode:
      if (text == "nftables" || text.empty()) return json::value("nftables");
      return Error{ErrorCode::InvalidInput,
                   "\"" + text + "\" is not a mode of this proxy, which is nftables"};
    case Kind::Text:
      return json::value(text);
  }
  return json::value(text);
}

struct FieldFlag {
  const char* names;
  const char* value;
  Kind kind;
  const char* field;  // of KubeProxyConfiguration
  const char* group;
  const char* description;
};

constexpr const char* kConnectionHeading = "Cluster";
constexpr const char* kTraffic = "Traffic";
constexpr const char* kPace = "Pace";
constexpr const char* kKernel = "Kernel";
constexpr const char* kStatus = "Status and logs";

constexpr FieldFlag kFieldFlags[] = {
    {"--kubeconfig", "FILE", Kind::Text, "clientConnection.kubeconfig", kConnectionHeading,
     "Use the cluster of this kubeconfig; the default is KUBECONFIG, then ~/.kube/config, then the "
     "Pod's service account"},
    {"--kube-api-qps", "NUMBER", Kind::Amount, "clientConnection.qps", kConnectionHeading,
     "Requests a second that are sent at most (default 5)"},
    {"--kube-api-burst", "NUMBER", Kind::Number, "clientConnection.burst", kConnectionHeading,
     "Requests that may be sent at once before that (default 10)"},
    {"--feature-gates", "GATE=BOOL", Kind::Gates, "featureGates", kConnectionHeading,
     "Feature gates of kube-proxy, comma-separated; AllowServiceExternalIPs, ComponentFlagz and "
     "ComponentStatusz count here, others change nothing"},
    {"--proxy-mode", "nftables", Kind::Mode, "mode", kTraffic, "What this proxy does"},
    {"--cluster-cidr", "CIDRS", Kind::Text, "clusterCIDR", kTraffic,
     "Where the cluster's Pods have their addresses: one range, or one of each family; traffic "
     "from elsewhere to cluster addresses is masqueraded"},
    {"--detect-local-mode", "MODE:ClusterCIDR|NodeCIDR|BridgeInterface|InterfaceNamePrefix",
     Kind::Text, "detectLocalMode", kTraffic,
     "How traffic of this node's Pods is recognised (default ClusterCIDR)"},
    {"--pod-bridge-interface", "NAME", Kind::Text, "detectLocal.bridgeInterface", kTraffic,
     "The bridge of the Pods, for mode BridgeInterface"},
    {"--pod-interface-name-prefix", "PREFIX", Kind::Text, "detectLocal.interfaceNamePrefix",
     kTraffic, "How the Pods' devices begin, for mode InterfaceNamePrefix"},
    {"--masquerade-all", "", Kind::Switch, "nftables.masqueradeAll", kTraffic,
     "Masquerade everything that is sent to cluster addresses"},
    {"--nftables-masquerade-bit,--iptables-masquerade-bit", "NUMBER", Kind::Number,
     "nftables.masqueradeBit", kTraffic,
     "The bit of the packet mark that asks for masquerading (default 14)"},
    {"--nodeport-addresses", "CIDRS", Kind::List, "nodePortAddresses", kTraffic,
     "Where node ports answer: ranges of the node's addresses, or primary (the default)"},
    {"--bind-address", "ADDRESS", Kind::Text, "bindAddress", kTraffic,
     "The node's primary address, in place of what its Node says; nothing is bound to it"},
    {"--nftables-min-sync-period,--iptables-min-sync-period", "DURATION", Kind::Duration,
     "nftables.minSyncPeriod", kPace, "The least time between two writes (default 1s)"},
    {"--nftables-sync-period,--iptables-sync-period", "DURATION", Kind::Duration,
     "nftables.syncPeriod", kPace, "When a write that failed is tried again (default 30s)"},
    {"--config-sync-period", "DURATION", Kind::Duration, "configSyncPeriod", kPace,
     "Read for kube-proxy's sake: changes come as they happen and nothing is polled"},
    {"--conntrack-max-per-core", "NUMBER", Kind::Number, "conntrack.maxPerCore", kKernel,
     "Connections to track for each core; 0 leaves the kernel's limit (default 32768)"},
    {"--conntrack-min", "NUMBER", Kind::Number, "conntrack.min", kKernel,
     "Connections to track at least (default 131072)"},
    {"--conntrack-tcp-timeout-established", "DURATION", Kind::Duration,
     "conntrack.tcpEstablishedTimeout", kKernel,
     "How long silent TCP connections are tracked; 0 leaves it (default 24h)"},
    {"--conntrack-tcp-timeout-close-wait", "DURATION", Kind::Duration,
     "conntrack.tcpCloseWaitTimeout", kKernel,
     "The same for those that one side has closed (default 1h)"},
    {"--conntrack-tcp-be-liberal", "", Kind::Switch, "conntrack.tcpBeLiberal", kKernel,
     "Track TCP packets outside the window too"},
    {"--conntrack-udp-timeout", "DURATION", Kind::Duration, "conntrack.udpTimeout", kKernel,
     "How long UDP flows without an answer are tracked; 0 leaves it (the default)"},
    {"--conntrack-udp-timeout-stream", "DURATION", Kind::Duration, "conntrack.udpStreamTimeout",
     kKernel, "The same for those with answers"},
    {"--oom-score-adj", "NUMBER", Kind::Number, "oomScoreAdj", kKernel,
     "How gladly the kernel ends this process when memory is short (default -999)"},
    {"--healthz-bind-address", "ADDRESS:PORT", Kind::Text, "healthzBindAddress", kStatus,
     "Where /healthz and /livez are served (default 0.0.0.0:10256)"},
    {"--metrics-bind-address", "ADDRESS:PORT", Kind::Text, "metricsBindAddress", kStatus,
     "Where /metrics and /readyz are served, and to clients on the same machine or with a token "
     "/proxyMode, /configz, /flagz, /statusz, /debug/routes and /debug/flows (default "
     "127.0.0.1:10249)"},
    {"--bind-address-hard-fail", "", Kind::Switch, "bindAddressHardFail", kStatus,
     "End when one of them cannot be served, instead of trying again every 5 seconds"},
};

// As kube-proxy's flags print themselves.
std::string flag_text(const json::value& value) {
  if (const auto* text = value.if_string()) return std::string(*text);
  if (const auto* number = value.if_double()) return fmt::format("{}", *number);
  std::string out;
  if (const auto* all = value.if_array()) {
    for (const json::value& each : *all) out += (out.empty() ? "" : ",") + flag_text(each);
    return "[" + out + "]";
  }
  if (const auto* all = value.if_object()) {
    for (const auto& each : *all)
      out += (out.empty() ? "" : ",") + std::string(each.key()) + "=" + flag_text(each.value());
    return out;
  }
  return json::serialize(value);
}

// What counts where nothing is said, by the same paths as FieldFlag has.
json::value default_value(std::string_view path) {
  const json::value document = json::parse(proxy::render_config(proxy::default_proxy_config()));
  const json::value* at = &document.at("kubeproxy.config.k8s.io");
  while (at != nullptr && !path.empty()) {
    const std::string_view name = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    at = at->as_object().if_contains(name);
  }
  return at == nullptr ? json::value("") : *at;
}

FlagRow field_row(const FieldFlag& flag, ProxyCommand& command) {
  return {.names = flag.names,
          .value = flag.value,
          .group = flag.group,
          .description = flag.description,
          .set = [&command, &flag](const std::string& text) -> Status {
            auto value = field_value(flag.kind, text);
            if (!value) return std::move(value).error();
            command.fields[flag.field] = json::serialize(*value);
            return Unit{};
          },
          .now =
              [&command, &flag] {
                const auto said = command.fields.find(flag.field);
                return flag_text(said == command.fields.end() ? default_value(flag.field)
                                                              : json::parse(said->second));
              }};
}

FlagRow period_row(std::chrono::nanoseconds& target) {
  return {.names = "--check-period",
          .value = "DURATION",
          .group = kPace,
          .description =
              "How often all that is in the kernel is compared with what should be, and put right "
              "(default 1h)",
          .set = [&target](const std::string& text) -> Status {
            auto duration = parse_duration(text);
            if (!duration) return std::move(duration).error();
            if (*duration < std::chrono::seconds(1))
              return Error{ErrorCode::InvalidInput, "\"" + text + "\" is below one second"};
            target = *duration;
            return Unit{};
          },
          .now = [&target] { return duration_text(target); }};
}

void add_own(FlagRows& rows, ProxyCommand& command) {
  const char* start = "Starting and ending";
  rows.push_back(text_row("--config", "FILE", kConnectionHeading, command.config_file,
                          "A KubeProxyConfiguration; fields that flags would set count from there "
                          "alone, but for --hostname-override"));
  rows.push_back(text_row("--context", "NAME", kConnectionHeading, command.context,
                          "The context of the kubeconfig; its current one when not given"));
  rows.push_back(text_row("--hostname-override", "NODE", kConnectionHeading,
                          command.hostname_override,
                          "The name of this node's Node object; the host's name when not given"));
  rows.push_back(text_row("--service-proxy-name", "NAME", kConnectionHeading,
                          command.service_proxy_name,
                          "Route only Services with this value of the label "
                          "service.kubernetes.io/service-proxy-name, beside another proxy; those "
                          "without that label when not given"));
  rows.push_back(switch_row("--plan-by-itself", kTraffic, command.plans_by_itself,
                            "Follow trafficDistribution and the like also where slices carry "
                            "neither hints nor splits, for clusters without a controller"));
  rows.push_back(
      switch_row("--allow-node-external-ips", kTraffic, command.allows_node_external_ips,
                 "Route spec.externalIPs that are addresses of this node, as kube-proxy "
                 "does; anyone who can write Services can then take any port of the node"));
  rows.push_back(period_row(command.check_period));
  rows.push_back(switch_row("--flow-accounting", kStatus, command.flow_accounting,
                            "Count connections and bytes of Services between zones, as metrics and "
                            "at /debug/flows (default true)"));
  rows.push_back(value_row("--report-config-map", "NAMESPACE/NAME", kStatus,
                           command.report_config_map, parse_report_config_map,
                           "The ConfigMap in which the controller says where to report which plans "
                           "this node routes; \"\" reports to nobody (default "
                           "kube-system/proxima-reports)"));
  rows.push_back(text_row("--report-token-file", "FILE", kStatus, command.report_token_file,
                          "A token for the audience proxima-controller, to report with (default: "
                          "the credentials for the API server)"));
  rows.push_back(switch_row("--take-over", start, command.take_over,
                            "Remove kube-proxy's rules once these are active, but those of "
                            "iptables-legacy and IPVS; not with --service-proxy-name"));
  rows.push_back(switch_row("--init-only", start, command.init_only,
                            "Write the kernel's settings, which needs all rights, and end"));
  rows.push_back(switch_row("--cleanup", start, command.cleanup,
                            "Remove all that this proxy has put into the kernel, nothing else, and "
                            "end"));
}

}  // namespace

std::map<std::string, std::string> proxy_flag_values(const ProxyCommand& command) {
  ProxyCommand copy = command;
  std::map<std::string, std::string> values;
  for (const FlagRow& row : proxy_flags(copy)) {
    if (!row.now) continue;
    for (const std::string& name : parts(row.names)) {
      const std::string bare = name.substr(name.find_first_not_of('-'));
      values[bare] = row.now();
    }
  }
  values["logging-format"] = command.log.format == telemetry::LogFormat::Json ? "json" : "text";
  values["v"] = std::to_string(command.log.verbosity);
  return values;
}

FlagRows proxy_flags(ProxyCommand& command) {
  FlagRows rows;
  add_own(rows, command);
  for (const FieldFlag& flag : kFieldFlags) rows.push_back(field_row(flag, command));
  append(rows, log_flags(command.log));
  return rows;
}

}  // namespace proxima::cli
