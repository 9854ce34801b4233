// SPDX-License-Identifier: Apache-2.0
// Whatever a node answers to /debug/flows: rows within the table of limits, so that they can be
// added up, or an error that names what cannot be read.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "web/proxy_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto report = proxima::web::parse_proxy_report(text);
  if (!report) {
    PROXIMA_CHECK(!report.error().message.empty());
    return 0;
  }
  using proxima::model::Bounded;
  using proxima::model::limit_of;
  constexpr std::uint64_t kConnections = limit_of(Bounded::FlowConnections).most_count();
  constexpr std::uint64_t kBytes = 2 * limit_of(Bounded::FlowBytes).most_count();  // both ways
  constexpr std::size_t kNames = 2 * limit_of(Bounded::FlowNames).most_count() + 1;
  PROXIMA_CHECK(report->size() <= proxima::web::kReportedFlowsMax);
  for (const auto& flow : *report) {
    PROXIMA_CHECK(flow.count.connections <= kConnections);
    PROXIMA_CHECK(flow.count.unanswered <= kConnections);
    PROXIMA_CHECK(flow.count.bytes <= kBytes);
    PROXIMA_CHECK(flow.service.size() <= kNames);
    PROXIMA_CHECK(flow.address.size() <= limit_of(Bounded::FlowAddresses).most_count());
    PROXIMA_CHECK(flow.service.find('/') != std::string::npos);
    PROXIMA_CHECK(flow.from_zone != "unknown" && flow.to_zone != "unknown");
  }
  // The smallest row has all its fields.
  PROXIMA_CHECK(report->size() * 100 <= size);
  return 0;
}
