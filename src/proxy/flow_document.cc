// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_document.h"

#include <boost/json.hpp>
#include <chrono>

namespace proxima::proxy {
namespace {

namespace json = boost::json;

bool is_wanted(const FlowFilter& filter, const Text& ns, const Text& service) {
  return (filter.ns.empty() || ns.view() == filter.ns) &&
         (filter.service.empty() || service.view() == filter.service);
}

void put_traffic(json::object& out, const FlowAccount& account) {
  out["connections"] = account.traffic.connections;
  out["unanswered"] = account.traffic.unanswered;
  out["requestBytes"] = account.traffic.sent_bytes;
  out["responseBytes"] = account.traffic.answered_bytes;
  out["open"] = account.open;
}

json::array services(const FlowAccounts& accounts, const FlowFilter& filter) {
  json::array rows;
  for (const auto& [series, account] : accounts.by_series()) {
    if (!is_wanted(filter, series.ns, series.service)) continue;
    json::object row{{"namespace", json::string(series.ns.view())},
                     {"service", json::string(series.service.view())},
                     {"sourceZone", json::string(series.source_zone.view())},
                     {"targetZone", json::string(series.target_zone.view())}};
    put_traffic(row, account);
    rows.push_back(std::move(row));
  }
  return rows;
}

json::array endpoints(const FlowAccounts& accounts, const FlowFilter& filter) {
  json::array rows;
  for (const auto& [series, account] : accounts.by_endpoint()) {
    if (!is_wanted(filter, series.port.ns, series.port.service)) continue;
    json::object row{{"namespace", json::string(series.port.ns.view())},
                     {"service", json::string(series.port.service.view())},
                     {"port", to_text(series.port)},
                     {"address", series.backend.address.text()},
                     {"targetPort", series.backend.port},
                     {"sourceZone", json::string(series.source_zone.view())},
                     {"targetZone", json::string(series.target_zone.view())}};
    put_traffic(row, account);
    rows.push_back(std::move(row));
  }
  return rows;
}

json::object counting(const FlowAccounts& accounts, const FlowStatistics& statistics) {
  const auto look = std::chrono::duration_cast<std::chrono::microseconds>(statistics.look_time);
  return {{"events", statistics.events},      {"eventsLost", statistics.events_lost},
          {"looks", statistics.looks},        {"failures", statistics.failures},
          {"lookMicroseconds", look.count()}, {"remembered", accounts.remembered()}};
}

}  // namespace

std::string render_flows(const FlowAccounts& accounts, const FlowStatistics& statistics,
                         const FlowFilter& filter) {
  const json::object document{{"counting", counting(accounts, statistics)},
                              {"services", services(accounts, filter)},
                              {"endpoints", endpoints(accounts, filter)}};
  return json::serialize(document) + "\n";
}

}  // namespace proxima::proxy
