// SPDX-License-Identifier: Apache-2.0
// What a node proxy has counted since it was started, as its /debug/flows tells it. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/limits.h"

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
inline constexpr std::size_t kReportedFlowsMax =
    model::limit_of(model::Bounded::FlowRows).most_count();

// A row for every port of a service. A zone that is no zone's name is unknown. An error names the
// row and the field that cannot be read.
Result<ProxyReport> parse_proxy_report(std::string_view json);

using ZoneNames = std::set<std::string, std::less<>>;
// What a node calls a zone counts as unknown where it is not among `zones`: nobody can invent any.
void forget_unknown_zones(ProxyReport& report, const ZoneNames& zones);

}  // namespace proxima::web
