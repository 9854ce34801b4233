// SPDX-License-Identifier: Apache-2.0
// What the proxy of a node does with the traffic of a service, asked from the proxy itself.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::cli {

// Where a component at `address` shows its pages: HOST, HOST:PORT or a URL. `flag` stands in the
// error.
struct ComponentPort {
  std::string_view flag;
  std::string_view port;  // ":10249", when the address has none
};
Result<std::string> component_origin(std::string_view address, const ComponentPort& usual);
// Of a node proxy: "10.0.0.5" is "http://10.0.0.5:10249".
Result<std::string> node_proxy_origin(std::string_view address);

struct NodeRoutesQuestion {
  std::string origin;
  std::string ns;
  std::string service;
  std::string token_file = {};  // "": no token
};

// The JSON of its /debug/routes. An error when there is no such service on that node.
Result<std::string> fetch_node_routes(const NodeRoutesQuestion& question);

}  // namespace proxima::cli
