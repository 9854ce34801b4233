// SPDX-License-Identifier: Apache-2.0
// A route table for people and programs to read: every service port with its addresses, what
// happens there, who gets the traffic and why.
#pragma once

#include <string>
#include <string_view>

#include "proxy/route_table.h"

namespace proxima::proxy {

// "" for all.
struct RouteFilter {
  std::string_view ns = {};
  std::string_view service = {};
};

// One JSON object; ports by name, so that two documents can be compared line by line: each port
// stands on a line of its own.
std::string render_routes(const RouteTable& table, const RouteFilter& filter = {});

}  // namespace proxima::proxy
