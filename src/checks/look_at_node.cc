// SPDX-License-Identifier: Apache-2.0
#include "checks/look_at_node.h"

#include <sys/timex.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "checks/ebpf_traces.h"
#include "dataplane/nft_socket.h"
#include "proxy/iptables_leftovers.h"
#include "proxy/kernel_settings.h"
#include "proxy/kube_proxy_traces.h"
#include "proxy/node_planes.h"

namespace proxima::checks {
namespace {

constexpr unsigned kNetAdminBit = 12;  // CAP_NET_ADMIN of linux/capability.h

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::optional<ConntrackUse> conntrack_use(const std::string& root) {
  const std::string folder = root + "/proc/sys/net/netfilter/";
  const auto tracked = number_in(folder + "nf_conntrack_count");
  const auto most = number_in(folder + "nf_conntrack_max");
  if (!tracked || !most) return std::nullopt;
  return ConntrackUse{*tracked, *most};
}

std::vector<std::string> refused_settings(const std::string& root) {
  return proxy::refused_kernel_settings(
      proxy::kernel_settings(proxy::default_proxy_config(), proxy::machine_cores(root),
                             proxy::ByteCounts::Asked),
      root);
}

// Whether a lower score is allowed can only be tried. Raising it again always is.
std::string refused_oom_score(const std::string& root) {
  proxy::KernelSetting setting = proxy::process_setting(proxy::default_proxy_config());
  const auto before = number_in(root + setting.path);
  const proxy::SettingsWritten written = proxy::write_kernel_settings({&setting, 1}, root);
  if (!written.refused.empty()) return written.refused.front();
  if (before) {
    setting.value = *before;
    (void)proxy::write_kernel_settings({&setting, 1}, root);
  }
  return {};
}

CgroupHierarchy cgroup_hierarchy(const std::string& root) {
  std::error_code error;
  const std::filesystem::path folder = root + "/sys/fs/cgroup";
  if (std::filesystem::exists(folder / "cgroup.controllers", error)) return CgroupHierarchy::Two;
  const bool is_empty = std::filesystem::is_empty(folder, error);
  return is_empty || error ? CgroupHierarchy::Unknown : CgroupHierarchy::One;
}

ClockState clock_state() {
  timex state{};
  const int answer = adjtimex(&state);
  if (answer < 0) return ClockState::Unknown;
  return answer == TIME_ERROR ? ClockState::Unsynchronized : ClockState::Synchronized;
}

// Whose rules for Services are in nftables.
struct SeenTables {
  std::vector<std::string> of_kube_proxy;
  std::vector<std::string> of_proxima;
};

bool has_kube_proxy_chain(std::string_view table,
                          const std::vector<dataplane::NftChainJumps>& chains) {
  return std::ranges::any_of(chains, [&](const dataplane::NftChainJumps& chain) {
    return proxy::is_kube_proxy_chain(table, chain.chain);
  });
}

Result<SeenTables> see_tables(dataplane::NftSocket& socket, IpFamily family) {
  SeenTables seen;
  const std::string prefix = family == IpFamily::V4 ? "table ip " : "table ip6 ";
  PROXIMA_TRY(const std::vector<std::string> tables, socket.tables(family), "tables");
  for (const std::string& table : tables) {
    if (table == proxy::table_name({})) seen.of_proxima.push_back(prefix + table);
    if (table == proxy::kKubeProxyTable) seen.of_kube_proxy.push_back(prefix + table);
  }
  // iptables-nft keeps its chains in tables that others use, too.
  for (const std::string_view table : proxy::kIptablesTables) {
    PROXIMA_TRY(const auto chains, socket.jumps(family, table), "chains");
    if (has_kube_proxy_chain(table, chains))
      seen.of_kube_proxy.push_back(prefix + std::string(table));
  }
  return seen;
}

Result<SeenTables> see_all_tables() {
  PROXIMA_TRY(dataplane::NftSocket socket, dataplane::NftSocket::open(), "nftables");
  // Reading it needs the same right as writing rules.
  const auto generation = socket.generation();
  if (!generation) return generation.error();
  SeenTables all;
  for (const IpFamily family : proxy::kernel_families()) {
    PROXIMA_TRY(const SeenTables seen, see_tables(socket, family), "nftables");
    all.of_kube_proxy.insert(all.of_kube_proxy.end(), seen.of_kube_proxy.begin(),
                             seen.of_kube_proxy.end());
    all.of_proxima.insert(all.of_proxima.end(), seen.of_proxima.begin(), seen.of_proxima.end());
  }
  return all;
}

}  // namespace

bool has_net_admin(const std::string& root) {
  constexpr std::string_view kLabel = "CapEff:";
  std::ifstream file(root + "/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kLabel)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", kLabel.size());
    if (begin == std::string::npos) return false;
    std::uint64_t bits = 0;
    std::from_chars(line.data() + begin, line.data() + line.size(), bits, 16);
    return ((bits >> kNetAdminBit) & 1U) != 0;
  }
  return false;
}

NodeFacts look_at_node(const std::string& root) {
  NodeFacts facts;
  facts.kernel_release = first_line(root + "/proc/sys/kernel/osrelease");
  facts.has_net_admin = has_net_admin(root);
  if (auto seen = see_all_tables()) {
    facts.kube_proxy_rules = std::move(seen->of_kube_proxy);
    facts.proxima_tables = std::move(seen->of_proxima);
  } else {
    facts.nftables = std::move(seen).error();
  }
  facts.conntrack = conntrack_use(root);
  facts.refused_settings = refused_settings(root);
  facts.refused_oom_score = refused_oom_score(root);
  facts.cgroup = cgroup_hierarchy(root);
  facts.clock = clock_state();
  facts.kube_proxy_traces = proxy::find_kube_proxy_traces(root);
  facts.ebpf_traces = find_ebpf_traces(root);
  return facts;
}

}  // namespace proxima::checks
