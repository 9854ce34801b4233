// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_sync.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "base/check.h"
#include "support/fake_clock.h"
#include "support/recording_data_plane.h"
#include "support/route_world.h"
#include "support/routes_world.h"

namespace proxima::proxy {
namespace {

BackendAddress at(std::string_view address, std::uint16_t port) {
  return {*IpAddress::parse(address), port};
}

// Holds flows of IPv4.
class FakeFlows final : public FlowTable {
 public:
  Result<std::vector<UdpFlow>> udp_flows(IpFamily family) override {
    ++listed;
    if (failure) return *std::exchange(failure, std::nullopt);
    return family == IpFamily::V4 ? flows : std::vector<UdpFlow>();
  }
  Result<std::size_t> forget(std::span<const UdpFlow> old) override {
    for (const UdpFlow& flow : old) {
      std::erase_if(flows, [&](const UdpFlow& known) {
        return known.tracked.reply_source == flow.tracked.reply_source;
      });
    }
    return old.size();
  }
  std::vector<UdpFlow> flows;
  int listed = 0;
  std::optional<Error> failure;  // of the next list
};

class SyncWorld {
 public:
  explicit SyncWorld(NodeRoutesOptions options = test::both_families())
      : sync(std::move(options), {{IpFamily::V4, v4}, {IpFamily::V6, v6}}, ports()) {
    sync.routes().set_node({.name = Text("n1"), .zone = Text("a")});
  }
  RouteSyncPorts ports() {
    return {clock, metrics, log, &flows, [this](News news) { told.push_back(std::move(news)); }};
  }

