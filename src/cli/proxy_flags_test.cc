// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_flags.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cli/command_line.h"
#include "cli/proxy_settings.h"
#include "support/parsed_command.h"
#include "support/temp_folder.h"
#include "support/words.h"

namespace proxima::cli {
namespace {

using testing::words;

Result<Command> parse(const std::string& flags) {
  return parse_command_line(words("proxy " + flags));
}

ProxyCommand parsed_flags(const std::string& flags) {
  return test::parsed<ProxyCommand>("proxy " + flags);
}

TEST(ProxyFlags, FillTheConfigurationThatAFileWould) {
  const auto settings = proxy_settings(
      parsed_flags("--kubeconfig k --kube-api-qps 7.5 --kube-api-burst 9 --hostname-override N1 "
                   "--proxy-mode nftables --feature-gates AllowServiceExternalIPs=false,Other=true "
                   "--cluster-cidr 10.1.0.0/16,fd00::/64 --detect-local-mode InterfaceNamePrefix "
                   "--pod-interface-name-prefix veth --masquerade-all --iptables-masquerade-bit 15 "
                   "--nodeport-addresses 10.0.0.0/8,fd00::/8 --bind-address :: "
                   "--nftables-min-sync-period 250ms --iptables-sync-period 5s "
                   "--conntrack-max-per-core 0 --conntrack-udp-timeout 30s --oom-score-adj=-5 "
                   "--bind-address-hard-fail"),
      "host");
  ASSERT_TRUE(settings) << settings.error().message;
  const proxy::ProxyConfig& config = settings->config;
  EXPECT_EQ(config.client.kubeconfig, "k");
  EXPECT_EQ(config.client.qps, 7.5);
  EXPECT_EQ(config.client.burst, 9);
  EXPECT_EQ(settings->node_name, "n1");
  EXPECT_EQ(config.feature_gates,
            (std::map<std::string, bool>{{"AllowServiceExternalIPs", false}, {"Other", true}}));
  EXPECT_EQ(config.cluster_cidrs, (std::vector<std::string>{"10.1.0.0/16", "fd00::/64"}));
  EXPECT_EQ(config.detect_local_mode, "InterfaceNamePrefix");
  EXPECT_EQ(config.interface_name_prefix, "veth");
  EXPECT_TRUE(config.masquerade_all);
  EXPECT_EQ(config.masquerade_bit, 15);
  EXPECT_EQ(config.node_port_addresses, (std::vector<std::string>{"10.0.0.0/8", "fd00::/8"}));
  EXPECT_EQ(config.min_sync_period, std::chrono::milliseconds(250));
  EXPECT_EQ(config.sync_period, std::chrono::seconds(5));
  EXPECT_EQ(config.conntrack.max_per_core, 0);
  EXPECT_EQ(config.conntrack.udp_timeout, std::chrono::seconds(30));
  EXPECT_EQ(config.oom_score_adj, -5);
  EXPECT_TRUE(config.bind_address_hard_fail);
  EXPECT_EQ(config.healthz_bind_address, "[::]:10256") << "follows the family of --bind-address";
}

TEST(ProxyFlags, DefaultsAreKubeProxys) {
  const auto settings = proxy_settings(parsed_flags(""), " Host-1 ");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->node_name, "host-1");
  EXPECT_EQ(settings->config.healthz_bind_address, "0.0.0.0:10256");
  EXPECT_EQ(settings->config.metrics_bind_address, "127.0.0.1:10249");
  EXPECT_EQ(settings->config.node_port_addresses, std::vector<std::string>{"primary"});
  EXPECT_EQ(settings->config.min_sync_period, std::chrono::seconds(1));
  EXPECT_TRUE(settings->warnings.empty());
  const ProxyCommand command = parsed_flags("");
  EXPECT_EQ(command.check_period, std::chrono::hours(1));
  EXPECT_TRUE(command.flow_accounting);
  EXPECT_FALSE(command.take_over || command.cleanup || command.init_only);
}

TEST(ProxyFlags, OfItsOwn) {
  const ProxyCommand command = parsed_flags(
      "--service-proxy-name mine --context c --check-period 10m --take-over --plan-by-itself "
      "--allow-node-external-ips "
      "--init-only=false --cleanup -v 3 --logging-format json");
  EXPECT_EQ(command.service_proxy_name, "mine");
  EXPECT_EQ(command.context, "c");
  EXPECT_EQ(command.check_period, std::chrono::minutes(10));
  EXPECT_TRUE(command.take_over);
  EXPECT_TRUE(command.plans_by_itself);
  EXPECT_TRUE(command.allows_node_external_ips);
  EXPECT_FALSE(command.init_only);
  EXPECT_TRUE(command.cleanup);
  EXPECT_EQ(command.log.verbosity, 3);
}

TEST(ProxyFlags, AConfigurationFileIsStrongerButForTheName) {
  const testing::TempFolder folder;
  const std::string path = folder.path() + "/config";
  std::ofstream(path) << "apiVersion: kubeproxy.config.k8s.io/v1alpha1\n"
                         "kind: KubeProxyConfiguration\n"
                         "mode: nftables\n"
                         "hostnameOverride: other\n"
                         "nftables: {syncPeriod: 10s}\n";
  const auto settings = proxy_settings(
      parsed_flags("--config " + path +
                   " --hostname-override n2 --nftables-sync-period 1m --kubeconfig k"),
      "host");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->node_name, "n2");
  EXPECT_EQ(settings->config.sync_period, std::chrono::seconds(10));
  EXPECT_EQ(settings->config.client.kubeconfig, "k") << "the file names none";
}

