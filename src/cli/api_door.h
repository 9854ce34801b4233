// SPDX-License-Identifier: Apache-2.0
// The Kubernetes API as Pods of the lab reach it. The server listens on the loopback address of the
// machine, which no cable of the lab leads to, so nothing stood behind the Service
// default/kubernetes and proxies rejected what was sent to it. The lab's router listens for it now,
// and an EndpointSlice says so, as the API server of a real cluster writes one about itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kube/object_client.h"
#include "lab/lab_network.h"
#include "lab/relay.h"

namespace proxima::cli {

class ApiDoor {
 public:
  // Both must outlive it. `port` is the API server's, here and inside the lab.
  static Result<std::unique_ptr<ApiDoor>> open(const lab::LabNetwork& network, kube::KubeApi& api,
                                               std::uint16_t port);
  // Takes the EndpointSlice away again: a cluster that is kept must not name an address that is
  // nobody's.
  ~ApiDoor();
  ApiDoor(const ApiDoor&) = delete;
  ApiDoor& operator=(const ApiDoor&) = delete;

 private:
  explicit ApiDoor(kube::KubeApi& api) : client_(api) {}
  Status publish(const std::string& address, std::uint16_t port);

  kube::ObjectClient client_;
  lab::Relays relays_;
  std::optional<lab::Relay> relay_;
};

// The EndpointSlice default/kubernetes, as JSON. Pure.
std::string api_slice(const std::string& address, std::uint16_t port);

}  // namespace proxima::cli
