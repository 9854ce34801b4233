// SPDX-License-Identifier: Apache-2.0
// The agents with real machines: Pods of the API are namespaces with backends, and clients ask them
// over real cables. There is no proxy here, so clients ask a Pod by its own address. Where
// namespaces cannot be made the test shows how that is told, and says so.
#include "agents/real_lab.h"

#include <gtest/gtest.h>

#include "agents/lab_cluster.h"
#include "support/embedded_api.h"
#include "support/lab_probes.h"
#include "support/patience.h"
#include "support/two_zones.h"

namespace proxima::agents {
namespace {

using proxima::testing::eventually;
using std::chrono::seconds;

// As a RealLab, but the test says whom clients ask.
class DirectedLab final : public LabPrograms {
 public:
  explicit DirectedLab(RealLab& real) : real_(real) {}
  Status start_backend(const PodPlace& place, std::uint16_t port) override {
    return real_.start_backend(place, port);
  }
  void stop_backend(const std::string& pod) override { real_.stop_backend(pod); }
  void cut_backend(const std::string& pod) override { real_.cut_backend(pod); }
  Status start_client(const PodPlace& place) override { return real_.start_client(place); }
  void stop_client(const std::string& pod) override { real_.stop_client(pod); }
  void set_targets(const std::vector<ServiceTarget>&) override {}
  void set_demand(double requests_per_second, const std::map<std::string, double>& zones) override {
    real_.set_demand(requests_per_second, zones);
  }

 private:
  RealLab& real_;
};

LabOptions busy_lab() {
  LabOptions options = testing::two_zones();
  options.shape.requests_per_second = 40;
  return options;
}

LabPodStatus pod(const LabCluster& lab, const std::string& name) {
  for (const LabPodStatus& one : lab.status().pods)
    if (one.name == name) return one;
  return {};
}

traffic::Seen sum(const traffic::TrafficMeter& meter) {
  traffic::Seen all;
  for (const traffic::Seen& seen : meter.totals()) {
    all.requests += seen.requests;
    all.retried += seen.retried;
    all.failed += seen.failed;
  }
  return all;
}

TEST(RealLab, AZoneFailsAndHealsAndNoRequestIsLost) {
  auto network = lab::LabNetwork::create();
  if (test::refused_here(network)) return;
  SystemClock clock;
  telemetry::Log log({}, clock, [](std::string_view) {});
  testing::EmbeddedApi api(clock);
  traffic::TrafficMeter meter(clock);
  const auto farm = std::move(traffic::BackendFarm::create()).value();
  const auto fleet = std::move(traffic::ClientFleet::create(meter)).value();
  RealLab real(*network, *farm, *fleet);
  DirectedLab directed(real);
  auto made = LabCluster::create(busy_lab(), {api.api(), real, directed, clock, log});
  ASSERT_TRUE(made) << made.error().message;
  LabCluster& lab = **made;
  ASSERT_TRUE(lab.start());
  ASSERT_TRUE(lab.wait_until_ready(clock.steady_now() + testing::kPatience));

  const LabPodStatus asked = pod(lab, "web-2");
  ASSERT_EQ(asked.zone, "zone-b");
  fleet->set_targets(
      {{.service = "shop/web", .address = *IpAddress::parse(asked.address), .port = 8080}});
  EXPECT_TRUE(eventually([&] { return sum(meter).requests >= 20; }));
  EXPECT_EQ(sum(meter).failed, 0U);

  ASSERT_TRUE(lab.fail_zone("zone-b"));
  EXPECT_TRUE(eventually([&] { return !pod(lab, "web-2").ready; }));
  ASSERT_TRUE(lab.heal({HealTarget::Kind::Zone, "zone-b"}));
  const std::uint64_t before = sum(meter).requests;
  EXPECT_TRUE(eventually([&] { return sum(meter).requests >= before + 20; }));
  EXPECT_TRUE(eventually([&] { return pod(lab, "web-2").ready; }));
  EXPECT_EQ(pod(lab, "web-2").address, asked.address) << "it came back as it was";
  EXPECT_EQ(sum(meter).failed, 0U) << "clients tried again until it was back";
  EXPECT_GT(sum(meter).retried, 0U);
  lab.stop();
}

}  // namespace
}  // namespace proxima::agents