TEST(ProxyFlags, WhatIsWrongIsSaidWithTheFlag) {
  const struct {
    const char* flags;
    const char* said;
  } rows[] = {
      {"--proxy-mode iptables", "\"iptables\" is not a mode of this proxy, which is nftables"},
      {"--kube-api-burst many", "--kube-api-burst: \"many\" is not a whole number"},
      {"--nftables-sync-period 5", "--nftables-sync-period"},
      {"--feature-gates A=maybe", "\"A=maybe\" is not GATE=true or GATE=false"},
      {"--check-period 10ms", "below one second"},
      {"--conntrack-tcp-timeout-establish 1s", "--conntrack-tcp-timeout-established"},
      {"here", "unexpected argument: here"},
  };
  for (const auto& row : rows) {
    const auto command = parse(row.flags);
    ASSERT_FALSE(command.has_value()) << row.flags;
    EXPECT_NE(command.error().message.find(row.said), std::string::npos) << command.error().message;
  }
}

TEST(ProxyFlags, WhatMakesNoSenseIsSaidAllAtOnce) {
  const auto settings = proxy_settings(
      parsed_flags("--bind-address x --metrics-bind-address 127.0.0.1 --cluster-cidr 10.0.0.0"),
      "host");
  ASSERT_FALSE(settings.has_value());
  for (const char* field : {"BindAddress", "ClusterCIDRs"})
    EXPECT_NE(settings.error().message.find(field), std::string::npos) << settings.error().message;
}

TEST(ProxyFlags, AreToldByAllTheirNamesWithWhatCountsWhereNothingIsSaid) {
  const auto values = proxy_flag_values(
      parsed_flags("--kube-api-qps 7.5 --nodeport-addresses 10.0.0.0/8,fd00::/8 --masquerade-all "
                   "--feature-gates B=true,A=false --iptables-sync-period 5s --take-over -v 3"));
  const std::pair<const char*, const char*> rows[] = {
      {"kube-api-qps", "7.5"},
      {"kube-api-burst", "10"},
      {"nodeport-addresses", "[10.0.0.0/8,fd00::/8]"},
      {"masquerade-all", "true"},
      {"feature-gates", "B=true,A=false"},
      {"iptables-sync-period", "5s"},
      {"nftables-sync-period", "5s"},
      {"nftables-min-sync-period", "1s"},
      {"conntrack-tcp-timeout-established", "24h0m0s"},
      {"conntrack-max-per-core", "32768"},
      {"oom-score-adj", "-999"},
      {"metrics-bind-address", "127.0.0.1:10249"},
      {"check-period", "1h0m0s"},
      {"flow-accounting", "true"},
      {"take-over", "true"},
      {"cleanup", "false"},
      {"config", ""},
      {"v", "3"},
      {"logging-format", "text"},
  };
  for (const auto& [name, value] : rows) {
    ASSERT_TRUE(values.contains(name)) << name;
    EXPECT_EQ(values.at(name), value) << name;
  }
}

// What /flagz shows is what was written on the command line, where others can read it anyway; a
// file's content never is.
TEST(ProxyFlags, ShowNothingOfTheFilesTheyName) {
  const testing::TempFolder folder;
  const std::string path = folder.path() + "/kubeconfig";
  std::ofstream(path) << "users: [{name: u, user: {token: hush-hush}}]\n";
  for (const auto& [name, value] :
       proxy_flag_values(parsed_flags("--kubeconfig " + path + " --config " + path)))
    EXPECT_EQ(value.find("hush"), std::string::npos) << name;
}

}  // namespace
}  // namespace proxima::cli
