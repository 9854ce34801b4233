// SPDX-License-Identifier: Apache-2.0
#include "proxy/config_document.h"

#include <boost/json.hpp>

#include "base/duration_text.h"

namespace proxima::proxy {
namespace {

namespace json = boost::json;

json::array texts(const std::vector<std::string>& all) {
  json::array out;
  for (const std::string& text : all) out.emplace_back(text);
  return out;
}

json::object conntrack(const ConntrackConfig& config) {
  return {{"maxPerCore", config.max_per_core},
          {"min", config.min},
          {"tcpEstablishedTimeout", duration_text(config.tcp_established_timeout)},
          {"tcpCloseWaitTimeout", duration_text(config.tcp_close_wait_timeout)},
          {"tcpBeLiberal", config.tcp_be_liberal},
          {"udpTimeout", duration_text(config.udp_timeout)},
          {"udpStreamTimeout", duration_text(config.udp_stream_timeout)}};
}

std::string comma_text(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& text : all) out += (out.empty() ? "" : ",") + text;
  return out;
}

}  // namespace

std::string render_config(const ProxyConfig& config) {
  json::object gates;
  for (const auto& [name, on] : config.feature_gates) gates[name] = on;
  const json::object nftables = {{"syncPeriod", duration_text(config.sync_period)},
                                 {"minSyncPeriod", duration_text(config.min_sync_period)},
                                 {"masqueradeAll", config.masquerade_all},
                                 {"masqueradeBit", config.masquerade_bit}};
  const json::object detect = {{"bridgeInterface", config.bridge_interface},
                               {"interfaceNamePrefix", config.interface_name_prefix}};
  const json::object client = {{"kubeconfig", config.client.kubeconfig},
                               {"qps", config.client.qps},
                               {"burst", config.client.burst}};
  const json::object all = {{"mode", "nftables"},
                            {"hostnameOverride", config.hostname_override},
                            {"bindAddress", config.bind_address},
                            {"healthzBindAddress", config.healthz_bind_address},
                            {"metricsBindAddress", config.metrics_bind_address},
                            {"bindAddressHardFail", config.bind_address_hard_fail},
                            {"clientConnection", client},
                            {"featureGates", gates},
                            {"configSyncPeriod", duration_text(config.config_sync_period)},
                            {"nftables", nftables},
                            {"detectLocalMode", config.detect_local_mode},
                            {"detectLocal", detect},
                            {"clusterCIDR", comma_text(config.cluster_cidrs)},
                            {"nodePortAddresses", texts(config.node_port_addresses)},
                            {"oomScoreAdj", config.oom_score_adj},
                            {"conntrack", conntrack(config.conntrack)}};
  return json::serialize(json::object{{"kubeproxy.config.k8s.io", all}}) + "\n";
}

}  // namespace proxima::proxy
