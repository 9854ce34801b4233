// SPDX-License-Identifier: Apache-2.0
// Real backends and real clients over loopback: what the clients saw is what the backends served.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "base/clock.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace proxima::traffic {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

IpAddress loopback() { return IpAddress::parse("127.0.0.1").value(); }

// Until `done` says true; false after ten seconds.
bool eventually(const std::function<bool()>& done) {
  std::mutex mutex;
  std::condition_variable never;
  const auto end = std::chrono::steady_clock::now() + seconds(10);
  std::unique_lock lock(mutex);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    never.wait_for(lock, milliseconds(5));
  }
  return true;
}

class FleetOnLoopback : public ::testing::Test {
 protected:
  void start(const std::string& pod, const std::string& zone, milliseconds think_time = {}) {
    const BackendSpec spec{.pod = pod,
                           .node = "node-" + zone,
                           .zone = zone,
                           .port = 0,
                           .think_time = think_time,
                           .address = "127.0.0.1"};
    const Status status = farm_->start(spec, run_here);
    ASSERT_TRUE(status) << status.error().message;
  }
  Target target(const std::string& service, const std::string& pod, double share = 1) {
    return {.service = service, .address = loopback(), .port = *farm_->port(pod), .share = share};
  }
  Seen sum() const {
    Seen all;
    for (const Seen& seen : meter_.totals()) {
      all.requests += seen.requests;
      all.retried += seen.retried;
      all.failed += seen.failed;
      all.bytes += seen.bytes;
    }
    return all;
  }

  SystemClock clock_;
  TrafficMeter meter_{clock_};
  std::unique_ptr<BackendFarm> farm_ = BackendFarm::create().value();
};

TEST_F(FleetOnLoopback, CountsWhatTheBackendsServed) {
  start("shop/a-1", "a");
  start("shop/b-1", "b");
  auto fleet = ClientFleet::create(meter_).value();
  ASSERT_TRUE(fleet->add({"client-a", "node-a", "a"}, run_here));
  ASSERT_TRUE(fleet->add({"client-b", "node-b", "b"}, run_here));
  fleet->set_targets({target("shop/even", "shop/a-1"), target("shop/other", "shop/b-1")});
  fleet->set_rate(400);
  EXPECT_TRUE(eventually([&] { return sum().requests >= 200; }));
  fleet->set_rate(0);
  EXPECT_TRUE(eventually(
      [&] { return sum().requests == farm_->served("shop/a-1") + farm_->served("shop/b-1"); }));
  EXPECT_EQ(sum().failed, 0U);
  EXPECT_EQ(sum().retried, 0U);
  EXPECT_GE(sum().bytes, sum().requests * 2048);
  for (const Seen& seen : meter_.totals()) {
    EXPECT_EQ(seen.to_zone, seen.service == "shop/even" ? "a" : "b");
  }
}

}  // namespace
}  // namespace proxima::traffic
