// SPDX-License-Identifier: Apache-2.0
// Whatever Services and slices a server sends, a line each, their routes can be planned, step by
// step or at once with the same result, and every packet has a fate. A line "-" takes the first
// object away again.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/check.h"
#include "kube/record_reader.h"
#include "proxy/node_routes.h"
#include "proxy/packet_trace.h"
#include "proxy/route_document.h"
#include "wire/padded_text.h"

namespace {

using namespace proxima;
using proxy::NodeRoutes;
using proxy::RouteTable;

constexpr std::size_t kMostBytes = 1 << 16;

NodeRoutes empty_routes() {
  proxy::RoutingRules v4, v6;
  v4.detector = proxy::LocalDetector{.range = IpPrefix::parse("10.0.0.0/8").value()};
  v6.family = IpFamily::V6;
  NodeRoutes routes({.proxy_name = "", .rules = {v4, v6}, .wishes = {.plans_by_itself = true}});
  routes.set_node({.name = Text("n1"), .zone = Text("a")});
  return routes;
}

template <class Record>
using Objects = std::map<std::pair<Text, Text>, Ref<const Record>>;

struct World {
  kube::RecordReader<kube::ServiceRecord> service_reader{"Service", [](const wire::Problem&) {}};
  kube::RecordReader<kube::EndpointSliceRecord> slice_reader{"Slice", [](const wire::Problem&) {}};
  Objects<kube::ServiceRecord> services;
  Objects<kube::EndpointSliceRecord> slices;
  NodeRoutes routes = empty_routes();

  void take(std::string_view line) {
    if (line == "-") return take_away();
    const wire::PaddedText padded{line};
    if (line.find("\"endpoints\"") != std::string_view::npos) {
      const auto read = slice_reader.object(padded.text()).record;
      if (!read) return;
      auto& known = slices[{read->meta.ns, read->meta.name}];
      routes.change_slice(known, read);
      known = read;
    } else {
      const auto read = service_reader.object(padded.text()).record;
      if (!read) return;
      auto& known = services[{read->meta.ns, read->meta.name}];
      routes.change_service(known, read);
      known = read;
    }
  }

  void take_away() {
    if (!slices.empty()) {
      routes.change_slice(slices.begin()->second, {});
      slices.erase(slices.begin());
    } else if (!services.empty()) {
      routes.change_service(services.begin()->second, {});
      services.erase(services.begin());
    }
  }

  NodeRoutes from_scratch() const {
    NodeRoutes fresh = empty_routes();
    for (const auto& [key, slice] : slices) fresh.change_slice({}, slice);
    for (const auto& [key, service] : services) fresh.change_service({}, service);
    fresh.update();
    return fresh;
  }
};

void check_packets(const RouteTable& table) {
  const IpAddress node = IpAddress::parse("192.168.0.2").value();
  table.frontends.each([&](const proxy::FrontendRouteRef& route) {
    const bool is_node_port = route->at.scope == proxy::Frontend::Scope::NodePort;
    const auto fate = proxy::trace(table, std::span(&node, 1),
                                   {.source = node,
                                    .destination = is_node_port ? node : route->at.address,
                                    .protocol = route->at.protocol,
                                    .port = route->at.port});
    const bool delivered = fate.kind == proxy::PacketFate::Kind::Deliver;
    PROXIMA_CHECK(delivered != fate.targets.empty());
    if (!is_node_port) PROXIMA_CHECK(fate.kind != proxy::PacketFate::Kind::Pass);
    return true;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  World world;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    world.take(line);
    if (line.ends_with(' ')) world.routes.update();
  }
  world.routes.update();
  const NodeRoutes fresh = world.from_scratch();
  for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
    const RouteTable& table = *world.routes.table(family);
    PROXIMA_CHECK(table == *fresh.table(family));
    PROXIMA_CHECK(proxy::diff_routes(table, *fresh.table(family)).empty());
    PROXIMA_CHECK(!proxy::render_routes(table).empty());
    check_packets(table);
  }
  return 0;
}
