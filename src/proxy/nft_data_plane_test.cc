// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_data_plane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <tuple>

#include "base/check.h"
#include "support/nft_fate.h"
#include "support/own_network.h"
#include "support/packet_world.h"
#include "support/run_program.h"

namespace proxima::proxy {
namespace {

using dataplane::NftTable;
using dataplane::NftTransaction;
using test::PacketWorld;

// A kernel that models; it can be told to fail before it does anything.
class FakeKernel final : public NftKernel {
 public:
  explicit FakeKernel(IpFamily family) : table(family) {}

  Status send(const NftTransaction& transaction) override {
    ++sent;
    if (!failures.empty()) {
      const ErrorCode code = failures.back();
      failures.pop_back();
      return Error{code, "told to fail"};
    }
    if (lacks_nat && std::ranges::any_of(transaction.operations, makes_nat_chain))
      return Error{ErrorCode::NotFound, "No such file or directory"};
    Status done = table.apply(transaction);
    if (after_each) after_each();
    return done;
  }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily /*family*/,
                                                         std::string_view /*table*/) override {
    ++reads;
    if (unreadable) return *unreadable;
    if (!table.exists()) return std::optional<dataplane::NftTableContent>();
    return std::optional(table.content());
  }
  void tamper(std::vector<dataplane::NftOperation> operations) {
    const Status done = table.apply(
        {.family = table.family(), .table = "proxima", .operations = std::move(operations)});
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
  }

  // As a kernel answers that was built without NAT for the family.
  static bool makes_nat_chain(const dataplane::NftOperation& operation) {
    const auto* add = std::get_if<dataplane::NftAddChain>(&operation);
    return add != nullptr && add->hook && add->hook->type == dataplane::NftHook::Type::Nat;
  }

  NftTable table;
  bool lacks_nat = false;
  std::optional<Error> unreadable;
  std::vector<ErrorCode> failures;  // the last one first
  std::function<void()> after_each;
  std::size_t sent = 0;
  std::size_t reads = 0;
};

// Two services, one of them sticky, on as many endpoints as `slice` says.
RouteTable routes_to(std::string_view endpoints, IpFamily family = IpFamily::V4) {
  PacketWorld world(family);
  world.add_service(
      "ns/a LoadBalancer ip=$cluster port=p:80>30080 vip=$vip external=$external eLocal "
      "range=$outsides range=$nodes");
  world.add_slice("ns/a port=p:8080 " + std::string(endpoints));
  const char* sticky = family == IpFamily::V4 ? "172.30.0.42" : "fd00:172:30::42";
  world.add_service(std::string("ns/b ip=") + sticky + " port=p:80 affinity=600");
  world.add_slice("ns/b port=p:8080 " + std::string(endpoints));
  return world.table();
}

std::string text_of(const Status& status) { return status ? "" : status.error().message; }

void expect_all_delivered(const NftTable& rules, const RouteTable& table) {
  const PacketWorld world(table.rules.family);
  const std::vector<IpAddress> local = {world.address("node")};
  for (const char* from : {"pod", "node", "outside"}) {
    for (const char* to : {"cluster", "vip", "external", "unused"})
      EXPECT_EQ(test::difference(
                    rules, table, local,
                    {.source = world.address(from), .destination = world.address(to), .port = 80}),
                "");
  }
}

TEST(NftDataPlane, LoadsAnEmptyKernelAndChangesIt) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane plane(IpFamily::V4, {}, kernel);
  const RouteTable first = routes_to("$L@here $R@there");
  EXPECT_EQ(text_of(plane.adopt(first)), "");
  expect_all_delivered(kernel.table, first);
  const RouteTable second = routes_to("$L@here $R2@there $L2@here");
  const std::size_t reads = kernel.reads;
  EXPECT_EQ(text_of(plane.apply(second, diff_routes(first, second))), "");
  EXPECT_EQ(kernel.reads, reads) << "a change reads nothing";
  expect_all_delivered(kernel.table, second);
  EXPECT_EQ(*plane.repair(), 0U);
}

