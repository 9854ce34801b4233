// SPDX-License-Identifier: Apache-2.0
// What was counted of connections, service by service and endpoint by endpoint, as JSON. Pure.
#pragma once

#include <string>

#include "proxy/flow_books.h"

namespace proxima::proxy {

struct FlowFilter {
  std::string ns;       // "": all
  std::string service;  // "": all
};

std::string render_flows(const FlowAccounts& accounts, const FlowStatistics& statistics,
                         const FlowFilter& filter);

}  // namespace proxima::proxy
