// SPDX-License-Identifier: Apache-2.0
// The data planes of the network namespace that a process runs in: one a family that its kernel
// has, in tables of their own. For one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/counting_kernel.h"
#include "proxy/nft_data_plane.h"
#include "proxy/route_sync.h"

namespace proxima::proxy {

// "proxima", and "proxima-NAME" for a proxy with a name, so that several stand side by side.
std::string table_name(std::string_view proxy_name);

// kube-proxy's, in nftables mode.
inline constexpr std::string_view kKubeProxyTable = "kube-proxy";

// Those that the kernel has: IPv6 can be switched off or missing.
std::vector<IpFamily> kernel_families();

struct NodePlanesOptions {
  std::string proxy_name;
  std::int64_t masquerade_bit = 14;
  CountingKernel::OnSent on_sent;
};

class NodePlanes {
 public:
  // An error: there is no nftables, or no right to use it, and then it names CAP_NET_ADMIN.
  static Result<std::unique_ptr<NodePlanes>> open(NodePlanesOptions options);

  std::vector<FamilyPlane> planes();
  // Removes all of ours, and nothing else.
  Status remove();

  // The families in which kube-proxy has nftables rules in this network namespace.
  Result<std::vector<IpFamily>> find_kube_proxy();
  Status remove_kube_proxy(IpFamily family);
  // The same for the rules of its other modes in tables of iptables-nft: what would remove them,
  // one a table.
  Result<std::vector<dataplane::NftTransaction>> find_iptables_rules();
  Status remove_iptables_rules();

 private:
  NodePlanes(dataplane::NftSocket writing, dataplane::NftSocket looking, NodePlanesOptions options);

  dataplane::NftSocket looking_;
  NftSocketKernel socket_;
  CountingKernel kernel_;
  std::vector<IpFamily> families_;
  std::vector<std::unique_ptr<NftDataPlane>> planes_;  // as families_
};

}  // namespace proxima::proxy