  void service(std::string_view words) { sync.routes().change_service({}, test::service(words)); }
  void slice(std::string_view words) {
    const kube::Change<kube::EndpointSliceRecord> change{{}, test::slice(words)};
    sync.routes().change_slice(change.before, change.now);
    sync.note_slice(change);
  }
  std::string calls() { return v4.take_calls() + " | " + v6.take_calls(); }
  int count_said(std::string_view words) const {
    int count = 0;
    for (std::size_t at = said.find(words); at != std::string::npos; at = said.find(words, at + 1))
      ++count;
    return count;
  }
  // "2.0" of "name{…} 2.0"; "" when there is no such series.
  std::string metric(const std::string& series) const {
    const std::string text = "\n" + registry.render();
    const std::size_t found = text.find("\n" + series + " ");
    if (found == std::string::npos) return {};
    const std::size_t begin = found + series.size() + 2;
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  testing::FakeClock clock;
  telemetry::MetricsRegistry registry;
  ProxyMetrics metrics{registry};
  std::string said;
  telemetry::Log log{{}, clock, [this](std::string_view line) { said += line; }};
  FakeFlows flows;
  std::vector<News> told;
  test::RecordingDataPlane v4;
  test::RecordingDataPlane v6;
  RouteSync sync;
};

constexpr const char* kSyncedWeb = "shop/web ip=10.96.0.1 port=http:80";
constexpr const char* kOther = "shop/other ip=10.96.0.2 port=http:80";

// Steps are separated by ';': "web", "other" bring a Service, "slice" an endpoint of web, "run" is
// a round, "check" one that looks at everything, "fail" makes the next IPv4 write fail; "lack6" and
// "load6" are a kernel that lacks a module for IPv6, and gets it.
struct SyncRow {
  const char* name;
  const char* steps;
  const char* calls;  // of IPv4 and of IPv6
};

constexpr SyncRow kSyncRows[] = {
    {"the first round adopts both families", "web; run", "adopt | adopt"},
    {"a change of one Service is one write, of its family", "web; run; other; run",
     "adopt; apply shop/other:http/TCP | adopt"},
    {"a change of one slice is one write", "web; run; slice; run",
     "adopt; apply shop/web:http/TCP | adopt"},
    {"many changes before a round are one write", "run; web; other; slice; run",
     "adopt; apply shop/other:http/TCP shop/web:http/TCP | adopt"},
    {"nothing is written where nothing changed", "web; run; run", "adopt | adopt"},
    {"a write that failed is made up for by taking over anew", "web; run; slice; fail; run; run",
     "adopt; apply shop/web:http/TCP (failed); adopt | adopt"},
    {"a take-over that failed is tried again, and the other family goes on", "web; fail; run; run",
     "adopt (failed); adopt | adopt"},
    {"after it was taken over, changes are small again", "web; fail; run; run; slice; run",
     "adopt (failed); adopt; apply shop/web:http/TCP | adopt"},
    {"a check compares what is there, after the change", "web; run; slice; check",
     "adopt; apply shop/web:http/TCP; repair | adopt; repair"},
    {"a check that failed leads to a take-over", "web; run; fail; check; run",
     "adopt; repair; adopt | adopt; repair"},
    {"who is not in step yet is taken over instead of checked", "web; check", "adopt | adopt"},
    {"a family that the kernel cannot hold is left out, and the other goes on",
     "lack6; web; run; slice; run; run", "adopt; apply shop/web:http/TCP | adopt (unsupported)"},
    {"it is tried again with each full check", "lack6; web; run; check; run; check",
     "adopt; repair; repair | adopt (unsupported); adopt (unsupported); adopt (unsupported)"},
    {"it is there once the kernel has what it lacked", "lack6; web; run; load6; run; check; check",
     "adopt; repair; repair | adopt (unsupported); adopt; repair"},
};

void play(SyncWorld& world, std::string_view steps) {
  while (!steps.empty()) {
    const std::string_view step = test::world::take_word(steps, ';');
    while (steps.starts_with(' ')) steps.remove_prefix(1);
    if (step == "web") world.service(kSyncedWeb);
    if (step == "other") world.service(kOther);
    if (step == "slice") world.slice("shop/web port=http:8080 10.1.0.1@n1%a");
    if (step == "fail") world.v4.fail_once();
    if (step == "lack6") world.v6.set_lacking(true);
    if (step == "load6") world.v6.set_lacking(false);
    if (step == "run") world.sync.run(SyncDepth::Changes);
    if (step == "check") world.sync.run(SyncDepth::Everything);
  }
}

TEST(RouteSync, BringsEveryFamilyInStep) {
  for (const SyncRow& row : kSyncRows) {
    SyncWorld world;
    play(world, row.steps);
    EXPECT_EQ(world.calls(), row.calls) << row.name;
    EXPECT_EQ(world.v4.table(), *world.sync.routes().table(IpFamily::V4)) << row.name;
  }
}

TEST(RouteSync, TellsWhichFamilyFailed) {
  SyncWorld world;
  world.v6.fail_once();
  const RouteSync::Round round = world.sync.run(SyncDepth::Changes);
  EXPECT_EQ(round.written, std::vector{IpFamily::V4});
  EXPECT_EQ(round.failed, std::vector{IpFamily::V6});
  EXPECT_EQ(
      world.metric("kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family=\"IPv6\"}"),
      "1");
}

TEST(RouteSync, SaysOnceThatTheKernelCannotHoldAFamilyAndCountsTheAttempts) {
  SyncWorld world;
  play(world, "lack6; web; run; slice; run; check");
  const RouteSync::Round round = world.sync.run(SyncDepth::Changes);
  EXPECT_EQ(round.written, std::vector{IpFamily::V4});
  EXPECT_TRUE(round.failed.empty()) << "nothing is to be tried again soon";
  ASSERT_EQ(round.unsupported.size(), 1U);
  EXPECT_EQ(round.unsupported[0].family, IpFamily::V6);
  EXPECT_EQ(round.unsupported[0].why, "no such chain type");
  EXPECT_EQ(world.metric("proxima_family_unsupported_total{ip_family=\"IPv6\"}"), "2");
  EXPECT_EQ(world.metric("proxima_family_unsupported_total{ip_family=\"IPv4\"}"), "");
  EXPECT_EQ(world.count_said("cannot hold routes of this family"), 1) << world.said;
  EXPECT_EQ(world.count_said("no such chain type"), 1) << world.said;
}

TEST(RouteSync, TellsOnceOfAServiceThatCannotBePlannedAndWritesTheOthers) {
  NodeRoutesOptions options = test::both_families();
  options.plan = [](const ServiceInput& input) {
    PROXIMA_CHECK(input.service.meta.name.view() != "other");
    return plan_service(input);
  };
  SyncWorld world(std::move(options));
  play(world, "run; other; web; run; other; slice; run");
  EXPECT_EQ(world.calls(), "adopt; apply shop/web:http/TCP; apply shop/web:http/TCP | adopt");
  EXPECT_EQ(world.metric("proxima_route_internal_errors_total"), "1");
  EXPECT_EQ(world.metric("proxima_route_internal_error_services"), "1");
  EXPECT_EQ(world.count_said("An internal error stopped the update of a Service's routes"), 1)
      << world.said;
  ASSERT_EQ(world.told.size(), 1U);
  EXPECT_EQ(world.told[0].reason, "InternalError");
  EXPECT_EQ(world.told[0].about.ns + "/" + world.told[0].about.name, "shop/other");
  EXPECT_NE(world.told[0].message.find("broken invariant: "), std::string::npos);
}

TEST(RouteSync, TellsOnceOfAServiceThatCannotBeWritten) {
  SyncWorld world;
  play(world, "web; run");
  const BrokenServices broken = {{{Text("shop"), Text("web")}, "broken invariant: it fits"}};
  world.v4.set_broken(broken);
  world.v6.set_broken(broken);
  play(world, "slice; run; other; run");
  EXPECT_EQ(world.metric("proxima_route_internal_errors_total"), "1");
  EXPECT_EQ(world.metric("proxima_route_internal_error_services"), "1");
  EXPECT_EQ(world.count_said("An internal error stopped the update of a Service's routes"), 1)
      << world.said;
  ASSERT_EQ(world.told.size(), 1U);
  EXPECT_EQ(world.told[0].reason, "InternalError");
  EXPECT_EQ(world.told[0].about.ns + "/" + world.told[0].about.name, "shop/web");
  EXPECT_NE(world.told[0].message.find("it fits"), std::string::npos);
  world.v4.set_broken({});
  world.v6.set_broken({});
  play(world, "run");
  EXPECT_EQ(world.metric("proxima_route_internal_error_services"), "0");
  EXPECT_EQ(world.told.size(), 1U);
}

TEST(RouteSync, TakesOverAnewAfterABreakdownOfADataPlane) {
  SyncWorld world;
  play(world, "web; run");
  world.v4.break_once();
  play(world, "slice");
  const RouteSync::Round round = world.sync.run(SyncDepth::Changes);
  EXPECT_EQ(round.failed, std::vector{IpFamily::V4});
  EXPECT_EQ(round.written, std::vector{IpFamily::V6});
  play(world, "run");
  EXPECT_EQ(world.calls(), "adopt; adopt | adopt");
  EXPECT_EQ(world.v4.table(), *world.sync.routes().table(IpFamily::V4));
}

// A broken invariant in what a round does beside the data plane: the reason under which a port of
// IPv4 was counted is not the one that it has when it goes.
TEST(RouteSync, ABreakdownBesideADataPlaneCostsTheFamilyOneRound) {
  Ref<PortRoutes> counted;
  NodeRoutesOptions options = test::both_families();
  options.plan = [&](const ServiceInput& input) {
    std::vector<PortRoutesRef> planned = plan_service(input);
    if (input.rules.family != IpFamily::V4 || planned.empty()) return planned;
    counted = make_ref<PortRoutes>(*planned.front());
    planned.front() = counted;
    return planned;
  };
  SyncWorld world(std::move(options));
  play(world, "web; run");
  EXPECT_EQ(world.calls(), "adopt | adopt");
  counted->why.reason = policy::Reason::InternalError;
  play(world, "slice");
  const RouteSync::Round round = world.sync.run(SyncDepth::Changes);
  EXPECT_EQ(round.failed, std::vector{IpFamily::V4});
  EXPECT_EQ(round.written, std::vector{IpFamily::V6});
  EXPECT_EQ(world.calls(), " | ");
  EXPECT_EQ(world.count_said("internal error: broken invariant: found != "), 1) << world.said;
  EXPECT_EQ(
      world.metric("kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family=\"IPv4\"}"),
      "1");
  EXPECT_TRUE(world.sync.run(SyncDepth::Changes).failed.empty());
  EXPECT_EQ(world.calls(), "adopt | ");
  EXPECT_EQ(world.v4.table(), *world.sync.routes().table(IpFamily::V4));
  EXPECT_EQ(world.metric("proxima_route_ports{ip_family=\"IPv4\"}"), "1") << "counted anew";
  EXPECT_EQ(world.metric("proxima_route_backends{ip_family=\"IPv4\"}"), "1");
}

TEST(RouteSync, CountsWhatStrangersChanged) {
  SyncWorld world;
  play(world, "web; run");
  world.v4.disturb(3);
  play(world, "check; check");
  EXPECT_EQ(world.metric("proxima_repairs_total{ip_family=\"IPv4\"}"), "3");
}

TEST(RouteSync, CountsPortsByReason) {
  SyncWorld world;
  play(world, "web; run");
  const std::string before = world.registry.render();
  EXPECT_NE(before.find("proxima_route_reason{ip_family=\"IPv4\",reason=\""), std::string::npos)
      << before;
  EXPECT_EQ(world.metric("proxima_route_ports{ip_family=\"IPv4\"}"), "1");
  EXPECT_EQ(world.metric("proxima_route_backends{ip_family=\"IPv4\"}"), "0");
  play(world, "slice; run");
  EXPECT_EQ(world.metric("proxima_route_backends{ip_family=\"IPv4\"}"), "1");
}

TEST(RouteSync, MeasuresFromTheChangeInTheClusterOnceItIsWritten) {
  SyncWorld world;
  world.service(kSyncedWeb);
  world.clock.advance(std::chrono::seconds(10));
  world.slice(
      "shop/web port=http:8080 10.1.0.1 "
      "annotation=endpoints.kubernetes.io/last-change-trigger-time:2026-03-01T01:00:05Z");
  world.v4.fail_once();
  world.sync.run(SyncDepth::Changes);
  const std::string count =
      "kubeproxy_network_programming_duration_seconds_count{ip_family=\"IPv4\"}";
  EXPECT_EQ(world.metric(count), "") << "it is not written yet";
  world.sync.run(SyncDepth::Changes);
  EXPECT_EQ(world.metric(count), "1");
  EXPECT_EQ(world.metric("kubeproxy_network_programming_duration_seconds_sum{ip_family=\"IPv4\"}"),
            "5");
}

TEST(RouteSync, ForgetsFlowsToBackendsThatAreGone) {
  SyncWorld world;
  world.flows.flows = {{{at("10.96.0.9", 53), at("10.1.0.7", 5353)}, at("10.1.0.1", 9), {}},
                       {{at("10.96.0.9", 53), at("10.1.0.8", 5353)}, at("10.1.0.1", 9), {}}};
  play(world, "web; run");
  EXPECT_EQ(world.flows.listed, 0) << "no UDP port has changed";
  world.service("shop/dns ip=10.96.0.9 port=dns:53/UDP");
  world.slice("shop/dns port=dns:5353/UDP 10.1.0.8");
  world.v4.fail_once();
  play(world, "run");
  EXPECT_EQ(world.flows.listed, 0) << "the new routes are not there yet";
  play(world, "run");
  ASSERT_EQ(world.flows.flows.size(), 1U);
  EXPECT_EQ(world.flows.flows[0].tracked.reply_source, at("10.1.0.8", 5353));
  EXPECT_EQ(
      world.metric("kubeproxy_conntrack_reconciler_deleted_entries_total{ip_family=\"IPv4\"}"),
      "1");
}

TEST(RouteSync, LooksForStaleFlowsAgainWhenTheirListWasInterrupted) {
  const struct {
    const char* name;
    ErrorCode code;
    bool again;
  } rows[] = {
      {"an interrupted list is asked for again", ErrorCode::Retry, true},
      {"a list that is not allowed is not", ErrorCode::Denied, false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    SyncWorld world;
    world.flows.flows = {{{at("10.96.0.9", 53), at("10.1.0.7", 5353)}, at("10.1.0.1", 9), {}}};
    world.service("shop/dns ip=10.96.0.9 port=dns:53/UDP");
    world.slice("shop/dns port=dns:5353/UDP 10.1.0.8");
    world.flows.failure = Error{row.code, "interrupted"};
    const RouteSync::Round round = world.sync.run(SyncDepth::Changes);
    EXPECT_EQ(round.written.size(), 2U) << "routes are written all the same";
    EXPECT_EQ(round.flows_left, row.again);
    EXPECT_EQ(world.flows.flows.size(), 1U);
    EXPECT_FALSE(world.sync.run(SyncDepth::Changes).flows_left);
    EXPECT_EQ(world.flows.flows.size(), row.again ? 0U : 1U);
  }
}

}  // namespace
}  // namespace proxima::proxy
