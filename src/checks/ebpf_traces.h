// SPDX-License-Identifier: Apache-2.0
// What CNI plugins leave on a node whose eBPF programs may take the traffic of Services before
// nftables sees it. Looks and changes nothing.
#pragma once

#include <string>
#include <vector>

namespace proxima::checks {

// "Cilium: the device cilium_host", at most one for each place, in a fixed order. `root` is put in
// front of every path: "" but in tests.
std::vector<std::string> find_ebpf_traces(const std::string& root);

}  // namespace proxima::checks