TEST(NftDataPlane, NeverShowsPacketsATableThatIsHalfLoaded) {
  FakeKernel kernel(IpFamily::V4);
  const RouteTable table = routes_to("$L@here $R@there");
  NftRenderer renderer(IpFamily::V4, {});
  renderer.start(table, {});
  std::size_t transactions = 0;
  const Status loaded =
      load_nft_table(renderer, NftFound::Nothing, 5, [&](const NftTransaction& transaction) {
        EXPECT_TRUE(kernel.table.at(dataplane::NftHook::Where::Prerouting).empty());
        ++transactions;
        return kernel.send(transaction);
      });
  EXPECT_EQ(text_of(loaded), "");
  EXPECT_GT(transactions, 4U);
  expect_all_delivered(kernel.table, table);
}

TEST(NftDataPlane, WritesNothingAfterARestartWhenNothingChanged) {
  FakeKernel kernel(IpFamily::V4);
  const RouteTable table = routes_to("$L@here $R@there");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(table)), "");
  const std::size_t sent = kernel.sent;
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(table)), "");
  EXPECT_EQ(kernel.sent, sent);
}

TEST(NftDataPlane, BeginsAgainWhereAnEarlierStartWasCutOff) {
  FakeKernel kernel(IpFamily::V4);
  kernel.tamper({dataplane::NftAddTable{}, dataplane::NftAddChain{nft_set::kSlots.data(), {}}});
  const RouteTable table = routes_to("$L@here");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(table)), "");
  expect_all_delivered(kernel.table, table);
}

TEST(NftDataPlane, ReplacesATableOfAnotherLayoutAtOnce) {
  FakeKernel kernel(IpFamily::V4);
  const dataplane::NftHook hook{.where = dataplane::NftHook::Where::Prerouting, .priority = 7};
  kernel.tamper({dataplane::NftAddTable{}, dataplane::NftAddChain{"layout-0", {}},
                 dataplane::NftAddChain{"old", hook}});
  const RouteTable table = routes_to("$L@here $R@there");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(table)), "");
  EXPECT_EQ(kernel.sent, 1U);
  EXPECT_EQ(kernel.table.chain("old"), nullptr);
  expect_all_delivered(kernel.table, table);
}

TEST(NftDataPlane, ReplacesATableThatRemembersAnotherNumberOfClientsAtOnce) {
  FakeKernel kernel(IpFamily::V4);
  const RouteTable table = routes_to("$L@here $R@there");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {.affinity_clients = 5}, kernel).adopt(table)), "");
  const std::size_t sent = kernel.sent;
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(table)), "");
  EXPECT_EQ(kernel.sent, sent + 1);
  EXPECT_EQ(kernel.table.set("affinity-2")->size_limit, 65'535U);
  expect_all_delivered(kernel.table, table);
}

// A sticky service called `name`, at 172.30.0.NUMBER.
void add_sticky(PacketWorld& world, const std::string& name, const std::string& number) {
  world.add_service("ns/" + name + " ip=172.30.0." + number + " port=p:80 affinity=600");
  world.add_slice("ns/" + name + " port=p:8080 $L@here $R@there");
}

// In how many ways a connection of the one client to 172.30.0.NUMBER may go; one of them it goes.
std::size_t ways_of_the_client(FakeKernel& kernel, const std::string& number) {
  const auto outcomes =
      dataplane::nft_trace(kernel.table, {.source = *IpAddress::parse("10.180.0.5"),
                                          .destination = *IpAddress::parse("172.30.0." + number),
                                          .port = 80});
  EXPECT_TRUE(outcomes.has_value());
  dataplane::remember(kernel.table, outcomes->back());
  return outcomes->size();
}

