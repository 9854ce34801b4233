// SPDX-License-Identifier: Apache-2.0
// What a node proxy reports to the controller: how far its routes are, which plans it cannot read,
// and the connections that it counted. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/limits.h"

namespace proxima::reports {

// Connections of one Service from this node that were not in an earlier report.
struct CountedConnections {
  std::string service;            // "shop/web"
  std::uint64_t connections = 0;  // to endpoints whose zone is known
  std::uint64_t local = 0;        // of them, those that stayed in the zone of the node
  friend bool operator==(const CountedConnections&, const CountedConnections&) = default;
};

struct NodeReport {
  std::string node;
  std::string instance;        // of the process: another one starts to count anew
  std::uint64_t sequence = 0;  // grows with each report; one that is sent again keeps its number
  // The kernel routes by every EndpointSlice up to this resourceVersion.
  std::uint64_t slices_version = 0;
  std::vector<std::string> unreadable;  // Services whose annotations this proxy cannot read
  std::vector<CountedConnections> connections;
  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

// Of the ConfigMap in which the controller says where it takes reports.
inline constexpr std::string_view kDefaultReportConfigMap = "kube-system/proxima-reports";
inline constexpr std::string_view kReportPath = "/node-reports";
inline constexpr std::chrono::seconds kReportPeriod{15};
// The controller asks for longer spacing the more nodes report to it.
inline constexpr std::chrono::seconds kReportSpacingMin{1};
inline constexpr std::chrono::seconds kReportSpacingMax{60};

// Limits of one report. What a proxy has beyond them waits for the next one.
inline constexpr std::size_t kUnreadableMax =
    model::limit_of(model::Bounded::ReportUnreadable).most_count();
inline constexpr std::size_t kCountedServicesMax =
    model::limit_of(model::Bounded::ReportServices).most_count();
inline constexpr std::size_t kReportBytesMax =
    model::limit_of(model::Bounded::ReportBytes).most_count();
inline constexpr std::uint64_t kSequenceMax =
    model::limit_of(model::Bounded::ReportSequence).most_count();
inline constexpr std::uint64_t kSlicesVersionMax =
    model::limit_of(model::Bounded::ReportVersion).most_count();
inline constexpr std::uint64_t kConnectionsMax =
    model::limit_of(model::Bounded::ReportConnections).most_count();

std::string render(const NodeReport& report);
// An error names the field that is invalid or exceeds a limit.
Result<NodeReport> parse_node_report(std::string_view text);

}  // namespace proxima::reports
