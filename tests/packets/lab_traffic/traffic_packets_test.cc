// SPDX-License-Identifier: Apache-2.0
// Clients in Pods of one node, backends in Pods of another, packets between them. Where namespaces
// cannot be made the tests show how that is told, and say so.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/clock.h"
#include "lab/lab_network.h"
#include "support/lab_probes.h"
#include "support/patience.h"
#include "support/raw_socket.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace proxima::traffic {
namespace {

using lab::HostAddresses;
using lab::LabNetwork;
using proxima::testing::eventually;
using std::chrono::milliseconds;
using support::RawSocket;

struct World {
  LabNetwork network;
  HostAddresses backend;  // Pod "b" on node-2
};

// Pod "c" of node-1 for clients, Pod "b" of node-2 for a backend.
Result<World> build() {
  PROXIMA_TRY(LabNetwork network, LabNetwork::create(), "world");
  World world{std::move(network), {}};
  for (const char* node : {"node-1", "node-2"}) {
    PROXIMA_TRY([[maybe_unused]] const auto added, world.network.add_node(node), node);
  }
  PROXIMA_TRY([[maybe_unused]] const auto client, world.network.add_pod("node-1", "c"), "c");
  PROXIMA_TRY(world.backend, world.network.add_pod("node-2", "b"), "b");
  return world;
}

class TrafficPackets : public ::testing::Test {
 protected:
  void SetUp() override {
    auto built = build();
    if (test::refused_here(built)) return;
    world_.emplace(std::move(built).value());
  }
  Status start(milliseconds think_time = {}) {
    return farm_->start({.pod = "b", .node = "node-2", .zone = "zone-b", .think_time = think_time},
                        world_->network.inside("b"));
  }
  std::unique_ptr<ClientFleet> clients(const IpAddress& address, double rate) {
    auto fleet = ClientFleet::create(meter_).value();
    EXPECT_TRUE(fleet->add({"c", "node-1", "zone-a"}, world_->network.inside("c")));
    fleet->set_targets({{.service = "s", .address = address, .port = 8080}});
    fleet->set_rate(rate);
    return fleet;
  }
  Seen sum() const {
    Seen all;
    for (const Seen& seen : meter_.totals()) {
      all.requests += seen.requests;
      all.retried += seen.retried;
      all.failed += seen.failed;
    }
    return all;
  }
  // A connection from the client's Pod to the backend, with a request sent.
  RawSocket ask_by_hand() const {
    RawSocket socket;
    const Status status = world_->network.inside("c")([&]() -> Status {
      socket = RawSocket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      sockaddr_in at = support::loopback(8080);
      std::memcpy(&at.sin_addr, world_->backend.v4.bytes().data(), sizeof at.sin_addr);
      const auto* generic = reinterpret_cast<const sockaddr*>(&at);
      if (::connect(socket.descriptor(), generic, sizeof at) == 0) return Unit{};
      return Error{ErrorCode::Retry, std::strerror(errno)};
    });
    EXPECT_TRUE(status) << status.error().message;
    socket.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return socket;
  }

  std::optional<World> world_;
  SystemClock clock_;
  TrafficMeter meter_{clock_};
  std::unique_ptr<BackendFarm> farm_ = BackendFarm::create().value();
};

TEST_F(TrafficPackets, GoFromNodeToNodeInBothFamilies) {
  if (!world_) return;
  ASSERT_TRUE(start());
  for (const IpAddress& address : {world_->backend.v4, world_->backend.v6}) {
    SCOPED_TRACE(address.text());
    const std::uint64_t before = sum().requests;
    const auto fleet = clients(address, 200);
    EXPECT_TRUE(eventually([&] { return sum().requests >= before + 100; }));
  }
  EXPECT_EQ(sum().failed, 0U);
  EXPECT_TRUE(eventually([&] { return !meter_.window(std::chrono::seconds(60)).empty(); }));
  const Seen seen = meter_.window(std::chrono::seconds(60)).front();
  EXPECT_EQ(seen.from_node + ">" + seen.to_node + " " + seen.from_zone + ">" + seen.to_zone,
            "node-1>node-2 zone-a>zone-b");
  EXPECT_EQ(seen.pod, "b");
}

TEST_F(TrafficPackets, ABackendSeesTheAddressOfTheClient) {
  if (!world_) return;
  ASSERT_TRUE(start());
  RawSocket socket = ask_by_hand();
  EXPECT_NE(socket.receive_until("client").find("\"client\":\"10.180."), std::string::npos);
}

TEST_F(TrafficPackets, APowerCutFailsNobodyWhenItIsShort) {
  if (!world_) return;
  ASSERT_TRUE(start(milliseconds(5)));
  const auto fleet = clients(world_->backend.v4, 200);
  EXPECT_TRUE(eventually([&] { return sum().requests >= 50; }));
  ASSERT_TRUE(world_->network.set_power("node-2", false));
  farm_->cut("b");
  const std::uint64_t before = sum().requests;
  EXPECT_FALSE(eventually([&] { return sum().requests > before + 20; }, milliseconds(700)));
  ASSERT_TRUE(world_->network.set_power("node-2", true));
  ASSERT_TRUE(start());
  EXPECT_TRUE(eventually([&] { return sum().requests >= before + 300; }));
  EXPECT_EQ(sum().failed, 0U);
  EXPECT_GT(sum().retried, 50U);
}

TEST_F(TrafficPackets, ACutIsSilentAndAStopIsNot) {
  if (!world_) return;
  ASSERT_TRUE(start(milliseconds(200)));
  RawSocket cut_off = ask_by_hand();
  EXPECT_TRUE(eventually([&] { return farm_->served("b") == 1; }));
  farm_->cut("b");
  pollfd waiting{cut_off.descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&waiting, 1, 500), 0) << "somebody said goodbye";
  ASSERT_TRUE(start(milliseconds(200)));
  RawSocket answered = ask_by_hand();
  farm_->stop("b");
  EXPECT_NE(answered.receive_all().find("200 OK"), std::string::npos);
}

TEST_F(TrafficPackets, APodCanLeaveAndComeBackManyTimes) {
  if (!world_) return;
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(start());
    const auto fleet = clients(world_->backend.v4, 200);
    const std::uint64_t before = sum().requests;
    EXPECT_TRUE(eventually([&] { return sum().requests >= before + 10; }));
    fleet->remove("c");
    farm_->stop("b");
    ASSERT_TRUE(world_->network.remove_pod("b"));
    const auto again = world_->network.add_pod("node-2", "b");
    ASSERT_TRUE(again) << again.error().message;
    world_->backend = *again;
  }
  EXPECT_EQ(sum().failed, 0U);
}

}  // namespace
}  // namespace proxima::traffic