TEST(NftDataPlane, AStartKeepsTheClientsOfItsServicesAndGivesThoseOfOthersToNobody) {
  FakeKernel kernel(IpFamily::V4);
  PacketWorld before(IpFamily::V4);
  add_sticky(before, "a", "51");
  add_sticky(before, "b", "52");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(before.table())), "");
  for (const char* number : {"51", "52"}) {
    EXPECT_EQ(ways_of_the_client(kernel, number), 2U);
    EXPECT_EQ(ways_of_the_client(kernel, number), 1U);
  }
  PacketWorld after(IpFamily::V4);
  add_sticky(after, "a", "51");
  add_sticky(after, "c", "53");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(after.table())), "");
  EXPECT_EQ(ways_of_the_client(kernel, "51"), 1U) << "a known client of a service that stayed";
  EXPECT_EQ(ways_of_the_client(kernel, "53"), 2U) << "a client that only the service before knew";
  EXPECT_EQ(kernel.table.set("affinity-2"), nullptr);
}

TEST(NftDataPlane, AStartKeepsTheClientsOfAServiceWithManyPorts) {
  FakeKernel kernel(IpFamily::V4);
  PacketWorld world(IpFamily::V4);
  std::string service = "ns/a ip=172.30.0.51 affinity=600 port=p:80";
  std::string slice = "ns/a port=p:8080";
  for (int i = 1; i <= 16; ++i) {
    service += " port=q" + std::to_string(i) + ":" + std::to_string(i);
    slice += " port=q" + std::to_string(i) + ":" + std::to_string(8000 + i);
  }
  world.add_service(service);
  world.add_slice(slice + " $L@here $R@there");
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(world.table())), "");
  EXPECT_EQ(ways_of_the_client(kernel, "51"), 2U);
  const std::size_t sent = kernel.sent;
  EXPECT_EQ(text_of(NftDataPlane(IpFamily::V4, {}, kernel).adopt(world.table())), "");
  EXPECT_EQ(kernel.sent, sent);
  EXPECT_EQ(ways_of_the_client(kernel, "51"), 1U);
}

TEST(NftDataPlane, TriesAgainWhenTheKernelAsksForIt) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane plane(IpFamily::V4, {}, kernel);
  kernel.failures = {ErrorCode::Retry, ErrorCode::Retry};
  const RouteTable table = routes_to("$L@here");
  EXPECT_EQ(text_of(plane.adopt(table)), "");
  expect_all_delivered(kernel.table, table);
}

TEST(NftDataPlane, LooksAgainWhenAStrangerWasFaster) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane plane(IpFamily::V4, {}, kernel);
  const RouteTable first = routes_to("$L@here");
  EXPECT_EQ(text_of(plane.adopt(first)), "");
  kernel.tamper({dataplane::NftFlushSet{std::string(nft_set::kSlots)}});
  const RouteTable second = routes_to("$R@there");
  EXPECT_EQ(text_of(plane.apply(second, diff_routes(first, second))), "");
  expect_all_delivered(kernel.table, second);
  EXPECT_EQ(*plane.repair(), 0U);
}

TEST(NftDataPlane, SaysWhyItCannotAndGoesOnLater) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane plane(IpFamily::V4, {}, kernel);
  kernel.failures = {ErrorCode::Denied};
  const RouteTable table = routes_to("$L@here");
  EXPECT_EQ(text_of(plane.adopt(table)), "write table proxima: told to fail");
  EXPECT_FALSE(plane.repair());
  EXPECT_EQ(text_of(plane.apply(table, {})), "");
  expect_all_delivered(kernel.table, table);
}

