// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_objects.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::agents {
namespace {

const WallTime kWrittenAt{std::chrono::seconds(1'772'323'200)};
const MachineAddresses kPod{*IpAddress::parse("10.180.1.10"), *IpAddress::parse("fd00::a")};
const MachineAddresses kHost{*IpAddress::parse("192.168.1.2"), *IpAddress::parse("fd00::2")};

TEST(LabObjects, ANodeSaysItsZone) {
  EXPECT_EQ(render_node("node-1", "zone-a"),
            R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","labels":)"
            R"({"kubernetes.io/hostname":"node-1","kubernetes.io/os":"linux",)"
            R"("topology.kubernetes.io/zone":"zone-a"}}})");
}

TEST(LabObjects, AServiceSelectsItsPodsAndSaysItsPolicy) {
  ServiceShape shape;
  shape.name = "even";
  shape.policy = "balanced";
  shape.overload = "20%";
  EXPECT_EQ(render_service(shape),
            R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"even","namespace":"shop",)"
            R"("annotations":{"proxima.io/policy":"balanced","proxima.io/overload":"20%"}},)"
            R"("spec":{"selector":{"app":"even"},"ipFamilyPolicy":"PreferDualStack",)"
            R"("ports":[{"name":"http","port":80,"targetPort":8080}]}})");
}

TEST(LabObjects, APodWaitsForANodeOfItsZone) {
  EXPECT_EQ(render_pod({"shop", "even-1", "zone-a", {{"app", "even"}}}),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"even-1","namespace":"shop",)"
            R"("labels":{"app":"even"}},"spec":{"terminationGracePeriodSeconds":2,)"
            R"("enableServiceLinks":false,"containers":[{"name":"web",)"
            R"("image":"proxima.io/lab/backend","ports":[{"name":"http","containerPort":8080,)"
            R"("protocol":"TCP"}]}],"nodeSelector":{"topology.kubernetes.io/zone":"zone-a"}}})");
}

TEST(LabObjects, ARunningPodShowsEveryContainerAsReady) {
  const auto patch = render_running(
      R"({"spec":{"containers":[{"name":"web","image":"nginx"},{"name":"side","image":"x"}]}})",
      kPod, kHost, kWrittenAt);
  ASSERT_TRUE(patch);
  for (const char* part :
       {R"("phase":"Running")", R"("podIPs":[{"ip":"10.180.1.10"},{"ip":"fd00::a"}])",
        R"("hostIP":"192.168.1.2")",
        R"({"type":"Ready","status":"True","lastTransitionTime":"2026-03-01T00:00:00Z"})",
        R"({"name":"web","image":"nginx","imageID":"","ready":true)", R"({"name":"side")"})
    EXPECT_NE(patch->find(part), std::string::npos) << part << "\n" << *patch;
}

TEST(LabObjects, APodWithoutContainersIsNotReported) {
  for (const char* pod : {"", "[]", "{}", R"({"spec":1})", R"({"spec":{"containers":{}}})"}) {
    const auto patch = render_running(pod, kPod, kHost, kWrittenAt);
    ASSERT_FALSE(patch) << pod;
    EXPECT_EQ(patch.error().message, "status of a running Pod: spec.containers: missing");
  }
}

TEST(LabObjects, ANodeKeepsTheCapacityThatItsMakerGaveIt) {
  EXPECT_NE(render_node_well("n", kHost, false, kWrittenAt).find(R"("allocatable":{"cpu":"4")"),
            std::string::npos);
  const std::string own = render_node_well("n", kHost, true, kWrittenAt);
  EXPECT_EQ(own.find("allocatable"), std::string::npos);
  EXPECT_NE(own.find(R"([{"type":"InternalIP","address":"192.168.1.2"},)"
                     R"({"type":"InternalIP","address":"fd00::2"},)"
                     R"({"type":"Hostname","address":"n"}])"),
            std::string::npos);
}

TEST(LabObjects, WhatIsLostSaysWhy) {
  EXPECT_EQ(render_node_lost(kWrittenAt),
            R"({"status":{"conditions":[{"type":"Ready","status":"Unknown",)"
            R"("lastTransitionTime":"2026-03-01T00:00:00Z","reason":"NodeStatusUnknown",)"
            R"("message":"Kubelet stopped posting node status."}]}})");
  EXPECT_NE(render_pod_lost(kWrittenAt).find(R"("status":"False")"), std::string::npos);
}

TEST(LabObjects, APolicyIsAnAnnotationAndNoPolicyIsNone) {
  const auto overload = [](double value) { return render_policy("balanced", value); };
  EXPECT_EQ(overload(0.2), R"({"metadata":{"annotations":{"proxima.io/policy":"balanced",)"
                           R"("proxima.io/overload":"0.2"}}})");
  EXPECT_NE(overload(std::numeric_limits<double>::infinity()).find(R"("inf")"), std::string::npos);
  EXPECT_EQ(render_policy("auto", std::nullopt),
            R"({"metadata":{"annotations":{"proxima.io/policy":"auto",)"
            R"("proxima.io/overload":null}}})");
  EXPECT_EQ(render_policy(std::nullopt, 0.3),
            R"({"metadata":{"annotations":{"proxima.io/policy":null,)"
            R"("proxima.io/overload":null}}})");
}

TEST(LabObjects, ANamespaceAsksForTheTrafficThatNodesSay) {
  EXPECT_EQ(render_namespace("shop"),
            R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop","annotations":)"
            R"({"proxima.io/demand":"measured"}}})");
  EXPECT_EQ(render_traffic(16.667),
            R"({"metadata":{"annotations":{"proxima.io/traffic":"16.667"}}})");
}

TEST(LabObjects, ABindingIsForOnePodOnly) {
  EXPECT_EQ(render_binding({"shop", "web"}, "u-1", "node-2"),
            R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"web","namespace":"shop",)"
            R"("uid":"u-1"},"target":{"apiVersion":"v1","kind":"Node","name":"node-2"}})");
}

}  // namespace
}  // namespace proxima::agents
