// SPDX-License-Identifier: Apache-2.0
#include "checks/read_answers.h"

#include <gtest/gtest.h>

#include "base/timestamp.h"
#include "checks/name_list.h"
#include "checks/version_text.h"

namespace proxima::checks {
namespace {

std::string list_of(const std::string& items) { return R"({"items":[)" + items + "]}"; }

TEST(ReadAnswers, VersionsOfServers) {
  const auto version = read_version(R"({"major":"1","minor":"31+","gitVersion":"v1.31.2-gke.1"})");
  ASSERT_TRUE(version) << version.error().message;
  EXPECT_EQ(version->git_version, "v1.31.2-gke.1");
  EXPECT_EQ(version->minor, 31);
  EXPECT_EQ(read_version(R"({"gitVersion":"?"})").error().message,
            "gitVersion \"?\" is not a version");
  EXPECT_EQ(read_version("<html>").error().message, "version: the answer is not a JSON object");
}

TEST(ReadAnswers, DatesOfHttp) {
  const struct {
    const char* text;
    const char* time;  // "": none
  } cases[] = {
      {"Thu, 19 Nov 2026 03:23:11 GMT", "2026-11-19T03:23:11Z"},
      {"Sun, 01 Mar 2026 00:00:00 GMT", "2026-03-01T00:00:00Z"},
      {"", ""},
      {"Thu, 19 Nov 2026 03:23:11 CET", ""},
      {"Thu, 19 Nov 2026 03:23:11", ""},
      {"Thu, 19 Foo 2026 03:23:11 GMT", ""},
      {"Thu, 39 Nov 2026 03:23:11 GMT", ""},
  };
  for (const auto& row : cases) {
    const auto time = read_http_date(row.text);
    EXPECT_EQ(time ? time_text(*time) : "", row.time) << row.text;
  }
}

TEST(ReadAnswers, ZonesAndCpuOfNodes) {
  const auto nodes = read_nodes(list_of(
      R"({"metadata":{"name":"n1","labels":{"topology.kubernetes.io/zone":"a"}},
          "status":{"allocatable":{"cpu":"3920m"}}},
         {"metadata":{"name":"n2"},"status":{"allocatable":{"cpu":"0"}}},
         {"metadata":{"name":"n3","labels":{"topology.kubernetes.io/zone":7}},
          "status":{"allocatable":{"cpu":"many"}}}, 5)"));
  ASSERT_TRUE(nodes);
  std::string told;
  for (const NodeRow& node : *nodes)
    told += node.name + " " + node.zone + (node.has_cpu ? " cpu; " : "; ");
  EXPECT_EQ(told, "n1 a cpu; n2 ; n3 ; ");
  EXPECT_EQ(read_nodes("[]").error().message, "list: the answer is not a JSON object");
}

TEST(ReadAnswers, WhoWroteASlice) {
  const auto slices = read_slices(list_of(
      R"({"metadata":{"namespace":"default","name":"kubernetes"}},
         {"metadata":{"namespace":"shop","name":"web-1",
            "labels":{"endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},
            "managedFields":[
              {"manager":"proxima","time":"2026-11-19T11:00:00Z"},
              {"manager":"kube-controller-manager","time":"2026-11-19T09:00:00Z"},
              {"manager":"kube-controller-manager","time":"2026-11-19T10:00:00Z"},
              {"manager":"kube-controller-manager","time":"yesterday"}]}})"));
  ASSERT_TRUE(slices);
  EXPECT_TRUE((*slices)[0].is_of_api_server);
  EXPECT_EQ((*slices)[0].managed_by, "");
  EXPECT_FALSE((*slices)[0].upstream_wrote);
  EXPECT_EQ((*slices)[1].managed_by, "endpointslice-controller.k8s.io");
  ASSERT_TRUE((*slices)[1].upstream_wrote);
  EXPECT_EQ(time_text(*(*slices)[1].upstream_wrote), "2026-11-19T10:00:00Z");
}

TEST(ReadAnswers, DaemonSetsAndWhereTheirPodsMayRun) {
  const auto sets = read_daemon_sets(list_of(
      R"({"metadata":{"namespace":"kube-system","name":"kube-proxy"},
          "spec":{"template":{"spec":{"affinity":{"nodeAffinity":{
            "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{
              "matchExpressions":[{"key":"proxima.io/node-proxy","operator":"NotIn",
                                   "values":["enabled"]}]}]}}},
            "containers":[{"image":"kube-proxy:v1.36.4"}]}}},
          "status":{"desiredNumberScheduled":4,"numberReady":3,"updatedNumberScheduled":2}},
         {"metadata":{"namespace":"calico-system","name":"calico-node"},
          "spec":{"template":{"spec":{"containers":[{"env":[
            {"name":"FELIX_BPFENABLED","value":"true"}]}]}}}},
         {"metadata":{"namespace":"px","name":"proxy","labels":{
            "app.kubernetes.io/name":"proxima","app.kubernetes.io/component":"proxy"}},
          "status":{"desiredNumberScheduled":-4,"numberReady":"x"}})"));
  ASSERT_TRUE(sets);
  const Workload& kube_proxy = (*sets)[0];
  EXPECT_EQ(kube_proxy.image, "kube-proxy:v1.36.4");
  EXPECT_EQ(kube_proxy.wanted, 4);
  EXPECT_EQ(kube_proxy.ready, 3);
  EXPECT_EQ(kube_proxy.updated, 2);
  EXPECT_TRUE(kube_proxy.avoids_proxima);
  EXPECT_FALSE(kube_proxy.has_felix_ebpf);
  EXPECT_EQ(kube_proxy.component, "");
  EXPECT_TRUE((*sets)[1].has_felix_ebpf);
  EXPECT_FALSE((*sets)[1].avoids_proxima);
  EXPECT_EQ((*sets)[2].component, "proxy");
  EXPECT_EQ((*sets)[2].wanted, 0);
  EXPECT_EQ((*sets)[2].ready, 0);
}

TEST(ReadAnswers, DeploymentsWantOneReplicaWhereTheySayNothing) {
  const auto deployments = read_deployments(list_of(
      R"({"metadata":{"name":"a"},"spec":{"replicas":2},"status":{"availableReplicas":1}},
         {"metadata":{"name":"b"}})"));
  ASSERT_TRUE(deployments);
  EXPECT_EQ((*deployments)[0].wanted, 2);
  EXPECT_EQ((*deployments)[0].ready, 1);
  EXPECT_EQ((*deployments)[1].wanted, 1);
}

TEST(ReadAnswers, WhichControllersAManagerRuns) {
  const struct {
    const char* words;
    bool runs;
  } cases[] = {
      {R"("kube-controller-manager")", true},
      {R"("--controllers=*,bootstrapsigner")", true},
      {R"("--controllers=*,-endpointslice-controller")", false},
      {R"("--v=2","--controllers=*,-endpointslice,tokencleaner")", false},
      {R"("--controllers=*,-endpointslice-mirroring-controller")", true},
      {R"("--controllers=job-controller")", false},
      {R"("--controllers=job-controller,endpointslice-controller")", true},
  };
  for (const auto& row : cases) {
    for (const char* field : {"command", "args"}) {
      const auto pods = read_manager_pods(list_of(
          R"({"metadata":{"namespace":"kube-system","name":"kcm"},"spec":{"containers":[{")" +
          std::string(field) + "\":[" + row.words + "]}]}}"));
      ASSERT_TRUE(pods);
      EXPECT_EQ(pods->front().runs_slice_controller, row.runs) << row.words;
      EXPECT_EQ(pods->front().name, "kube-system/kcm");
    }
  }
}

TEST(ReadAnswers, ReviewsOfAccess) {
  EXPECT_TRUE(*read_allowed(R"({"status":{"allowed":true}})"));
  EXPECT_FALSE(*read_allowed(R"({"status":{"allowed":false,"denied":true}})"));
  EXPECT_FALSE(*read_allowed(R"({"status":{}})"));
  EXPECT_EQ(read_allowed("{}").error().message, "the review has no status");
}

TEST(ReadAnswers, SettingsOfCniPlugins) {
  const auto cilium = [](const std::string& value) {
    return *read_cilium_setting(
        R"({"metadata":{"namespace":"kube-system","name":"cilium-config"},"data":{)" + value +
        "}}");
  };
  EXPECT_EQ(cilium(R"("kube-proxy-replacement":"true")"),
            "kube-proxy-replacement=true in kube-system/cilium-config");
  EXPECT_EQ(cilium(R"("kube-proxy-replacement":"strict")"),
            "kube-proxy-replacement=strict in kube-system/cilium-config");
  for (const char* off : {R"("kube-proxy-replacement":"false")",
                          R"("kube-proxy-replacement":"disabled")", R"("debug":"true")"})
    EXPECT_EQ(cilium(off), "") << off;
  EXPECT_EQ(*read_felix_setting(R"({"metadata":{"name":"default"},"spec":{"bpfEnabled":true}})"),
            "bpfEnabled: true in the FelixConfiguration default");
  EXPECT_EQ(*read_felix_setting(R"({"metadata":{"name":"default"},"spec":{}})"), "");
}

TEST(VersionText, IsReadFromKernelsServersAndImages) {
  EXPECT_EQ(parse_version_pair("6.1.0-18-amd64"), (VersionPair{6, 1}));
  EXPECT_EQ(parse_version_pair("v1.36.4+k3s1"), (VersionPair{1, 36}));
  for (const char* bad : {"", "v", "6", "6.", "x.1", "-1.2", "99999999999.1"})
    EXPECT_FALSE(parse_version_pair(bad)) << bad;
  EXPECT_EQ(image_tag("proxima:0.1.0"), "0.1.0");
  EXPECT_EQ(image_tag("registry:5000/a/proxima:0.1.0@sha256:ab"), "0.1.0");
  for (const char* bare : {"proxima", "registry:5000/proxima", "proxima@sha256:ab", ""})
    EXPECT_EQ(image_tag(bare), "") << bare;
}

TEST(NameList, CountsWhatIsTooLong) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
  const auto first = [&](std::size_t count) { return name_list(std::span(names).first(count)); };
  EXPECT_EQ(first(0), "");
  EXPECT_EQ(first(1), "a");
  EXPECT_EQ(first(2), "a and b");
  EXPECT_EQ(first(5), "a, b, c, d and e");
  EXPECT_EQ(first(7), "a, b, c, d, e and 2 more");
  EXPECT_EQ(counted(1, "Pod"), "1 Pod");
  EXPECT_EQ(counted(0, "Pod"), "0 Pods");
}

}  // namespace
}  // namespace proxima::checks
