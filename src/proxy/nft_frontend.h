// SPDX-License-Identifier: Apache-2.0
// The elements of a kernel's table for one address or node port of a service.
#pragma once

#include <string_view>
#include <vector>

#include "dataplane/nft_model.h"
#include "proxy/nft_port.h"
#include "proxy/route_table.h"

namespace proxima::proxy {

struct NftSetElement {
  std::string_view set;
  dataplane::NftElement element;
};

struct NftFrontendInput {
  IpFamily family = IpFamily::V4;
  const FrontendRoute& route;
  const PortRoutes& routes;
  // Null when the port could not be written: it then rejects.
  const NftPort* port = nullptr;
};

// None for an address of another family than the table's.
std::vector<NftSetElement> nft_frontend_elements(const NftFrontendInput& input);

}  // namespace proxima::proxy
