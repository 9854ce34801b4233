// SPDX-License-Identifier: Apache-2.0
// The configuration file of kube-proxy (kubeproxy.config.k8s.io/v1alpha1, KubeProxyConfiguration)
// as far as it applies here, with kube-proxy's own defaults. What only other modes or systems use
// is known by name and has no effect.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/local_detector.h"

namespace proxima::proxy {

struct ConntrackConfig {
  std::int64_t max_per_core = 32'768;  // 0: leave the kernel's limit
  std::int64_t min = 131'072;
  std::chrono::nanoseconds tcp_established_timeout = std::chrono::hours(24);  // 0: leave, all four
  std::chrono::nanoseconds tcp_close_wait_timeout = std::chrono::hours(1);
  bool tcp_be_liberal = false;
  std::chrono::nanoseconds udp_timeout{0};
  std::chrono::nanoseconds udp_stream_timeout{0};
};
// What nf_conntrack_max should be; 0 leaves it alone.
std::int64_t conntrack_max(const ConntrackConfig& config, std::int64_t cores);

struct ClientConfig {
  std::string kubeconfig;  // "": in-cluster
  double qps = 5;
  std::int64_t burst = 10;
};

struct ProxyConfig {
  std::string mode;  // as written; rules are nftables' whatever it says
  std::string hostname_override;
  std::string bind_address = "0.0.0.0";
  std::string healthz_bind_address;  // with a port
  std::string metrics_bind_address;
  bool bind_address_hard_fail = false;
  bool enable_profiling = false;
  ClientConfig client;
  std::map<std::string, bool> feature_gates;
  std::chrono::nanoseconds config_sync_period = std::chrono::minutes(15);
  // Of the section that belongs to the mode.
  std::chrono::nanoseconds sync_period = std::chrono::seconds(30);
  std::chrono::nanoseconds min_sync_period = std::chrono::seconds(1);
  bool masquerade_all = false;
  std::int64_t masquerade_bit = 14;
  std::string detect_local_mode = "ClusterCIDR";
  std::string bridge_interface;
  std::string interface_name_prefix;
  std::vector<std::string> cluster_cidrs;
  std::vector<std::string> node_port_addresses;
  std::int64_t oom_score_adj = -999;
  ConntrackConfig conntrack;
};

// With what an empty file gives.
ProxyConfig default_proxy_config();

struct ParsedConfig {
  ProxyConfig config;
  std::vector<std::string> warnings;  // fields that nobody knows, and modes that are not this one's
};
// YAML or JSON. Fails on what cannot be read; what makes no sense is left to validate().
Result<ParsedConfig> parse_proxy_config(std::string_view text);

// One sentence a fault, in kube-proxy's words; none: the configuration is good.
std::vector<std::string> validate(const ProxyConfig& config);

// How Pods of the family are recognised. `node_pod_ranges`: of the own Node, for mode NodeCIDR.
std::optional<LocalDetector> local_detector(const ProxyConfig& config, IpFamily family,
                                            const std::vector<std::string>& node_pod_ranges);

// The name of the own Node: trimmed and in small letters.
Result<std::string> node_name(std::string_view hostname_override, std::string_view system_hostname);

}  // namespace proxima::proxy
