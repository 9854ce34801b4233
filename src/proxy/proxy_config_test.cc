// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_config.h"

#include <functional>

#include <gtest/gtest.h>

namespace proxima::proxy {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHead =
    "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";

Result<ParsedConfig> parsed(std::string_view body) {
  return parse_proxy_config(std::string(kHead) + std::string(body));
}

TEST(ProxyConfig, HasTheDefaultsOfKubeProxy) {
  const ProxyConfig config = parsed("")->config;
  EXPECT_EQ(config.bind_address, "0.0.0.0");
  EXPECT_EQ(config.healthz_bind_address, "0.0.0.0:10256");
  EXPECT_EQ(config.metrics_bind_address, "127.0.0.1:10249");
  EXPECT_EQ(config.sync_period, 30s);
  EXPECT_EQ(config.min_sync_period, 1s);
  EXPECT_EQ(config.config_sync_period, 15min);
  EXPECT_EQ(config.masquerade_bit, 14);
  EXPECT_EQ(config.oom_score_adj, -999);
  EXPECT_EQ(config.detect_local_mode, "ClusterCIDR");
  EXPECT_TRUE(config.node_port_addresses.empty()) << "in the mode that is iptables'";
  EXPECT_EQ(config.conntrack.max_per_core, 32'768);
  EXPECT_EQ(config.conntrack.tcp_established_timeout, 24h);
  EXPECT_EQ(config.client.qps, 5);
  EXPECT_TRUE(validate(config).empty());
  EXPECT_EQ(default_proxy_config().healthz_bind_address, config.healthz_bind_address);
  EXPECT_EQ(default_proxy_config().node_port_addresses, std::vector<std::string>{"primary"});
}

TEST(ProxyConfig, IsReadFieldByField) {
  const struct {
    const char* name;
    const char* body;
    std::function<bool(const ProxyConfig&)> holds;
  } cases[] = {
      {"the node's name", "hostnameOverride: n1",
       [](const ProxyConfig& c) { return c.hostname_override == "n1"; }},
      {"an IPv6 bind address moves the others", "bindAddress: '::'",
       [](const ProxyConfig& c) {
         return c.healthz_bind_address == "[::]:10256" && c.metrics_bind_address == "[::1]:10249";
       }},
      {"a missing port is added", "healthzBindAddress: 192.0.2.1\nmetricsBindAddress: 'fd00::1'",
       [](const ProxyConfig& c) {
         return c.healthz_bind_address == "192.0.2.1:10256" &&
                c.metrics_bind_address == "[fd00::1]:10249";
       }},
      {"a port that is there stays", "metricsBindAddress: 0.0.0.0:9000",
       [](const ProxyConfig& c) { return c.metrics_bind_address == "0.0.0.0:9000"; }},
      {"the section of nftables",
       "mode: nftables\nnftables: {syncPeriod: 1m0s, minSyncPeriod: 5s, masqueradeAll: true, "
       "masqueradeBit: 3}\niptables: {syncPeriod: 7s}",
       [](const ProxyConfig& c) {
         return c.sync_period == 1min && c.min_sync_period == 5s && c.masquerade_all &&
                c.masquerade_bit == 3;
       }},
      {"another mode's section goes with its mode",
       "mode: iptables\niptables: {syncPeriod: 7s, masqueradeAll: true}\nnftables: {syncPeriod: "
       "9s}",
       [](const ProxyConfig& c) { return c.sync_period == 7s && c.masquerade_all; }},
      {"a file without a mode is one for iptables",
       "mode: ''\niptables: {syncPeriod: 7s, masqueradeAll: true}\nnftables: {syncPeriod: 9s}",
       [](const ProxyConfig& c) {
         return c.sync_period == 7s && c.masquerade_all && c.node_port_addresses.empty();
       }},
      {"zero is as good as nothing",
       "mode: nftables\nnftables: {syncPeriod: 0s, minSyncPeriod: '0'}",
       [](const ProxyConfig& c) { return c.sync_period == 30s && c.min_sync_period == 1s; }},
      {"nftables answers node ports at primary addresses", "mode: nftables",
       [](const ProxyConfig& c) {
         return c.node_port_addresses == std::vector<std::string>{"primary"};
       }},
      {"another mode answers node ports everywhere", "mode: iptables",
       [](const ProxyConfig& c) { return c.node_port_addresses.empty(); }},
      {"addresses of node ports", "nodePortAddresses: [192.168.0.0/16, 'fd00::/8']",
       [](const ProxyConfig& c) { return c.node_port_addresses.size() == 2; }},
      {"both families of Pods", "clusterCIDR: 10.0.0.0/8,fd00::/16",
       [](const ProxyConfig& c) { return c.cluster_cidrs.size() == 2; }},
      {"detection by interface",
       "detectLocalMode: InterfaceNamePrefix\ndetectLocal: {interfaceNamePrefix: veth}",
       [](const ProxyConfig& c) { return c.interface_name_prefix == "veth"; }},
      {"conntrack",
       "conntrack: {maxPerCore: 0, min: 5, tcpBeLiberal: true, udpTimeout: 10s, "
       "tcpEstablishedTimeout: 0s}",
       [](const ProxyConfig& c) {
         return c.conntrack.max_per_core == 0 && c.conntrack.min == 5 &&
                c.conntrack.tcp_be_liberal && c.conntrack.udp_timeout == 10s &&
                c.conntrack.tcp_established_timeout == 0s;
       }},
      {"the client", "clientConnection: {kubeconfig: /etc/k, qps: 50, burst: 100}",
       [](const ProxyConfig& c) {
         return c.client.kubeconfig == "/etc/k" && c.client.qps == 50 && c.client.burst == 100;
       }},
      {"feature gates", "featureGates: {AllowServiceExternalIPs: false}",
       [](const ProxyConfig& c) { return !c.feature_gates.at("AllowServiceExternalIPs"); }},
  };
  for (const auto& c : cases) {
    const auto config = parsed(c.body);
    ASSERT_TRUE(config.has_value()) << c.name << ": " << config.error().message;
    EXPECT_TRUE(c.holds(config->config)) << c.name;
    EXPECT_TRUE(validate(config->config).empty()) << c.name << ": " << validate(config->config)[0];
  }
}

TEST(ProxyConfig, IsReadFromJsonToo) {
  const auto config = parse_proxy_config(
      R"({"apiVersion":"kubeproxy.config.k8s.io/v1alpha1","kind":"KubeProxyConfiguration","oomScoreAdj":5})");
  EXPECT_EQ(config->config.oom_score_adj, 5);
}

TEST(ProxyConfig, WarnsOfWhatItDoesNotKnow) {
  const auto warnings = [](std::string_view body) {
    std::string text;
    const auto config = parsed(body);
    for (const std::string& one : config->warnings) text += one + "\n";
    return text;
  };
  EXPECT_EQ(warnings("mode: nftables\nportRange: ''\nwinkernel: {anything: 1}\n"
                     "logging: {format: text}\nfeatureGates: {ComponentFlagz: false}"),
            "");
  EXPECT_EQ(warnings("mode: ''"),
            "no mode, which means iptables: its settings are used, and rules are nftables'\n");
  EXPECT_EQ(warnings("mode: nftables\nfeatureGates: {AllowServiceExternlIPs: false}\n"
                     "enableProfiling: true"),
            "feature gate \"AllowServiceExternlIPs\" changes nothing here\n"
            "enableProfiling: there are no profiles\n");
  EXPECT_EQ(warnings("mode: nftables\nsyncPeriod: 3s\nnftables: {scheduler: rr}"),
            "unknown field \"syncPeriod\"\nunknown field \"nftables.scheduler\"\n");
  EXPECT_EQ(warnings("mode: ipvs"),
            "mode \"ipvs\" is not this proxy's: its settings are used, and rules are nftables'\n");
}

TEST(ProxyConfig, IsRefusedWhenItCannotBeRead) {
  const struct {
    const char* name;
    std::string text;
    const char* message;
  } cases[] = {
      // clang-format off
      {"nothing", "", "the configuration is empty"},
      {"no mapping", "- a\n", "not an object"},
      {"another kind", "apiVersion: v1\nkind: Service\n", "no kind \"Service\" is registered for version \"v1\""},
      {"a wrong type", std::string(kHead) + "hostnameOverride: [a]\n", "hostnameOverride: not a string"},
      {"a wrong type further down", std::string(kHead) + "conntrack: {min: much}\n", "conntrack.min"},
      {"no duration", std::string(kHead) + "configSyncPeriod: 15\n", "configSyncPeriod: not a"},
      {"a bad duration", std::string(kHead) + "configSyncPeriod: 15x\n", "configSyncPeriod: not a duration: \"15x\""},
      {"bad YAML", "a: [\n", "read the proxy's configuration"},
      // clang-format on
  };
  for (const auto& c : cases) {
    const auto config = parse_proxy_config(c.text);
    ASSERT_FALSE(config.has_value()) << c.name;
    EXPECT_NE(config.error().message.find(c.message), std::string::npos)
        << c.name << ": " << config.error().message;
  }
}

TEST(ProxyConfig, IsToldItsFaultsInTheWordsOfKubeProxy) {
  const struct {
    const char* name;
    const char* body;
    const char* fault;
  } cases[] = {
      // clang-format off
      {"a mode that nobody has", "mode: magic", "Mode.ProxyMode: Invalid value: \"magic\": must be iptables, ipvs, nftables or blank (blank means iptables)"},
      {"a bit that is none", "mode: nftables\nnftables: {masqueradeBit: 32}", "KubeProxyNFTablesConfiguration.MasqueradeBit: Invalid value: 32: must be within the range [0, 31]"},
      {"a score out of range", "oomScoreAdj: 1001", "KubeProxyLinuxConfiguration.OOMScoreAdj: Invalid value: 1001: must be within the range [-1000, 1000]"},
      {"a negative period", "configSyncPeriod: -1s", "ConfigSyncPeriod: Invalid value: \"-1s\": must be greater than 0"},
      {"a negative sync period", "mode: nftables\nnftables: {syncPeriod: -5s, minSyncPeriod: -6s}", "SyncPeriod: Invalid value: \"-5s\": must be greater than 0"},
      {"a negative least period", "mode: nftables\nnftables: {minSyncPeriod: -1s}", "MinSyncPeriod: Invalid value: \"-1s\": must be greater than or equal to 0"},
      {"a least period that is longer", "mode: nftables\nnftables: {syncPeriod: 1s, minSyncPeriod: 2s}", "SyncPeriod: Invalid value: \"2s\": must be greater than or equal to KubeProxyConfiguration.MinSyncPeriod"},
      {"no address", "bindAddress: here", "BindAddress: Invalid value: \"here\": not a valid textual representation of an IP address"},
      {"no port", "healthzBindAddress: nowhere", "HealthzBindAddress: Invalid value: \"nowhere\": must be IP:port"},
      {"no address before the port", "metricsBindAddress: 'name:1'", "MetricsBindAddress: Invalid value: \"name\": must be a valid IP"},
      {"an impossible port", "metricsBindAddress: '1.2.3.4:70000'", "MetricsBindAddress: Invalid value: \"70000\": must be a valid port"},
      {"a range that is none", "nodePortAddresses: [10.0.0.0]", "NodePortAddresses[0]: Invalid value: \"10.0.0.0\": must be a valid CIDR"},
      {"a word beside ranges", "nodePortAddresses: [10.0.0.0/8, primary]", "NodePortAddresses[1]: Invalid value: \"primary\": can't use both 'primary' and CIDRs"},
      {"an unknown way to detect", "detectLocalMode: Guess", "DetectLocalMode: Unsupported value: \"Guess\": supported values: \"ClusterCIDR\", \"NodeCIDR\", \"BridgeInterface\", \"InterfaceNamePrefix\", \"\""},
      {"no bridge", "detectLocalMode: BridgeInterface", "DetectLocalConfiguration.InterfaceName: Invalid value: \"\": must not be empty"},
      {"no prefix", "detectLocalMode: InterfaceNamePrefix", "DetectLocalConfiguration.InterfacePrefix: Invalid value: \"\": must not be empty"},
      {"Pods nowhere", "clusterCIDR: 10.0.0.0", "DetectLocalConfiguration.ClusterCIDRs[0]: Invalid value: \"10.0.0.0\": must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)"},
      {"two ranges of one family", "clusterCIDR: '10.0.0.0/8,11.0.0.0/8'", "DetectLocalConfiguration.ClusterCIDRs: Invalid value: [\"10.0.0.0/8\",\"11.0.0.0/8\"]: must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]"},
      {"negative conntrack", "conntrack: {maxPerCore: -1}", "KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration.MaxPerCore: Invalid value: -1: must be greater than or equal to 0"},
      {"a negative time-out", "conntrack: {udpTimeout: -1s}", "KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration.UDPTimeout: Invalid value: \"-1s\": must be greater than or equal to 0"},
      {"a negative burst", "clientConnection: {burst: -1}", "ClientConnection.Burst: Invalid value: -1: must be greater than or equal to 0"},
      // clang-format on
  };
  for (const auto& c : cases) {
    const auto config = parsed(c.body);
    ASSERT_TRUE(config.has_value()) << c.name << ": " << config.error().message;
    const auto faults = validate(config->config);
    ASSERT_FALSE(faults.empty()) << c.name;
    EXPECT_EQ(faults.front(), "KubeProxyConfiguration." + std::string(c.fault)) << c.name;
  }
}

TEST(ProxyConfig, SaysHowPodsAreRecognised) {
  const auto detector = [](std::string_view body, IpFamily family) -> std::string {
    const auto found = local_detector(parsed(body)->config, family, {"10.9.0.0/24", "fd09::/64"});
    if (!found) return "none";
    return found->by == LocalDetector::By::SourceRange ? found->range.text() : found->interface;
  };
  EXPECT_EQ(detector("", IpFamily::V4), "none");
  EXPECT_EQ(detector("clusterCIDR: 10.0.0.0/8", IpFamily::V4), "10.0.0.0/8");
  EXPECT_EQ(detector("clusterCIDR: 10.0.0.0/8", IpFamily::V6), "none");
  EXPECT_EQ(detector("detectLocalMode: NodeCIDR", IpFamily::V6), "fd09::/64");
  EXPECT_EQ(detector("detectLocalMode: BridgeInterface\ndetectLocal: {bridgeInterface: br0}",
                     IpFamily::V4),
            "br0");
  EXPECT_EQ(
      detector("detectLocalMode: InterfaceNamePrefix\ndetectLocal: {interfaceNamePrefix: veth}",
               IpFamily::V6),
      "veth");
}

TEST(ProxyConfig, BoundsTheTrackedConnections) {
  const struct {
    const char* name;
    std::int64_t per_core, min, cores, max;
  } cases[] = {
      {"by cores", 32'768, 1'000, 4, 131'072},
      {"at least the least", 32'768, 200'000, 4, 200'000},
      {"at most a million", 32'768, 131'072, 64, 1'048'576},
      {"the million comes before the least", 400'000, 2'000'000, 4, 1'048'576},
      {"left alone", 0, 131'072, 4, 0},
  };
  for (const auto& c : cases)
    EXPECT_EQ(conntrack_max({.max_per_core = c.per_core, .min = c.min}, c.cores), c.max) << c.name;
}

TEST(ProxyConfig, KnowsTheNodeByAName) {
  EXPECT_EQ(*node_name(" N1.Example ", "host"), "n1.example");
  EXPECT_EQ(*node_name("", "Host"), "host");
  EXPECT_FALSE(node_name("", "  ").has_value());
}

}  // namespace
}  // namespace proxima::proxy
