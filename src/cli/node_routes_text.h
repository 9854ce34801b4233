// SPDX-License-Identifier: Apache-2.0
// The routes that a node proxy tells, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ip_address.h"
#include "base/result.h"
#include "cli/table.h"
#include "report/document.h"

namespace proxima::cli {

struct NodeRoutesLayout {
  std::optional<std::size_t> width;  // none: not a terminal
  Coloring coloring = Coloring::Off;
  std::optional<IpFamily> family;  // none: all that have something to tell
};

// Each port with its reason, the addresses it answers at, and who gets what share of the traffic.
// An error when `json` is not what a node proxy answers, or names no port.
Result<std::string> node_routes_text(std::string_view json, const NodeRoutesLayout& layout);
// The same as it came.
Result<std::string> node_routes_document(std::string_view json, report::DocumentFormat format);

}  // namespace proxima::cli
