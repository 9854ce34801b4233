// SPDX-License-Identifier: Apache-2.0
// A cluster's network made of network namespaces that hosts join and leave while it lives: a
// router, nodes with a cable to it, Pods with a cable to their node, both families. Nothing of it
// is in the host's own namespace or in the file system; it goes away with this object or with the
// process, however that ends. Safe to use from several threads.
#pragma once

#include <memory>
#include <string>

#include "base/run_inside.h"
#include "lab/cable_plan.h"

namespace proxima::lab {

class LabNetwork {
 public:
  // Needs the rights to make network namespaces (lab/user_namespace.h).
  static Result<LabNetwork> create();

  LabNetwork(LabNetwork&&) noexcept;
  LabNetwork& operator=(LabNetwork&&) noexcept;
  ~LabNetwork();

  // The name of the host that is there from the beginning; router_addresses() are its own.
  static std::string router();
  // `name` is the caller's key, of nodes and Pods together ("node-1", "shop/web-1"). InvalidInput:
  // taken, or too many. Addresses are not given again soon.
  Result<HostAddresses> add_node(const std::string& name);
  Result<HostAddresses> add_pod(const std::string& node, const std::string& name);
  // Cables are gone at once. NotFound: no such host.
  Status remove_node(const std::string& name);  // with its Pods
  Status remove_pod(const std::string& name);

  // Off: what is sent to the node and its Pods is lost without an answer, as with a machine that
  // has no power, and nothing comes from there. What runs inside is the caller's to end.
  Status set_power(const std::string& node, bool on);

  // The namespace of a node, a Pod or the router, for child processes and relays. Whoever keeps it
  // keeps what is inside from being freed, but not its cable.
  Result<std::shared_ptr<const NetworkNamespace>> host(const std::string& name) const;
  // The same as a way to run work there; for a host that is not there the work is refused.
  RunInside inside(const std::string& name) const;

 private:
  struct State;
  explicit LabNetwork(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace proxima::lab
