// SPDX-License-Identifier: Apache-2.0
// What the proxy of a node does with the traffic of a service, asked from the proxy itself.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::cli {

// Where the node proxy at `address` shows its routes: "10.0.0.5" is "http://10.0.0.5:10249".
// HOST, HOST:PORT or a URL.
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
