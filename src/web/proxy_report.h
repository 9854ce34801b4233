// SPDX-License-Identifier: Apache-2.0
// What a node proxy has counted since it was started, as its /debug/flows tells it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::web {

struct FlowCount {
  std::uint64_t connections = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t bytes = 0;  // both ways
  friend bool operator==(const FlowCount&, const FlowCount&) = default;
};

struct ReportedFlow {
  std::string service;    // "shop/even"
  std::string from_zone;  // empty: not known; kOutsideZone: from outside the cluster
  std::string to_zone;    // empty: not known
  std::string address;    // of the endpoint
  FlowCount count;
};
using ProxyReport = std::vector<ReportedFlow>;

// Of one node; more is not read at all.
inline constexpr std::size_t kReportedFlowsMax = 20'000;

// A row for every port of a service. An error names the row and the field that cannot be read.
Result<ProxyReport> parse_proxy_report(std::string_view json);

}  // namespace proxima::web
