// SPDX-License-Identifier: Apache-2.0
// Clients of Services with session affinity come back to the backend that they had, for as long as
// the node routes to it at all. Nothing here lasts as long as an affinity does.
#pragma once

#include <map>
#include <string>

#include "simulation/model_kernel.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

class StickyClients {
 public:
  // A client got a connection: "" unless it should have got another backend.
  std::string connected(const ModelKernel& kernel, const json::object& service,
                        const dataplane::NftPacket& packet, const proxy::BackendAddress& backend);
  // The rules of a node are others, or gone: whoever had a backend that is not used is free.
  void changed(const ModelKernel& kernel, IpFamily family);

 private:
  struct Client {
    std::string node;
    std::string uid;  // of the Service
    IpAddress service;
    IpAddress source;
    friend auto operator<=>(const Client&, const Client&) = default;
  };
  struct Bond {
    proxy::BackendAddress backend;
    std::uint8_t protocol = 6;
    std::uint16_t port = 0;
  };
  std::map<Client, Bond> bonds_;
};

}  // namespace proxima::simulation
