// SPDX-License-Identifier: Apache-2.0
#include "reports/node_report.h"

#include <boost/json.hpp>
#include <set>

namespace proxima::reports {
namespace {

namespace json = boost::json;

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kNameMax = 253;
constexpr std::size_t kServiceNameMax = 2 * kNameMax + 1;

// Reads fields of one object, and remembers the first that is invalid.
class Fields {
 public:
  Fields(const json::object& object, std::string prefix)
      : object_(object), prefix_(std::move(prefix)) {}

  std::string text(std::string_view name, std::size_t longest) {
    const json::value* found = object_.if_contains(name);
    if (found == nullptr || !found->is_string()) return blame(name, "is not a string"), "";
    const json::string& text = found->get_string();
    if (text.empty()) return blame(name, "is empty"), "";
    if (text.size() > longest) return blame(name, "is too long"), "";
    return std::string(text);
  }
  std::uint64_t number(std::string_view name, std::uint64_t most) {
    const json::value* found = object_.if_contains(name);
    std::uint64_t number = 0;
    if (found != nullptr && found->is_uint64()) {
      number = found->get_uint64();
    } else if (found != nullptr && found->is_int64() && found->get_int64() >= 0) {
      number = static_cast<std::uint64_t>(found->get_int64());
    } else {
      return blame(name, "is not a count"), 0;
    }
    if (number > most) return blame(name, "exceeds its limit"), 0;
    return number;
  }
  // Empty where the field is absent.
  const json::array& list(std::string_view name, std::size_t longest) {
    static const json::array none;
    const json::value* found = object_.if_contains(name);
    if (found == nullptr) return none;
    if (!found->is_array()) return blame(name, "is not a list"), none;
    if (found->get_array().size() > longest) return blame(name, "has too many entries"), none;
    return found->get_array();
  }
  void blame(std::string_view name, std::string_view problem) {
    if (problem_.empty()) problem_ = prefix_ + std::string(name) + " " + std::string(problem);
  }
  const std::string& problem() const { return problem_; }

 private:
  const json::object& object_;
  std::string prefix_;
  std::string problem_;
};

bool is_service_key(std::string_view text) {
  const auto slash = text.find('/');
  return slash != std::string_view::npos && slash > 0 && slash + 1 < text.size() &&
         text.find('/', slash + 1) == std::string_view::npos;
}

Result<CountedConnections> parse_connections(const json::value& from, const std::string& place) {
  if (!from.is_object()) return invalid_input(place + " is not an object");
  Fields fields(from.get_object(), place + ".");
  CountedConnections out;
  out.service = fields.text("service", kServiceNameMax);
  out.connections = fields.number("connections", kConnectionsMax);
  out.local = fields.number("local", kConnectionsMax);
  if (out.local > out.connections) fields.blame("local", "exceeds connections");
  if (fields.problem().empty() && !is_service_key(out.service))
    fields.blame("service", "is not NAMESPACE/NAME");
  if (!fields.problem().empty()) return invalid_input(fields.problem());
  return out;
}

// A Service that comes twice would be counted twice: its limit is for each report.
Result<std::vector<CountedConnections>> parse_all_connections(const json::array& rows) {
  std::vector<CountedConnections> all;
  std::set<std::string, std::less<>> services;
  for (const json::value& one : rows) {
    const std::string place = "connections[" + std::to_string(all.size()) + "]";
    auto counted = parse_connections(one, place);
    if (!counted) return counted.error();
    if (!services.insert(counted->service).second)
      return invalid_input(place + ".service occurs twice");
    all.push_back(std::move(*counted));
  }
  return all;
}

Status parse_unreadable(const json::array& names, std::vector<std::string>& out) {
  for (const json::value& name : names) {
    const std::string place = "unreadable[" + std::to_string(out.size()) + "]";
    if (!name.is_string() || name.get_string().size() > kServiceNameMax ||
        !is_service_key(name.get_string()))
      return invalid_input(place + " is not NAMESPACE/NAME");
    out.emplace_back(name.get_string());
  }
  return Unit{};
}

}  // namespace

std::string render(const NodeReport& report) {
  json::array unreadable(report.unreadable.begin(), report.unreadable.end());
  json::array connections;
  for (const CountedConnections& one : report.connections)
    connections.push_back(json::object{
        {"service", one.service}, {"connections", one.connections}, {"local", one.local}});
  return json::serialize(json::object{{"format", kFormat},
                                      {"node", report.node},
                                      {"instance", report.instance},
                                      {"sequence", report.sequence},
                                      {"slicesVersion", report.slices_version},
                                      {"unreadable", std::move(unreadable)},
                                      {"connections", std::move(connections)}});
}

Result<NodeReport> parse_node_report(std::string_view text) {
  if (text.size() > kReportBytesMax) return invalid_input("node report: exceeds 2 MiB");
  json::error_code problem;
  const json::value document = json::parse(text, problem);
  if (problem) return invalid_input("node report: not JSON: " + problem.message());
  if (!document.is_object()) return invalid_input("node report: not an object");
  Fields fields(document.get_object(), "node report: ");
  if (fields.number("format", ~0ULL) != kFormat) fields.blame("format", "is not 1");
  NodeReport report;
  report.node = fields.text("node", kNameMax);
  report.instance = fields.text("instance", kNameMax);
  report.sequence = fields.number("sequence", kSequenceMax);
  report.slices_version = fields.number("slicesVersion", kSlicesVersionMax);
  const json::array& unreadable = fields.list("unreadable", kUnreadableMax);
  const json::array& connections = fields.list("connections", kCountedServicesMax);
  if (!fields.problem().empty()) return invalid_input(fields.problem());
  PROXIMA_TRY([[maybe_unused]] const Unit read, parse_unreadable(unreadable, report.unreadable),
              "node report");
  PROXIMA_TRY(report.connections, parse_all_connections(connections), "node report");
  return report;
}

}  // namespace proxima::reports
