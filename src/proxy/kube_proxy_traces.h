// SPDX-License-Identifier: Apache-2.0
// What kube-proxy's other modes leave on a node where nftables cannot reach it: tables of
// iptables-legacy, virtual servers of IPVS and their device. Looks and changes nothing.
#pragma once

#include <string>
#include <vector>

namespace proxima::proxy {

// One sentence each, in a fixed order. `root` is put in front of every path: "" but in tests.
std::vector<std::string> find_kube_proxy_traces(const std::string& root);

}  // namespace proxima::proxy
