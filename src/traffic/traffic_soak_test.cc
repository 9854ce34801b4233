// SPDX-License-Identifier: Apache-2.0
// Everything at once in any order: backends that come, stop and are cut, clients that come
// and go, rates and targets that change, from two threads. Nothing is left in the end, and what
// failed had a reason.
#include <gtest/gtest.h>

#include <thread>

#include "base/clock.h"
#include "base/split_mix.h"
#include "net/listening_socket.h"
#include "support/open_descriptors.h"
#include "support/patience.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace proxima::traffic {
namespace {

using std::chrono::milliseconds;
using test::open_descriptors;

constexpr int kPods = 3;
constexpr int kClients = 4;

std::string name(const char* kind, std::uint64_t number) { return kind + std::to_string(number); }

struct World {
  BackendFarm& farm;
  ClientFleet& fleet;
  std::vector<std::uint16_t> ports;  // one for each Pod

  void start_backend(std::uint64_t pod) const {
    // It may be there already, or its port not be free yet: both are told and neither matters here.
    (void)farm.start({.pod = name("p", pod),
                      .node = "n",
                      .zone = "z",
                      .port = ports[pod],
                      .think_time = milliseconds(pod),
                      .address = "127.0.0.1"},
                     run_here);
  }
  std::vector<Target> targets(std::uint64_t mask) const {
    std::vector<Target> all;
    for (std::uint64_t pod = 0; pod < kPods; ++pod) {
      if ((mask >> pod & 1U) == 0) continue;
      all.push_back({.service = name("s", pod),
                     .address = IpAddress::parse("127.0.0.1").value(),
                     .port = ports[pod]});
    }
    return all;
  }
};

void change_backends(const World& world, std::uint64_t seed) {
  SplitMix random(seed);
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t pod = random.below(kPods);
    if (random.below(2) == 0) {
      world.farm.cut(name("p", pod));
    } else {
      world.farm.stop(name("p", pod));
    }
    world.start_backend(pod);
  }
}

void change_clients(const World& world, std::uint64_t seed) {
  SplitMix random(seed);
  for (int i = 0; i < 2000; ++i) {
    const std::string client = name("c", random.below(kClients));
    switch (random.below(4)) {
      case 0:
        (void)world.fleet.add({client, "n", "z"}, run_here);  // it may be there already
        break;
      case 1:
        world.fleet.remove(client);
        break;
      case 2:
        world.fleet.set_rate(static_cast<double>(random.below(500)));
        break;
      default:
        world.fleet.set_targets(world.targets(random.below(8)));
    }
  }
}

TEST(TrafficSoak, LeavesNothingBehind) {
  const SystemClock clock;
  TrafficMeter meter(clock);
  const std::size_t before = open_descriptors();
  {
    const auto farm = BackendFarm::create().value();
    const auto fleet = ClientFleet::create(meter).value();
    World world{*farm, *fleet, {}};
    for (int pod = 0; pod < kPods; ++pod) {
      world.ports.push_back(net::ListeningSocket::open("127.0.0.1", 0).value().port());
      world.start_backend(static_cast<std::uint64_t>(pod));
    }
    std::thread backends([&] { change_backends(world, 1); });
    std::thread clients([&] { change_clients(world, 2); });
    backends.join();
    clients.join();
    for (std::uint64_t pod = 0; pod < kPods; ++pod) world.start_backend(pod);
    ASSERT_TRUE(fleet->add({"last", "n", "last"}, run_here));
    fleet->set_targets(world.targets(7));
    fleet->set_rate(200);
    EXPECT_TRUE(proxima::testing::eventually([&] {
      for (const Seen& seen : meter.totals())
        if (seen.from_zone == "last" && seen.requests > 20) return true;
      return false;
    }));
  }
  EXPECT_EQ(open_descriptors(), before);
  for (const Seen& seen : meter.totals()) EXPECT_EQ(seen.failed, 0U) << seen.service;
}

}  // namespace
}  // namespace proxima::traffic
