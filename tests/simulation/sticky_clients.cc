// SPDX-License-Identifier: Apache-2.0
#include "simulation/sticky_clients.h"

#include <algorithm>

#include "simulation/delivery.h"
#include "simulation/node.h"

namespace proxima::simulation {

std::string StickyClients::connected(const ModelKernel& kernel, const json::object& service,
                                     const dataplane::NftPacket& packet,
                                     const proxy::BackendAddress& backend) {
  if (text_at(service.at("spec").as_object(), "sessionAffinity") != "ClientIP") return "";
  const Client client{kernel.node(), metadata_text(service, "uid"), packet.destination,
                      packet.source};
  const auto [bond, is_new] = bonds_.emplace(client, Bond{backend, packet.protocol, packet.port});
  if (is_new || bond->second.backend == backend) return "";
  const std::string before = std::exchange(bond->second.backend, backend).address.text();
  return kernel.node() + ": client " + packet.source.text() + " of Service " + key_of(service) +
         " was moved from " + before + " to " + backend.address.text() +
         ", though the first is still used";
}

void StickyClients::changed(const ModelKernel& kernel, IpFamily family) {
  std::map<IpAddress, std::vector<proxy::BackendAddress>> used;
  std::erase_if(bonds_, [&](const auto& entry) {
    const auto& [client, bond] = entry;
    if (client.node != kernel.node() || client.service.family() != family) return false;
    const auto [found, is_new] = used.try_emplace(client.service);
    if (is_new) found->second = backends_of(kernel, client.service, bond.protocol, bond.port);
    return std::find(found->second.begin(), found->second.end(), bond.backend) ==
           found->second.end();
  });
}

}  // namespace proxima::simulation