TEST(NftDataPlane, RepairsWhatAStrangerChangedAndCountsIt) {
  const auto set = [](std::string_view name) { return std::string(name); };
  const dataplane::NftElement odd{
      .key = nft_number(99), .key_end = {}, .value = nft_bytes(BackendAddress{})};
  const struct {
    const char* name;
    std::vector<dataplane::NftOperation> tampering;
    std::size_t count;
  } cases[] = {
      // clang-format off
      {"nothing", {}, 0},
      {"a foreign element", {dataplane::NftAddElements{set(nft_set::kBackends), {odd}}}, 1},
      {"all slots gone", {dataplane::NftFlushSet{set(nft_set::kSlots)}}, 3},
      {"rules gone", {dataplane::NftFlushChain{"pick"}}, 1},
      {"a foreign rule", {dataplane::NftAddRule{"check", {.steps = {dataplane::NftReject{}}, .comment = ""}}}, 1},
      {"a foreign chain", {dataplane::NftAddChain{"stranger", {}}}, 1},
      {"a foreign set in use", {dataplane::NftAddChain{"stranger", {}}, dataplane::NftAddSet{{.name = "odd", .key = {dataplane::NftType::Port}, .data = {}}},
                                dataplane::NftAddRule{"stranger", {.steps = {dataplane::NftLookup{.set = "odd", .to = {}}}, .comment = ""}}}, 2},
      {"the clients of a sticky port gone", {dataplane::NftFlushChain{"recall-2"}, dataplane::NftFlushChain{"learn-2"}, dataplane::NftDeleteSet{"affinity-2"}}, 3},
      {"clients of a port that nobody has", {dataplane::NftAddSet{nft_client_map("affinity-9", NftOptions())}}, 1},
      {"a base chain gone", {dataplane::NftFlushChain{"nat-output"}, dataplane::NftDeleteChain{"nat-output"}}, 1},
      {"the table gone", {dataplane::NftDeleteTable{}}, 1},
      // clang-format on
  };
  for (const auto& c : cases) {
    FakeKernel kernel(IpFamily::V4);
    NftDataPlane plane(IpFamily::V4, {}, kernel);
    const RouteTable table = routes_to("$L@here $R@there");
    EXPECT_EQ(text_of(plane.adopt(table)), "");
    const auto before = kernel.table.content();
    kernel.tamper(c.tampering);
    const auto repaired = plane.repair();
    ASSERT_TRUE(repaired) << c.name << ": " << repaired.error().message;
    EXPECT_EQ(*repaired, c.count) << c.name;
    EXPECT_EQ(kernel.table.content(), before) << c.name;
  }
}

TEST(NftDataPlane, NamesThePortThatHasNoPlaceAndWritesTheOthers) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane plane(IpFamily::V4, {.port_ids = 2}, kernel);
  const RouteTable table = routes_to("$L@here");
  EXPECT_EQ(text_of(plane.adopt(table)),
            "service port ns/b:p/TCP: more service ports than the table can hold");
  const PacketWorld world(IpFamily::V4);
  const auto outcome = [&](const char* to) {
    const auto outcomes = dataplane::nft_trace(
        kernel.table,
        {.source = world.address("pod"), .destination = *IpAddress::parse(to), .port = 80});
    return test::to_text(outcomes.value().front());
  };
  EXPECT_EQ(outcome("172.30.0.41"), "10.180.0.1:8080");
  EXPECT_EQ(outcome("172.30.0.42"), "reject");
  // The number of the other one is free when it has gone, and not before.
  PacketWorld rest(IpFamily::V4);
  rest.add_service("ns/b ip=172.30.0.42 port=p:80 affinity=600");
  rest.add_slice("ns/b port=p:8080 $L@here");
  const RouteTable second = rest.table();
  EXPECT_NE(text_of(plane.apply(second, diff_routes(table, second))), "");
  EXPECT_EQ(text_of(plane.apply(second, {})), "");
  EXPECT_EQ(outcome("172.30.0.42"), "10.180.0.1:8080");
}

TEST(NftDataPlane, RemovesItsTable) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane plane(IpFamily::V4, {}, kernel);
  EXPECT_EQ(text_of(plane.remove()), "") << "nothing is there";
  EXPECT_EQ(text_of(plane.adopt(routes_to("$L@here"))), "");
  EXPECT_EQ(text_of(plane.remove()), "");
  EXPECT_FALSE(kernel.table.exists());
}

// ---- A Service that breaks an invariant ----

// What cannot be planned has the endpoint 10.1.0.9.
NftPort plan_but_for_one_endpoint(const NftPortInput& input) {
  for (const Backend& backend : input.routes.cluster)
    PROXIMA_CHECK(backend.at.address != *IpAddress::parse("10.1.0.9"));
  return plan_nft_port(input);
}

