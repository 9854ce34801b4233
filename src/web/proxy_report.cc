// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_report.h"

#include <boost/json.hpp>

namespace proxima::web {
namespace {

using boost::json::object;
using boost::json::value;

constexpr std::string_view kUnknownZone = "unknown";  // as proxies write it

const value* field(const object& row, std::string_view name) {
  return row.if_contains({name.data(), name.size()});
}

// Reads fields of one row, and remembers the first that cannot be read.
class ReportRow {
 public:
  explicit ReportRow(const object& row) : row_(row) {}

  std::string text(std::string_view name) {
    const value* found = field(row_, name);
    if (found != nullptr && found->is_string()) return std::string(found->get_string());
    blame(name, "text");
    return {};
  }
  std::string zone(std::string_view name) {
    std::string zone = text(name);
    return zone == kUnknownZone ? std::string() : zone;
  }
  std::uint64_t count(std::string_view name) {
    const value* found = field(row_, name);
    if (found != nullptr && found->is_uint64()) return found->get_uint64();
    if (found != nullptr && found->is_int64() && found->get_int64() >= 0)
      return static_cast<std::uint64_t>(found->get_int64());
    blame(name, "count");
    return 0;
  }
  const std::string& problem() const { return problem_; }

 private:
  void blame(std::string_view name, std::string_view kind) {
    if (problem_.empty()) problem_ = std::string(name) + " is no " + std::string(kind);
  }

  const object& row_;
  std::string problem_;
};

Result<ReportedFlow> flow_of(const value& from) {
  if (!from.is_object()) return invalid_input("is no object");
  ReportRow row(from.get_object());
  ReportedFlow flow;
  flow.service = row.text("namespace");
  flow.service += "/" + row.text("service");
  flow.from_zone = row.zone("sourceZone");
  flow.to_zone = row.zone("targetZone");
  flow.address = row.text("address");
  flow.count.connections = row.count("connections");
  flow.count.unanswered = row.count("unanswered");
  flow.count.bytes = row.count("requestBytes") + row.count("responseBytes");
  if (!row.problem().empty()) return invalid_input(row.problem());
  return flow;
}

}  // namespace

Result<ProxyReport> parse_proxy_report(std::string_view json) {
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

}  // namespace proxima::web
