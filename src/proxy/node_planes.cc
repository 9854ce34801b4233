// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_planes.h"

#include <algorithm>
#include <filesystem>

#include "proxy/iptables_leftovers.h"

namespace proxima::proxy {
namespace {

// Reading needs the same right as writing, and changes nothing.
Status check_rights(dataplane::NftSocket& socket) {
  auto generation = socket.generation();
  if (generation) return Unit{};
  Error error = std::move(generation).error();
  if (error.code == ErrorCode::Denied)
    error.message =
        "nftables may not be changed here; CAP_NET_ADMIN is needed in the network "
        "namespace of the node: " +
        error.message;
  return error;
}

}  // namespace

std::string table_name(std::string_view proxy_name) {
  return proxy_name.empty() ? "proxima" : "proxima-" + std::string(proxy_name);
}

std::vector<IpFamily> kernel_families() {
  std::error_code ignored;
  if (std::filesystem::exists("/proc/net/if_inet6", ignored)) return {IpFamily::V4, IpFamily::V6};
  return {IpFamily::V4};
}

NodePlanes::NodePlanes(dataplane::NftSocket writing, dataplane::NftSocket looking,
                       NodePlanesOptions options)
    : looking_(std::move(looking)),
      socket_(std::move(writing)),
      kernel_(socket_, std::move(options.on_sent)),
      families_(kernel_families()) {
  NftOptions nft;
  nft.table = table_name(options.proxy_name);
  nft.masquerade_mark = 1U << static_cast<unsigned>(options.masquerade_bit);
  for (const IpFamily family : families_)
    planes_.push_back(std::make_unique<NftDataPlane>(family, nft, kernel_));
}

Result<std::unique_ptr<NodePlanes>> NodePlanes::open(NodePlanesOptions options) {
  PROXIMA_TRY(dataplane::NftSocket writing, dataplane::NftSocket::open(), "nftables");
  PROXIMA_TRY(dataplane::NftSocket looking, dataplane::NftSocket::open(), "nftables");
  Status allowed = check_rights(looking);
  if (!allowed) return std::move(allowed).error();
  return std::unique_ptr<NodePlanes>(
      new NodePlanes(std::move(writing), std::move(looking), std::move(options)));
}

std::vector<FamilyPlane> NodePlanes::planes() {
  std::vector<FamilyPlane> all;
  for (std::size_t i = 0; i < families_.size(); ++i) all.push_back({families_[i], *planes_[i]});
  return all;
}

Status NodePlanes::remove() {
  for (const auto& plane : planes_) {
    Status removed = plane->remove();
    if (!removed) return removed;
  }
  return Unit{};
}

Result<std::vector<IpFamily>> NodePlanes::find_kube_proxy() {
  std::vector<IpFamily> found;
  for (const IpFamily family : families_) {
    auto tables = looking_.tables(family);
    if (!tables) return std::move(tables).error();
    if (std::find(tables->begin(), tables->end(), kKubeProxyTable) != tables->end())
      found.push_back(family);
  }
  return found;
}

Status NodePlanes::remove_kube_proxy(IpFamily family) {
  return looking_.send({.family = family,
                        .table = std::string(kKubeProxyTable),
                        .operations = {dataplane::NftDeleteTable{}}});
}

Result<std::vector<dataplane::NftTransaction>> NodePlanes::find_iptables_rules() {
  std::vector<dataplane::NftTransaction> found;
  for (const IpFamily family : families_) {
    for (const std::string_view table : kIptablesTables) {
      PROXIMA_TRY(const auto chains, looking_.jumps(family, table), "table " + std::string(table));
      auto removal = plan_iptables_removal(family, table, chains);
      if (!removal.empty()) found.push_back(std::move(removal));
    }
  }
  return found;
}

// Others may change rules between the look and the removal, and then it is looked at anew.
Status NodePlanes::remove_iptables_rules() {
  constexpr std::size_t kRemovalTriesMax = 5;
  Status removed = Unit{};
  for (std::size_t tries = 0; tries < kRemovalTriesMax * 2 * kIptablesTables.size(); ++tries) {
    PROXIMA_TRY(const std::uint32_t generation, looking_.generation(), "iptables");
    auto found = find_iptables_rules();
    if (!found) return std::move(found).error();
    if (found->empty()) return Unit{};
    removed = looking_.send(found->front(), generation);
    if (!removed && removed.error().code != ErrorCode::Retry) return removed;
  }
  return removed;
}

}  // namespace proxima::proxy
