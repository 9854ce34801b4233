// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>

#include "base/duration_text.h"
#include "core/policy/feature_gates.h"
#include "proxy/node_port_addresses.h"
#include "proxy/proxy_config.h"

namespace proxima::proxy {
namespace {

using std::chrono::nanoseconds;

// Collects faults as upstream's field errors read.
class Faults {
 public:
  void invalid(std::string_view field, const std::string& value, std::string_view why) {
    texts_.push_back("KubeProxyConfiguration." + std::string(field) + ": Invalid value: " + value +
                     ": " + std::string(why));
  }
  void add(std::string text) { texts_.push_back(std::move(text)); }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
};

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }
std::string in_quotes(nanoseconds duration) { return in_quotes(duration_text(duration)); }

std::string listed(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? "," : "") + in_quotes(text);
  return out + "]";
}

void check_mode(const ProxyConfig& config, Faults& faults) {
  constexpr std::array<std::string_view, 4> kModes = {"", "iptables", "ipvs", "nftables"};
  for (const std::string_view mode : kModes) {
    if (config.mode == mode) return;
  }
  faults.invalid("Mode.ProxyMode", in_quotes(config.mode),
                 "must be iptables, ipvs, nftables or blank (blank means iptables)");
}

void check_periods(const ProxyConfig& config, Faults& faults) {
  constexpr nanoseconds kZero{0};
  if (config.config_sync_period <= kZero)
    faults.invalid("ConfigSyncPeriod", in_quotes(config.config_sync_period),
                   "must be greater than 0");
  if (config.sync_period <= kZero)
    faults.invalid("SyncPeriod", in_quotes(config.sync_period), "must be greater than 0");
  if (config.min_sync_period < kZero)
    faults.invalid("MinSyncPeriod", in_quotes(config.min_sync_period),
                   "must be greater than or equal to 0");
  if (config.min_sync_period > config.sync_period)
    faults.invalid("SyncPeriod", in_quotes(config.min_sync_period),
                   "must be greater than or equal to KubeProxyConfiguration.MinSyncPeriod");
}

// "host:port" and "[host]:port".
struct HostPort {
  std::string_view host;
  std::string_view port;
};
std::optional<HostPort> split_host_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']') && host.size() >= 2) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return std::nullopt;
  }
  return HostPort{host, text.substr(colon + 1)};
}

bool is_port(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port >= 1 && port <= 65'535;
}

void check_host_port(const std::string& text, std::string_view field, Faults& faults) {
  const auto parts = split_host_port(text);
  if (!parts) return faults.invalid(field, in_quotes(text), "must be IP:port");
  if (!IpAddress::parse(parts->host))
    faults.invalid(field, in_quotes(parts->host), "must be a valid IP");
  if (!is_port(parts->port)) faults.invalid(field, in_quotes(parts->port), "must be a valid port");
}

void check_addresses(const ProxyConfig& config, Faults& faults) {
  if (!IpAddress::parse(config.bind_address))
    faults.invalid("BindAddress", in_quotes(config.bind_address),
                   "not a valid textual representation of an IP address");
  if (!config.healthz_bind_address.empty())
    check_host_port(config.healthz_bind_address, "HealthzBindAddress", faults);
  check_host_port(config.metrics_bind_address, "MetricsBindAddress", faults);
}

void check_node_ports(const ProxyConfig& config, Faults& faults) {
  const auto& setting = config.node_port_addresses;
  for (std::size_t i = 0; i < setting.size(); ++i) {
    const std::string field = "NodePortAddresses[" + std::to_string(i) + "]";
    if (setting[i] == kPrimaryNodePortAddresses) {
      if (setting.size() != 1)
        faults.invalid(field, in_quotes(setting[i]), "can't use both 'primary' and CIDRs");
      return;
    }
    if (!IpPrefix::parse(setting[i]))
      faults.invalid(field, in_quotes(setting[i]), "must be a valid CIDR");
  }
}

