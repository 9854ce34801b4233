// SPDX-License-Identifier: Apache-2.0
// Where the rules of a kernel take connections to Services: what a proxy says it routes, and what
// must not vanish.
#pragma once

#include <string>

#include "proxy/flow_owner.h"
#include "simulation/model_kernel.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

// The cluster addresses of a Service that one can connect to.
std::vector<IpAddress> cluster_addresses(const json::object& service);
// The first packet of a connection from a Pod to the first port of a Service. `client`: 0 to 99.
dataplane::NftPacket packet_to(const json::object& service, const IpAddress& address,
                               std::uint64_t client, const std::vector<IpAddress>& local);

// "" when the rules of the kernel deliver as the routes say; those that a stranger has removed are
// left out.
std::string check_in_step(const proxy::FlowView& view, const ModelKernel& kernel);

bool is_udp(const json::object& service);

// What may become of a connection of a client who is new, from a Pod.
Result<std::vector<dataplane::NftOutcome>> connection_to(const ModelKernel& kernel,
                                                         const IpAddress& address,
                                                         std::uint8_t protocol, std::uint16_t port);
// Everybody that such a client may get.
std::vector<proxy::BackendAddress> backends_of(const ModelKernel& kernel, const IpAddress& address,
                                               std::uint8_t protocol, std::uint16_t port);

// Whether a connection to the address is delivered, whoever gets it.
bool is_delivered(const ModelKernel& kernel, const json::object& service, const IpAddress& address);

}  // namespace proxima::simulation
