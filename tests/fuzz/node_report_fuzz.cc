// SPDX-License-Identifier: Apache-2.0
// Whatever a node sends to the controller: a report within its limits that reads the same when it
// is written again, or an error that names the field.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "reports/node_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proxima::reports;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto report = parse_node_report(text);
  if (!report) {
    PROXIMA_CHECK(!report.error().message.empty());
    return 0;
  }
  PROXIMA_CHECK(!report->node.empty());
  PROXIMA_CHECK(report->unreadable.size() <= kUnreadableMax);
  PROXIMA_CHECK(report->connections.size() <= kCountedServicesMax);
  for (const CountedConnections& one : report->connections)
    PROXIMA_CHECK(one.local <= one.connections && one.connections <= kConnectionsMax);
  PROXIMA_CHECK(parse_node_report(render(*report)).value() == *report);
  return 0;
}
