// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_report.h"

#include <boost/json.hpp>

#include "base/json_values.h"
#include "web/live_source.h"

namespace proxima::web {
namespace {

using boost::json::object;
using boost::json::value;
using model::Bounded;

constexpr std::string_view kUnknownZone = "unknown";  // as proxies write it
constexpr std::size_t kZoneLength = model::limit_of(Bounded::FlowNames).most_count();

const value* field(const object& row, std::string_view name) {
  return row.if_contains({name.data(), name.size()});
}

// Reads fields of one row, and remembers the first that cannot be read.
class ReportRow {
 public:
  explicit ReportRow(const object& row) : row_(row) {}

  std::string text(std::string_view name, Bounded length) {
    const std::string_view found = raw_text(name);
    const model::Limit& limit = model::limit_of(length);
    if (found.size() <= limit.most_count()) return std::string(found);
    blame(name, "is longer than " + model::limit_text(limit.most) + " bytes");
    return {};
  }
  // No Node can have one that is too long.
  std::string zone(std::string_view name) {
    const std::string_view zone = raw_text(name);
    const bool known = zone != kUnknownZone && zone.size() <= kZoneLength;
    return std::string(known ? zone : std::string_view());
  }
  std::uint64_t count(std::string_view name, model::Bounded bounds) {
    const value* found = field(row_, name);
    boost::json::error_code problem;
    const auto count = found == nullptr ? 0 : found->to_number<std::uint64_t>(problem);
    if (found == nullptr || problem || found->is_double()) return blame(name, "is no count"), 0;
    if (model::limit_of(bounds).admits(static_cast<double>(count))) return count;
    return blame(name, "must be " + model::range_text(model::limit_of(bounds))), 0;
  }
  const std::string& problem() const { return problem_; }

 private:
  std::string_view raw_text(std::string_view name) {
    const value* found = field(row_, name);
    if (found != nullptr && found->is_string()) return found->get_string();
    blame(name, "is no text");
    return {};
  }
  void blame(std::string_view name, std::string_view what) {
    if (problem_.empty()) problem_ = std::string(name) + " " + std::string(what);
  }

  const object& row_;
  std::string problem_;
};

Result<ReportedFlow> flow_of(const value& from) {
  if (!from.is_object()) return invalid_input("is no object");
  ReportRow row(from.get_object());
  ReportedFlow flow;
  flow.service = row.text("namespace", Bounded::FlowNames);
  flow.service += "/" + row.text("service", Bounded::FlowNames);
  flow.from_zone = row.zone("sourceZone");
  flow.to_zone = row.zone("targetZone");
  flow.address = row.text("address", Bounded::FlowAddresses);
  flow.count.connections = row.count("connections", Bounded::FlowConnections);
  flow.count.unanswered = row.count("unanswered", Bounded::FlowConnections);
  flow.count.bytes = row.count("requestBytes", Bounded::FlowBytes);
  flow.count.bytes += row.count("responseBytes", Bounded::FlowBytes);
  if (!row.problem().empty()) return invalid_input(row.problem());
  return flow;
}

}  // namespace

Result<ProxyReport> parse_proxy_report(std::string_view json) {
  constexpr std::size_t kMostValues = model::limit_of(Bounded::FlowValues).most_count();
  if (json_values_at_most(json) > kMostValues)
    return invalid_input("it has more than " + model::limit_text(kMostValues) +
                         " fields and list items");
  boost::json::error_code problem;
  const value document = boost::json::parse({json.data(), json.size()}, problem);
  if (problem) return invalid_input("it is no JSON: " + problem.message());
  const value* rows = document.is_object() ? field(document.get_object(), "endpoints") : nullptr;
  if (rows == nullptr || !rows->is_array()) return invalid_input("endpoints is no list");
  if (rows->get_array().size() > kReportedFlowsMax)
    return invalid_input("endpoints has more than " + std::to_string(kReportedFlowsMax) + " rows");
  ProxyReport report;
  report.reserve(rows->get_array().size());
  for (const value& one : rows->get_array()) {
    auto flow = flow_of(one);
    if (!flow)
      return std::move(flow).error().in("endpoints[" + std::to_string(report.size()) + "]");
    report.push_back(std::move(*flow));
  }
  return report;
}

void forget_unknown_zones(ProxyReport& report, const ZoneNames& zones) {
  for (ReportedFlow& flow : report) {
    for (std::string* zone : {&flow.from_zone, &flow.to_zone})
      if (*zone != kOutsideZone && !zones.contains(*zone)) zone->clear();
  }
}

}  // namespace proxima::web