// A data plane in which ns/a may break, beside ns/b. Each has one endpoint, 10.1.0.NUMBER.
class BreakingWorld {
 public:
  // "" for a Service that is not there.
  Status change(const std::string& a, const std::string& b) {
    const RouteTable next = table_of(a, b);
    const Status applied = plane->apply(next, diff_routes(table, next));
    table = next;
    return applied;
  }
  void restart(const std::string& a, const std::string& b) {
    plane = std::make_unique<NftDataPlane>(IpFamily::V4, NftOptions{}, kernel,
                                           plan_but_for_one_endpoint);
    table = table_of(a, b);
    EXPECT_EQ(text_of(plane->adopt(table)), "");
  }
  // "1 2": the endpoints that packets to ns/a and to ns/b go to; "-" when they go nowhere.
  std::string served() const { return endpoint_of("41") + " " + endpoint_of("42"); }
  std::string broken() const {
    std::string names;
    for (const auto& [name, what] : plane->broken())
      names += std::string(name.first.view()) + "/" + std::string(name.second.view());
    return names;
  }

  FakeKernel kernel{IpFamily::V4};
  std::unique_ptr<NftDataPlane> plane;
  RouteTable table;

 private:
  static RouteTable table_of(const std::string& a, const std::string& b) {
    PacketWorld world(IpFamily::V4);
    for (const auto& [name, at, number] :
         {std::tuple("ns/a", "41", a), std::tuple("ns/b", "42", b)}) {
      if (number.empty()) continue;
      world.add_service(std::string(name) + " ip=172.30.0." + at + " port=p:80");
      world.add_slice(std::string(name) + " port=p:8080 10.1.0." + number);
    }
    return world.table();
  }
  std::string endpoint_of(const std::string& at) const {
    const auto outcomes =
        dataplane::nft_trace(kernel.table, {.source = *IpAddress::parse("10.180.0.5"),
                                            .destination = *IpAddress::parse("172.30.0." + at),
                                            .port = 80});
    EXPECT_TRUE(outcomes.has_value());
    const auto& outcome = outcomes->front();
    if (outcome.kind != dataplane::NftOutcome::Kind::Deliver) return "-";
    return outcome.address.text().substr(outcome.address.text().rfind('.') + 1);
  }
};

TEST(NftDataPlane, AServiceThatBreaksAnInvariantKeepsItsRulesAndOthersGoOn) {
  const struct {
    const char* name;
    bool restarts;
    const char* a;
    const char* b;
    const char* served;
    const char* broken;
  } steps[] = {
      {"both are written", true, "1", "2", "1 2", ""},
      {"one breaks and keeps its rules, the other changes", false, "9", "3", "1 3", "ns/a"},
      {"the other changes again", false, "9", "4", "1 4", "ns/a"},
      {"the one can be written again", false, "5", "4", "5 4", ""},
      {"it breaks again", false, "9", "4", "5 4", "ns/a"},
      {"the process starts anew: what the kernel holds stays", true, "9", "6", "5 6", "ns/a"},
      {"the other changes after the start", false, "9", "7", "5 7", "ns/a"},
      {"the one can be written after the start", false, "8", "7", "8 7", ""},
      {"it breaks once more", false, "9", "7", "8 7", "ns/a"},
      {"and goes, with its rules", false, "", "7", "- 7", ""},
      {"a new one breaks: there is nothing to keep", false, "9", "6", "- 6", "ns/a"},
      {"so it is after a start", true, "9", "5", "- 5", "ns/a"},
      {"until it can be written", false, "1", "5", "1 5", ""},
  };
  BreakingWorld world;
  for (const auto& step : steps) {
    const std::size_t reads = world.kernel.reads;
    if (step.restarts)
      world.restart(step.a, step.b);
    else
      EXPECT_EQ(text_of(world.change(step.a, step.b)), "") << step.name;
    EXPECT_EQ(world.served(), step.served) << step.name;
    EXPECT_EQ(world.broken(), step.broken) << step.name;
    EXPECT_EQ(world.kernel.reads, reads + (step.restarts ? 1 : 0)) << step.name;
  }
}

