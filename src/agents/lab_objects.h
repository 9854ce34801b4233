// SPDX-License-Identifier: Apache-2.0
// The Kubernetes objects of a lab, and what its agents write into them, as JSON text. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "agents/lab_ports.h"
#include "agents/lab_shape.h"
#include "base/result.h"
#include "base/timestamp.h"
#include "kube/record.h"

namespace proxima::agents {

// Clients have a namespace of their own, so that no Service selects them.
inline constexpr std::string_view kClientNamespace = "lab-clients";
// Where Pods of the lab listen, and Pods of users that no Service says more of.
inline constexpr std::uint16_t kBackendPort = 8080;
// Says that the objects of a lab were made.
inline constexpr std::string_view kMarkerNamespace = "kube-system";
inline constexpr std::string_view kMarkerName = "proxima-lab";

// Its Services are planned for the traffic that the nodes say they start, see render_traffic().
std::string render_namespace(std::string_view name);
std::string render_marker();
std::string render_node(std::string_view name, std::string_view zone);
std::string render_service(const ServiceShape& service);
// A Pod of a Service, for a zone: it gets its node later.
struct NewPod {
  std::string ns;
  std::string name;
  std::string zone;
  std::map<std::string, std::string> labels;
};
std::string render_pod(const NewPod& pod);
// The Pod on `node` that makes requests.
std::string client_name(std::string_view node);
std::string render_client(std::string_view node);

// "POST …/binding" of a Pod: it goes to `node` if it is still this one.
std::string render_binding(const kube::ObjectKey& pod, std::string_view uid, std::string_view node);

// Merge patches of the status. A Pod's containers are named as the object, in JSON, names them; an
// error says what the object lacks.
Result<std::string> render_running(std::string_view pod, const MachineAddresses& addresses,
                                   const MachineAddresses& host, WallTime now);
// `has_capacity`: the object says one itself.
std::string render_node_well(std::string_view node, const MachineAddresses& addresses,
                             bool has_capacity, WallTime now);
// Strategic merge patches of the status: other conditions stay.
std::string render_pod_lost(WallTime now);
std::string render_node_lost(WallTime now);

// A merge patch of a Node: how much traffic starts on it.
std::string render_traffic(double traffic);

// A merge patch of a Service: what it asks for, or nothing any more.
std::string render_policy(const std::optional<std::string>& policy,
                          const std::optional<double>& overload);

}  // namespace proxima::agents
