// SPDX-License-Identifier: Apache-2.0
#include "lab/lab_network.h"

#include <map>
#include <mutex>
#include <utility>

#include "lab/lab_host.h"
#include "lab/network_book.h"

namespace proxima::lab {
namespace {

using Host = std::shared_ptr<const NetworkNamespace>;

Result<Host> make_host(HostKind kind) {
  PROXIMA_TRY(NetworkNamespace made, NetworkNamespace::create(), to_text(kind));
  PROXIMA_TRY([[maybe_unused]] const Unit ready, prepare_host(made, kind), to_text(kind));
  return Host(std::make_shared<const NetworkNamespace>(std::move(made)));
}

}  // namespace

struct LabNetwork::State {
  mutable std::mutex mutex;
  NetworkBook book;
  std::map<std::string, Host> hosts;

  Result<Host> find(const std::string& name) const {
    const auto found = hosts.find(name);
    if (found == hosts.end()) return Error{ErrorCode::NotFound, "the lab has no host " + name};
    return found->second;
  }

  // The host at the far end of `cable`, whose near end is at `near`.
  Status add(const std::string& name, HostKind kind, const std::string& near, const Cable& cable) {
    PROXIMA_TRY(const Host near_host, find(near), "add " + name);
    PROXIMA_TRY(Host made, make_host(kind), "add " + name);
    PROXIMA_TRY([[maybe_unused]] const Unit laid, lay_cable(*near_host, *made, cable),
                "add " + name);
    hosts.emplace(name, std::move(made));
    return Unit{};
  }

  Status cut(const std::string& host, const std::string& device) const {
    PROXIMA_TRY(const Host at, find(host), "cut " + device);
    PROXIMA_TRY(RouteSocket socket, RouteSocket::open(*at), host);
    return socket.remove_device(device);
  }
};

LabNetwork::LabNetwork(std::unique_ptr<State> state) : state_(std::move(state)) {}
LabNetwork::LabNetwork(LabNetwork&&) noexcept = default;
LabNetwork& LabNetwork::operator=(LabNetwork&&) noexcept = default;
LabNetwork::~LabNetwork() = default;

Result<LabNetwork> LabNetwork::create() {
  auto state = std::make_unique<State>();
  PROXIMA_TRY(Host router, make_host(HostKind::Router), "make the lab's network");
  PROXIMA_TRY(RouteSocket socket, RouteSocket::open(*router), "make the lab's network");
  const HostAddresses own = router_addresses();
  for (const DeviceAddress& address : {DeviceAddress{own.v4, 32}, DeviceAddress{own.v6, 128}}) {
    PROXIMA_TRY([[maybe_unused]] const Unit added, socket.add_address("lo", address), "router");
  }
  state->hosts.emplace(NetworkBook::kRouter, std::move(router));
  return LabNetwork(std::move(state));
}

Result<HostAddresses> LabNetwork::add_node(const std::string& name) {
  const std::lock_guard guard(state_->mutex);
  PROXIMA_TRY(const Cable cable, state_->book.add_node(name), "lab");
  const std::string router(NetworkBook::kRouter);
  if (Status added = state_->add(name, HostKind::Node, router, cable); !added) {
    // The cable may be there or not; the name must be free again.
    (void)state_->cut(router, cable.near.device);
    (void)state_->book.remove_node(name);
    return added.error();
  }
  return cable.far_host;
}

Result<HostAddresses> LabNetwork::add_pod(const std::string& node, const std::string& name) {
  const std::lock_guard guard(state_->mutex);
  PROXIMA_TRY(const Cable cable, state_->book.add_pod(node, name), "lab");
  if (Status added = state_->add(name, HostKind::Pod, node, cable); !added) {
    (void)state_->cut(node, cable.near.device);
    (void)state_->book.remove_pod(name);
    return added.error();
  }
  return cable.far_host;
}

Status LabNetwork::remove_node(const std::string& name) {
  const std::lock_guard guard(state_->mutex);
  PROXIMA_TRY(const Cable cable, state_->book.node_cable(name), "remove node");
  PROXIMA_TRY(const std::vector<std::string> gone, state_->book.remove_node(name), "remove node");
  // Cables of its Pods go with its namespace; others may keep that for a while, so its own is cut.
  Status cut = state_->cut(std::string(NetworkBook::kRouter), cable.near.device);
  for (const std::string& host : gone) state_->hosts.erase(host);
  return cut;
}

Status LabNetwork::remove_pod(const std::string& name) {
  const std::lock_guard guard(state_->mutex);
  PROXIMA_TRY(const NetworkBook::PodPlace place, state_->book.remove_pod(name), "remove Pod");
  Status cut = state_->cut(place.node, place.device);
  state_->hosts.erase(name);
  return cut;
}

Status LabNetwork::set_power(const std::string& node, bool on) {
  const std::lock_guard guard(state_->mutex);
  PROXIMA_TRY(const Cable cable, state_->book.node_cable(node), "power");
  PROXIMA_TRY(const Host host, state_->find(node), "power");
  PROXIMA_TRY(RouteSocket socket, RouteSocket::open(*host), node);
  // The node's end: without it the router keeps its routes, finds nobody on the cable, and packets
  // are lost as they are before a dead machine. At the router's end it would answer for the node.
  if (!on) return socket.set_power(cable.far.device, RouteSocket::Power::Off);
  PROXIMA_TRY([[maybe_unused]] const Unit up, set_up_end(socket, cable.far), node);
  PROXIMA_TRY([[maybe_unused]] const Unit routed, route_end(socket, cable.far), node);
  PROXIMA_TRY(const Host router, state_->find(std::string(NetworkBook::kRouter)), "power");
  return wait_for_cable(*router, *host, cable);
}

std::string LabNetwork::router() { return std::string(NetworkBook::kRouter); }

Result<Host> LabNetwork::host(const std::string& name) const {
  const std::lock_guard guard(state_->mutex);
  return state_->find(name);
}

RunInside LabNetwork::inside(const std::string& name) const {
  return [found = host(name)](const std::function<Status()>& work) -> Status {
    if (!found) return found.error();
    return (*found)->run(work);
  };
}

}  // namespace proxima::lab