TEST(NftDataPlane, AServiceKeepsItsRulesWhenTheTableIsTakenOverAnew) {
  BreakingWorld world;
  world.restart("1", "2");
  world.kernel.failures = {ErrorCode::Denied};
  EXPECT_NE(text_of(world.change("9", "3")), "");
  EXPECT_EQ(world.served(), "1 2");
  EXPECT_EQ(text_of(world.change("9", "4")), "");
  EXPECT_EQ(world.served(), "1 4");
  EXPECT_EQ(world.broken(), "ns/a");
  world.kernel.tamper({dataplane::NftFlushSet{std::string(nft_set::kSlots)}});
  EXPECT_GT(world.plane->repair().value(), 0U);
  EXPECT_EQ(world.served(), "1 4") << "a check puts right what is kept as well";
}

// A kernel that can tell whether anybody else was there.
class CountingKernel final : public NftKernel {
 public:
  Status send(const NftTransaction& transaction) override { return fake.send(transaction); }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily family,
                                                         std::string_view table) override {
    return fake.read(family, table);
  }
  std::optional<dataplane::NftMoment> now() override {
    return dataplane::NftMoment{.generation = strangers};
  }
  bool is_alone_since(const dataplane::NftMoment& moment) override {
    return moment.generation == strangers;
  }

  FakeKernel fake{IpFamily::V4};
  std::uint32_t strangers = 0;
};

TEST(NftDataPlane, LooksOnlyWhenAStrangerWasThere) {
  CountingKernel kernel;
  const RouteTable first = routes_to("$L@here $R@there");
  const RouteTable second = routes_to("$L@here $R2@there");
  NftDataPlane plane(IpFamily::V4, {}, kernel);
  ASSERT_EQ(text_of(plane.adopt(first)), "");
  EXPECT_EQ(kernel.fake.reads, 1U);
  EXPECT_EQ(plane.repair().value(), 0U);
  ASSERT_EQ(text_of(plane.apply(second, diff_routes(first, second))), "");
  EXPECT_EQ(plane.repair().value(), 0U);
  EXPECT_EQ(kernel.fake.reads, 1U);
  kernel.fake.tamper({dataplane::NftFlushSet{"slots"}});
  ++kernel.strangers;
  EXPECT_GT(plane.repair().value(), 0U);
  EXPECT_EQ(kernel.fake.reads, 2U);
  EXPECT_EQ(plane.repair().value(), 0U);
  EXPECT_EQ(kernel.fake.reads, 2U);
}

TEST(NftDataPlane, LeavesARealKernelAloneWhenNothingChanged) {
  test::in_own_network("that a real kernel's table is taken over without a write", [] {
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
      auto socket = dataplane::NftSocket::open();
      auto watching = dataplane::NftSocket::open();
      ASSERT_TRUE(socket && watching);
      NftSocketKernel kernel(std::move(*socket));
      const RouteTable first = routes_to("$L@here $R@there", family);
      const RouteTable second = routes_to("$L@here $R2@there $L2@here", family);
      NftDataPlane plane(family, {}, kernel);
      ASSERT_EQ(text_of(plane.adopt(first)), "");
      EXPECT_EQ(plane.repair().value(), 0U);
      ASSERT_EQ(text_of(plane.apply(second, diff_routes(first, second))), "");
      const auto generation = watching->generation();
      EXPECT_EQ(plane.repair().value(), 0U);
      NftDataPlane successor(family, {}, kernel);
      ASSERT_EQ(text_of(successor.adopt(second)), "");
      EXPECT_EQ(successor.repair().value(), 0U);
      EXPECT_EQ(watching->generation().value(), generation.value());
      const std::string table = family == IpFamily::V4 ? "ip proxima" : "ip6 proxima";
      EXPECT_EQ(test::run_program("nft list table " + table).status, 0);
      EXPECT_EQ(test::run_program("nft flush map " + table + " slots").status, 0);
      EXPECT_EQ(successor.repair().value(), 5U);
      ASSERT_EQ(text_of(successor.remove()), "");
      EXPECT_FALSE(watching->read_table(family, "proxima").value());
    }
  });
}