void check_cluster_ranges(const std::vector<std::string>& ranges, Faults& faults) {
  constexpr std::string_view kField = "DetectLocalConfiguration.ClusterCIDRs";
  constexpr std::string_view kOneOrTwo =
      "must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, "
      "fde4:8dba:82e1::/48]";
  if (ranges.size() > 2) return faults.invalid(kField, listed(ranges), kOneOrTwo);
  std::vector<IpPrefix> parsed;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto range = IpPrefix::parse(ranges[i]);
    if (range) {
      parsed.push_back(*range);
    } else {
      faults.invalid(std::string(kField) + "[" + std::to_string(i) + "]", in_quotes(ranges[i]),
                     "must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)");
    }
  }
  if (parsed.size() == 2 && parsed[0].family() == parsed[1].family())
    faults.invalid(kField, listed(ranges), kOneOrTwo);
}

void check_local_detection(const ProxyConfig& config, Faults& faults) {
  const std::string& mode = config.detect_local_mode;
  if (mode == "BridgeInterface") {
    if (config.bridge_interface.empty())
      faults.invalid("DetectLocalConfiguration.InterfaceName", "\"\"", "must not be empty");
  } else if (mode == "InterfaceNamePrefix") {
    if (config.interface_name_prefix.empty())
      faults.invalid("DetectLocalConfiguration.InterfacePrefix", "\"\"", "must not be empty");
  } else if (mode == "ClusterCIDR") {
    check_cluster_ranges(config.cluster_cidrs, faults);
  } else if (mode != "NodeCIDR") {
    faults.add("KubeProxyConfiguration.DetectLocalMode: Unsupported value: " + in_quotes(mode) +
               ": supported values: \"ClusterCIDR\", \"NodeCIDR\", \"BridgeInterface\", "
               "\"InterfaceNamePrefix\", \"\"");
  }
}

template <class T>
void check_not_negative(std::string_view field, T value, const std::string& text, Faults& faults) {
  if (value < T{0})
    faults.invalid(
        "KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration." + std::string(field), text,
        "must be greater than or equal to 0");
}

void check_conntrack(const ConntrackConfig& config, Faults& faults) {
  check_not_negative("MaxPerCore", config.max_per_core, std::to_string(config.max_per_core),
                     faults);
  check_not_negative("Min", config.min, std::to_string(config.min), faults);
  const auto check = [&](std::string_view field, nanoseconds value) {
    check_not_negative(field, value, in_quotes(value), faults);
  };
  check("TCPEstablishedTimeout", config.tcp_established_timeout);
  check("TCPCloseWaitTimeout", config.tcp_close_wait_timeout);
  check("UDPTimeout", config.udp_timeout);
  check("UDPStreamTimeout", config.udp_stream_timeout);
}

void check_numbers(const ProxyConfig& config, Faults& faults) {
  if (config.masquerade_bit < 0 || config.masquerade_bit > 31)
    faults.invalid("KubeProxyNFTablesConfiguration.MasqueradeBit",
                   std::to_string(config.masquerade_bit), "must be within the range [0, 31]");
  if (config.oom_score_adj < -1000 || config.oom_score_adj > 1000)
    faults.invalid("KubeProxyLinuxConfiguration.OOMScoreAdj", std::to_string(config.oom_score_adj),
                   "must be within the range [-1000, 1000]");
  if (config.client.burst < 0)
    faults.invalid("ClientConnection.Burst", std::to_string(config.client.burst),
                   "must be greater than or equal to 0");
}

void check_feature_gates(const ProxyConfig& config, Faults& faults) {
  if (const auto gates = policy::known_feature_gates(config.feature_gates); !gates)
    faults.add("KubeProxyConfiguration.FeatureGates: Invalid value: " + gates.error().message);
}

}  // namespace

std::vector<std::string> validate(const ProxyConfig& config) {
  Faults faults;
  check_numbers(config, faults);
  check_conntrack(config.conntrack, faults);
  check_mode(config, faults);
  check_periods(config, faults);
  check_addresses(config, faults);
  check_node_ports(config, faults);
  check_local_detection(config, faults);
  check_feature_gates(config, faults);
  return faults.take();
}

}  // namespace proxima::proxy