// Of sticky services in all the ways in which they change.
TEST(NftDataPlane, ARealKernelTakesWhatAffinityNeedsAndGivesItBack) {
  test::in_own_network("that a real kernel takes the maps and chains of session affinity", [] {
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
      auto socket = dataplane::NftSocket::open();
      auto watching = dataplane::NftSocket::open();
      ASSERT_TRUE(socket && watching);
      NftSocketKernel kernel(std::move(*socket));
      NftDataPlane plane(family, {}, kernel);
      PacketWorld empty(family);
      RouteTable before = empty.table();
      ASSERT_EQ(text_of(plane.adopt(before)), "");
      for (const char* words :
           {"affinity=600", "affinity=60", "", "affinity=600 external=$external eLocal",
            "affinity=600 iLocal", "no service", "affinity=86400"}) {
        PacketWorld world(family);
        if (std::string_view(words) != "no service") {
          world.add_service("ns/a ip=$cluster port=p:80 " + std::string(words));
          world.add_slice("ns/a port=p:8080 $L@here $R@there");
        }
        const RouteTable table = world.table();
        ASSERT_EQ(text_of(plane.apply(table, diff_routes(before, table))), "") << words;
        before = table;
        const auto generation = watching->generation();
        EXPECT_EQ(text_of(NftDataPlane(family, {}, kernel).adopt(table)), "") << words;
        EXPECT_EQ(watching->generation().value(), generation.value()) << words;
        const std::string name = family == IpFamily::V4 ? "ip proxima" : "ip6 proxima";
        EXPECT_EQ(test::run_program("nft list table " + name).status, 0) << words;
      }
      ASSERT_EQ(text_of(plane.remove()), "");
    }
  });
}

TEST(NftDataPlane, AKernelWithoutNatForTheFamilyIsUnsupportedAndKeepsNothing) {
  FakeKernel kernel(IpFamily::V6);
  kernel.lacks_nat = true;
  NftDataPlane plane(IpFamily::V6, {}, kernel);
  const RouteTable table = routes_to("$L@here", IpFamily::V6);
  const Status adopted = plane.adopt(table);
  ASSERT_FALSE(adopted.has_value());
  EXPECT_EQ(adopted.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(adopted.error().message, "write table proxima: No such file or directory");
  EXPECT_FALSE(kernel.table.exists()) << "half a table is left behind";
  kernel.lacks_nat = false;
  EXPECT_EQ(text_of(plane.adopt(table)), "") << "the module was loaded";
  expect_all_delivered(kernel.table, table);
}

TEST(NftDataPlane, AFamilyThatCannotBeReadIsUnsupported) {
  FakeKernel kernel(IpFamily::V6);
  kernel.unreadable = Error{ErrorCode::Unsupported, "Address family not supported by protocol"};
  NftDataPlane plane(IpFamily::V6, {}, kernel);
  const Status adopted = plane.adopt(routes_to("$L@here", IpFamily::V6));
  ASSERT_FALSE(adopted.has_value());
  EXPECT_EQ(adopted.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(kernel.sent, 0U) << "who cannot look must not remove";
}

TEST(NftDataPlane, WhatIsMissingInATableOfOursIsNoMatterOfTheKernel) {
  FakeKernel kernel(IpFamily::V4);
  NftDataPlane first(IpFamily::V4, {}, kernel);
  ASSERT_EQ(text_of(first.adopt(routes_to("$L@here"))), "");
  NftDataPlane second(IpFamily::V4, {}, kernel);
  kernel.failures.assign(5, ErrorCode::NotFound);
  const Status adopted = second.adopt(routes_to("$L@here $R@there"));
  ASSERT_FALSE(adopted.has_value());
  EXPECT_EQ(adopted.error().code, ErrorCode::NotFound) << "to be tried again soon";
  EXPECT_TRUE(kernel.table.exists());
}

}  // namespace
}  // namespace proxima::proxy
