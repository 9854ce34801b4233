// SPDX-License-Identifier: Apache-2.0
#include "manifest/read_manifests.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "archive/archive_writer.h"
#include "net/inflate.h"
#include "support/source_folder.h"

namespace proxima::manifest {
namespace {

namespace fs = std::filesystem;

Result<Loaded> read(std::string_view text, bool strict = false) {
  ReadOptions options;
  options.strict = strict;
  return read_manifest_text(text, "dump", options);
}

// The problems, one a line, without the file's name.
std::string problems_of(const Loaded& loaded) {
  std::string out;
  for (const wire::Problem& problem : loaded.problems)
    out += (out.empty() ? "" : "\n") + wire::to_text(problem).substr(problem.file.size() + 2);
  return out;
}

std::string problems_of(std::string_view text) {
  auto loaded = read(text);
  return loaded ? problems_of(*loaded) : "error: " + loaded.error().message;
}

// A directory that goes away with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "proxima-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { fs::remove_all(path_); }

  std::string write(const std::string& name, std::string_view text) const {
    const fs::path file = fs::path(path_) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string node(std::string_view name) {
  return "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + std::string(name) +
         "\"}}";
}

TEST(ReadManifests, ReadsANode) {
  auto loaded = read(R"(
apiVersion: v1
kind: Node
metadata:
  name: n1
  labels:
    topology.kubernetes.io/zone: a
    topology.kubernetes.io/region: west
    node-role.kubernetes.io/control-plane: ""
  annotations: {proxima.io/traffic: "12.5"}
status:
  allocatable: {cpu: 3920m, memory: 1Gi}
  capacity: {cpu: "4"}
  conditions:
  - {type: MemoryPressure, status: "False"}
  - {type: Ready, status: "True"}
)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(problems_of(*loaded), "");
  const model::Snapshot& snapshot = *loaded->snapshot;
  ASSERT_EQ(snapshot.nodes.size(), 1U);
  const model::Node& n1 = snapshot.nodes[0];
  EXPECT_EQ(snapshot.names[n1.name], "n1");
  EXPECT_EQ(snapshot.zone_name(n1.zone), "a");
  EXPECT_EQ(n1.cpu.milli(), 3920);
  EXPECT_EQ(n1.traffic, 12.5);
  EXPECT_TRUE(n1.ready);
  EXPECT_TRUE(n1.control_plane);
  EXPECT_EQ(snapshot.names[snapshot.regions[n1.region.value()]], "west");
}

TEST(ReadManifests, AQuantityMayBeANumber) {
  auto loaded = read("{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 2.5}}}");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->snapshot->nodes[0].cpu.milli(), 2500);
  EXPECT_FALSE(loaded->snapshot->nodes[0].ready);
}

TEST(ReadManifests, ReadsAPod) {
  auto loaded = read(R"({"apiVersion":"v1","kind":"Pod",
    "metadata":{"name":"web-abc-1","namespace":"shop","labels":{"app":"web","pod-template-hash":"abc"},
      "annotations":{"proxima.io/weight":"2.5"},"deletionTimestamp":"2026-01-05T08:30:00Z",
      "ownerReferences":[{"kind":"Other","name":"x"},
                         {"kind":"ReplicaSet","name":"web-abc","controller":true}]},
    "spec":{"nodeName":"n1","hostname":"h","subdomain":"s",
      "containers":[{"ports":[{"containerPort":8080,"name":"http"},{"containerPort":9}]},
                    {"ports":[{"containerPort":53,"name":"dns","protocol":"UDP"}]}],
      "initContainers":[{"ports":[{"containerPort":1,"name":"no"}]},
                        {"restartPolicy":"Always","ports":[{"containerPort":2,"name":"side"}]}]},
    "status":{"phase":"Running","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"FD00::1"}],
      "conditions":[{"type":"Ready","status":"True"}]}})");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(problems_of(*loaded), "");
  const model::Snapshot& snapshot = *loaded->snapshot;
  ASSERT_EQ(snapshot.pods.size(), 1U);
  const model::Pod& pod = snapshot.pods[0];
  EXPECT_EQ(snapshot.namespace_name(pod.ns), "shop");
  EXPECT_EQ(snapshot.names[pod.owner], "Deployment/web") << "the workload a person would name";
  EXPECT_EQ(snapshot.names[pod.node_name], "n1");
  EXPECT_FALSE(pod.node) << "the Node is not in the dump";
  EXPECT_EQ(pod.weight, 2.5F);
  EXPECT_TRUE(pod.ready);
  EXPECT_TRUE(pod.terminating);
  EXPECT_EQ(pod.phase, model::PodPhase::Running);
  const auto addresses = model::Snapshot::part(snapshot.pod_addresses, pod.addresses);
  ASSERT_EQ(addresses.size(), 2U);
  EXPECT_EQ(addresses[1].text(), "fd00::1");
  const auto ports = model::Snapshot::part(snapshot.container_ports, pod.container_ports);
  ASSERT_EQ(ports.size(), 3U) << "named ports of containers and of init containers that stay";
  EXPECT_EQ(snapshot.names[ports[1].protocol], "UDP");
  EXPECT_EQ(snapshot.names[ports[2].name], "side");
}

TEST(ReadManifests, APodWithOnlyPodIpHasThatAddress) {
  auto loaded = read("{kind: Pod, metadata: {name: p}, status: {podIP: 10.0.0.9}}");
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->snapshot->pod_addresses.size(), 1U);
  EXPECT_EQ(loaded->snapshot->namespace_name(loaded->snapshot->pods[0].ns), "default");
}

TEST(ReadManifests, ReadsAServiceWithItsPolicies) {
  auto loaded = read(R"(
kind: Service
apiVersion: v1
metadata:
  name: web
  namespace: shop
  annotations:
    service.kubernetes.io/topology-mode: Auto
    service.kubernetes.io/topology-aware-hints: auto
    proxima.io/policy: balanced
    proxima.io/overload: 20%
    proxima.io/topology-keys: a,*
    proxima.io/demand: nodes
    proxima.io/min-local-endpoints: "2"
    proxima.io/node-first: "true"
spec:
  type: LoadBalancer
  clusterIPs: [10.96.0.7, "fd00::7"]
  ipFamilies: [IPv4, IPv6]
  internalTrafficPolicy: Local
  externalTrafficPolicy: Local
  publishNotReadyAddresses: true
  trafficDistribution: PreferClose
  trafficPolicy: PreferZone
  topologyKeys: [kubernetes.io/hostname, "*"]
  externalIPs: [192.0.2.1]
  selector: {app: web}
  ports:
  - {name: http, port: 80, targetPort: web, nodePort: 30080, appProtocol: http}
  - {name: dns, port: 53, protocol: UDP}
status:
  loadBalancer: {ingress: [{ip: 192.0.2.7}]}
)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(problems_of(*loaded), "");
  const model::Snapshot& snapshot = *loaded->snapshot;
  ASSERT_EQ(snapshot.services.size(), 1U);
  const model::Service& web = snapshot.services[0];
  auto text = [&](NameId name) { return std::string(snapshot.names[name]); };
  EXPECT_EQ(text(web.topology_mode) + " " + text(web.topology_aware_hints), "Auto auto");
  EXPECT_EQ(text(web.traffic_distribution) + " " + text(web.traffic_policy),
            "PreferClose PreferZone");
  EXPECT_EQ(text(web.routing.policy) + " " + text(web.routing.overload), "balanced 20%");
  EXPECT_EQ(text(web.routing.topology_keys) + " " + text(web.routing.demand), "a,* nodes");
  EXPECT_EQ(text(web.routing.min_local_endpoints) + " " + text(web.routing.node_first), "2 true");
  EXPECT_EQ(web.type, model::ServiceType::LoadBalancer);
  EXPECT_EQ(web.internal_policy, model::TrafficPolicy::Local);
  EXPECT_EQ(web.external_policy, model::TrafficPolicy::Local);
  EXPECT_TRUE(web.publish_not_ready && web.has_external_ips && web.has_load_balancer_ip);
  EXPECT_TRUE(web.has_v4 && web.has_v6 && web.has_selector && !web.headless);
  const auto ports = model::Snapshot::part(snapshot.service_ports, web.ports);
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_EQ(text(ports[0].target_name), "web");
  EXPECT_EQ(ports[0].target_port, 0);
  EXPECT_EQ(ports[0].node_port, 30080);
  EXPECT_EQ(ports[1].target_port, 53) << "the port itself, when the object says nothing";
  EXPECT_EQ(text(ports[1].protocol), "UDP");
  const auto keys = model::Snapshot::part(snapshot.names_pool, web.topology_key_fields);
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(text(keys[1]), "*");
}

TEST(ReadManifests, FillsInWhatAnApiServerWould) {
  const struct {
    const char* name;
    const char* spec;
    bool v4, v6, headless, selector;
  } cases[] = {
      {"nothing said", "{}", true, false, false, false},
      {"an IPv6 cluster address", "{clusterIP: 'fd00::1'}", false, true, false, false},
      {"both addresses", "{clusterIPs: [10.0.0.1, 'fd00::1']}", true, true, false, false},
      {"headless", "{clusterIP: None, selector: {a: b}}", true, false, true, true},
      {"headless of both families", "{clusterIP: None, ipFamilies: [IPv6, IPv4]}", true, true, true,
       false},
      {"an empty selector selects", "{selector: {}}", true, false, false, true},
      {"a null selector does not", "{selector: null}", true, false, false, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto loaded = read("kind: Service\nmetadata: {name: s}\nspec: " + std::string(c.spec));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(problems_of(*loaded), "");
    const model::Service& service = loaded->snapshot->services[0];
    EXPECT_EQ(service.has_v4, c.v4);
    EXPECT_EQ(service.has_v6, c.v6);
    EXPECT_EQ(service.headless, c.headless);
    EXPECT_EQ(service.has_selector, c.selector);
    EXPECT_EQ(service.type, model::ServiceType::ClusterIp);
  }
}

TEST(ReadManifests, ReadsAnEndpointSlice) {
  auto loaded = read(R"(
{"kind":"List","items":[
 {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}},
 {"apiVersion":"v1","kind":"Service","metadata":{"name":"web"}},
 {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
  "metadata":{"name":"web-1","labels":{"kubernetes.io/service-name":"web",
     "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"}},
  "ports":[{"port":8080}],
  "endpoints":[
   {"addresses":["10.0.0.1","10.0.0.2"],"conditions":{"ready":true,"serving":true,"terminating":false},
    "nodeName":"n1","zone":"a","targetRef":{"kind":"Pod","name":"p1","namespace":"default"},
    "hints":{"forZones":[{"name":"b"}],"forNodes":[{"name":"n1"}]}},
   {"addresses":["10.0.0.3"],"conditions":{}}]}]})");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(problems_of(*loaded), "");
  const model::Snapshot& snapshot = *loaded->snapshot;
  ASSERT_EQ(snapshot.slices.size(), 1U);
  EXPECT_TRUE(snapshot.slices[0].service);
  EXPECT_TRUE(snapshot.slices[0].managed_by_controller);
  EXPECT_FALSE(snapshot.slices[0].derived);
  ASSERT_EQ(snapshot.endpoints.size(), 2U);
  const model::Endpoint& first = snapshot.endpoints[0];
  EXPECT_EQ(first.address.text(), "10.0.0.1");
  EXPECT_EQ(snapshot.node_name(first.node), "n1");
  EXPECT_EQ(snapshot.zone_name(first.zone), "a");
  EXPECT_EQ(snapshot.names[first.pod], "p1");
  EXPECT_EQ(first.zone_hint_count + first.node_hint_count, 2);
  EXPECT_EQ(first.terminating, model::Condition::False);
  EXPECT_EQ(snapshot.endpoints[1].ready, model::Condition::Unset);
  EXPECT_EQ(snapshot.names[snapshot.endpoint_ports[0].protocol], "TCP");
}

TEST(ReadManifests, ReadsTheTopologyMapOfV1beta1) {
  auto loaded = read(R"(
apiVersion: discovery.k8s.io/v1beta1
kind: EndpointSlice
metadata: {name: s}
addressType: IPv6
endpoints:
- addresses: ["fd00::1"]
  topology: {kubernetes.io/hostname: n1, topology.kubernetes.io/zone: a}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}}
)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const model::Snapshot& snapshot = *loaded->snapshot;
  EXPECT_EQ(snapshot.zone_name(snapshot.endpoints[0].zone), "a");
  EXPECT_EQ(snapshot.node_name(snapshot.endpoints[0].node), "n1");
  EXPECT_EQ(snapshot.slices[0].family, IpFamily::V6);
}

TEST(ReadManifests, ReadsNamespacesAndTheirPolicy) {
  auto loaded =
      read("{kind: Namespace, metadata: {name: shop, annotations: {proxima.io/policy: auto}}}");
  ASSERT_TRUE(loaded);
  const model::Snapshot& snapshot = *loaded->snapshot;
  ASSERT_EQ(snapshot.namespaces.size(), 1U);
  EXPECT_EQ(snapshot.names[snapshot.namespaces[0].routing.policy], "auto");
}

TEST(ReadManifests, ItemsOfATypedListNeedNoKind) {
  auto loaded = read(R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"p"}}]})");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->pods.size(), 1U);
  auto slices = read(
      R"({"items":[{"metadata":{"name":"s"},"addressType":"IPv4"}],"kind":"EndpointSliceList",
          "apiVersion":"discovery.k8s.io/v1"})");
  ASSERT_TRUE(slices) << slices.error().message;
  EXPECT_EQ(slices->snapshot->slices.size(), 1U);
}

TEST(ReadManifests, CountsAndSkipsOtherKinds) {
  auto loaded = read(R"(
{kind: List, items: [
  {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}},
  {apiVersion: apps/v1, kind: Deployment, metadata: {name: b}},
  {apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: c}},
  {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: FQDN, metadata: {name: d}},
  {apiVersion: v1, kind: ConfigMap}]}
)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(problems_of(*loaded), "");
  const std::map<std::string, std::size_t, std::less<>> expected = {
      {"ConfigMap", 1},
      {"Deployment.apps", 2},
      {"EndpointSlice (FQDN)", 1},
      {"Service.serving.knative.dev", 1}};
  EXPECT_EQ(loaded->skipped_kinds, expected);
  EXPECT_EQ(loaded->objects, 5U);
  EXPECT_TRUE(loaded->snapshot->services.empty());
}

TEST(ReadManifests, TellsJsonFromYamlByContent) {
  const struct {
    const char* name;
    std::string text;
    std::size_t nodes;
  } cases[] = {
      {"JSON", node("a"), 1},
      {"JSON, one a line", node("a") + "\n" + node("b"), 2},
      {"JSON, one after another", node("a") + node("b"), 2},
      {"JSON with YAML's separator", node("a") + "\n---\n" + node("b"), 2},
      {"an array", "[" + node("a") + "," + node("b") + "]", 2},
      {"a byte order mark", "\xef\xbb\xbf" + node("a"), 1},
      {"YAML in flow style", "{kind: Node, metadata: {name: a}}", 1},
      {"YAML that starts with a separator", "---\nkind: Node\nmetadata:\n  name: a\n", 1},
      {"YAML with a list", "kind: List\nitems:\n- " + node("a") + "\n- " + node("b"), 2},
      {"YAML with Windows line ends", "kind: Node\r\nmetadata:\r\n  name: a\r\n---\r\n" + node("b"),
       2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto loaded = read(c.text);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(problems_of(*loaded), "");
    EXPECT_EQ(loaded->snapshot->nodes.size(), c.nodes);
  }
}

TEST(ReadManifests, ReadsUtf16AsWindowsWritesIt) {
  const std::string text = "kind: Node\nmetadata: {name: a}\n";
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += std::string({c, '\0'});
  auto loaded = read(wide);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 1U);
}

// Every row has one bad thing beside a good Node, which is always read.
TEST(ReadManifests, NamesWhatIsWrongAndReadsTheRest) {
  const struct {
    const char* name;
    std::string object;
    std::string problem;
  } cases[] = {
      {"no kind", R"({"metadata":{"name":"x"}})", "document 1: item 1: kind: missing"},
      {"no name", R"({"kind":"Pod"})", "document 1: item 1 (Pod): metadata.name: missing"},
      {"an empty name", R"({"kind":"Node","metadata":{"name":""}})",
       "document 1: item 1 (Node): metadata.name: missing"},
      {"a name with a slash", R"({"kind":"Node","metadata":{"name":"a/b"}})",
       "document 1: item 1 (Node): metadata.name: not a name: \"a/b\""},
      {"a name with a NUL byte", R"({"kind":"Node","metadata":{"name":"a\u0000"}})",
       "document 1: item 1 (Node): metadata.name: not a name: \"a\\x00\""},
      {"a name of a thousand bytes",
       R"({"kind":"Node","metadata":{"name":")" + std::string(1000, 'x') + R"("}})",
       "document 1: item 1 (Node): metadata.name: not a name: \"" + std::string(387, 'x') + "…"},
      {"a namespace with a blank", R"({"kind":"Pod","metadata":{"name":"a","namespace":" "}})",
       "document 1: item 1 (Pod): metadata.namespace: not a name: \" \""},
      {"metadata of the wrong type", R"({"kind":"Node","metadata":[]})",
       "document 1: item 1 (Node): metadata: not an object\n"
       "document 1: item 1 (Node): metadata.name: missing"},
      {"a label that is a number",
       R"({"kind":"Node","metadata":{"name":"x","labels":{"a.b/c":1}}})",
       "document 1: Node x: metadata.labels[\"a.b/c\"]: not a string"},
      {"a bad quantity",
       R"({"kind":"Node","metadata":{"name":"x"},"status":{"allocatable":{"cpu":"two"}}})",
       "document 1: Node x: status.allocatable.cpu: not a quantity: \"two\" (no digits)"},
      {"a quantity of the wrong type",
       R"({"kind":"Node","metadata":{"name":"x"},"status":{"allocatable":{"cpu":[]}}})",
       "document 1: Node x: status.allocatable.cpu: neither a string nor a number"},
      {"a bad address of a Pod",
       R"({"kind":"Pod","metadata":{"name":"p","namespace":"s"},
           "status":{"podIPs":[{"ip":"10.0.0.1"},{"ip":"x"}]}})",
       "document 1: Pod s/p: status.podIPs[1].ip: not an IP address: \"x\""},
      {"a node name that is a number",
       R"({"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":1}})",
       "document 1: Pod default/p: spec.nodeName: not a string"},
      {"traffic that is none",
       R"({"kind":"Node","metadata":{"name":"x","annotations":{"proxima.io/traffic":"much"}}})",
       "document 1: Node x: metadata.annotations[\"proxima.io/traffic\"]: not a number from 0 "
       "to 1,000,000,000,000,000: \"much\""},
      {"traffic beyond its limit",
       R"({"kind":"Node","metadata":{"name":"x","annotations":{"proxima.io/traffic":"1e306"}}})",
       "document 1: Node x: metadata.annotations[\"proxima.io/traffic\"]: not a number from 0 "
       "to 1,000,000,000,000,000: \"1e306\""},
      {"more CPU than its limit",
       R"({"kind":"Node","metadata":{"name":"x"},"status":{"allocatable":{"cpu":"2E"}}})",
       "document 1: Node x: status.allocatable.cpu: not a number from 0 to 1,000,000,000: \"2E\""},
      {"a bad weight",
       R"({"kind":"Pod","metadata":{"name":"p","annotations":{"proxima.io/weight":"-1"}}})",
       "document 1: Pod default/p: metadata.annotations[\"proxima.io/weight\"]: not a number from "
       "0.000001 to 1,000,000: \"-1\""},
      {"a weight beyond its limit",
       R"({"kind":"Pod","metadata":{"name":"p","annotations":
           {"proxima.io/weight":"18014398509481984"}}})",
       "document 1: Pod default/p: metadata.annotations[\"proxima.io/weight\"]: not a number from "
       "0.000001 to 1,000,000: \"18014398509481984\""},
      {"a weight of next to nothing",
       R"({"kind":"Pod","metadata":{"name":"p","annotations":{"proxima.io/weight":"1e-7"}}})",
       "document 1: Pod default/p: metadata.annotations[\"proxima.io/weight\"]: not a number from "
       "0.000001 to 1,000,000: \"1e-7\""},
      {"a port out of range",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":70000}]}})",
       "document 1: Service default/s: spec.ports[0].port: not a port number: 70000"},
      {"a port that is missing",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"name":"x"}]}})",
       "document 1: Service default/s: spec.ports[0].port: missing"},
      {"a target port out of range",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":1,"targetPort":-1}]}})",
       "document 1: Service default/s: spec.ports[0].targetPort: not a port number: -1"},
      {"ports that are no list",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ports":{"port":1}}})",
       "document 1: Service default/s: spec.ports: not a list"},
      {"a port that is no object",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ports":[80]}})",
       "document 1: Service default/s: spec.ports[0]: not an object"},
      {"an unknown protocol",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":1,"protocol":"X"}]}})",
       "document 1: Service default/s: spec.ports[0].protocol: not TCP, UDP or SCTP: \"X\""},
      {"an unknown type", R"({"kind":"Service","metadata":{"name":"s"},"spec":{"type":"X"}})",
       "document 1: Service default/s: spec.type: unknown type \"X\"; taken as ClusterIP"},
      {"an unknown traffic policy",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"internalTrafficPolicy":"local"}})",
       "document 1: Service default/s: spec.internalTrafficPolicy: neither Cluster nor Local: "
       "\"local\""},
      {"a bad cluster address",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"clusterIP":"x"}})",
       "document 1: Service default/s: spec.clusterIP: not an IP address: \"x\""},
      {"an unknown family",
       R"({"kind":"Service","metadata":{"name":"s"},"spec":{"ipFamilies":["IPv5"]}})",
       "document 1: Service default/s: spec.ipFamilies[0]: neither IPv4 nor IPv6: \"IPv5\""},
      {"a slice without an address type", R"({"kind":"EndpointSlice","metadata":{"name":"e"}})",
       "document 1: EndpointSlice default/e: addressType: missing"},
      {"an address of the wrong family",
       R"({"kind":"EndpointSlice","metadata":{"name":"e"},"addressType":"IPv6",
           "endpoints":[{"addresses":["10.0.0.1"]}]})",
       "document 1: EndpointSlice default/e: endpoints[0].addresses[0]: \"10.0.0.1\" is not IPv6\n"
       "document 1: EndpointSlice default/e: endpoints[0].addresses: none that can be used; the "
       "endpoint is left out"},
      {"a condition that is text",
       R"({"kind":"EndpointSlice","metadata":{"name":"e"},"addressType":"IPv4",
           "endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":"yes"}}]})",
       "document 1: EndpointSlice default/e: endpoints[0].conditions.ready: not true or false"},
      {"nine hints",
       R"({"kind":"EndpointSlice","metadata":{"name":"e"},"addressType":"IPv4",
           "endpoints":[{"addresses":["10.0.0.1"],"hints":{"forZones":[{"name":"1"},{"name":"2"},
           {"name":"3"},{"name":"4"},{"name":"5"},{"name":"6"},{"name":"7"},{"name":"8"},
           {"name":"9"}]}}]})",
       "document 1: EndpointSlice default/e: endpoints[0].hints.forZones: 9 hints; only the first "
       "8 "
       "count"},
      {"not an object", "[]", "document 1: item 1: not an object"},
      {"a comma too many", R"({"kind":"Node",})",
       "document 1: item 1: broken JSON: The JSON document has an improper structure: missing or "
       "superfluous commas, braces, missing keys, etc."},
      {"bytes that are not UTF-8", "{\"kind\":\"\xff\"}",
       "document 1: item 1: broken JSON: The input is not valid UTF-8"},
      {"a raw control character", "{\"kind\":\"\x01\"}",
       "document 1: item 1: broken JSON: Within strings, some characters must be escaped, we found "
       "unescaped characters"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto loaded = read(R"({"kind":"List","items":[)" + c.object + "," + node("good") + "]}");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(problems_of(*loaded), c.problem);
    EXPECT_TRUE(loaded->snapshot->find_node("good"));
    auto strict = read(R"({"kind":"List","items":[)" + c.object + "," + node("good") + "]}", true);
    ASSERT_FALSE(strict);
    EXPECT_EQ(strict.error().message, "dump: " + c.problem.substr(0, c.problem.find('\n')));
  }
}

TEST(ReadManifests, GoesOnWithTheNextItemWhenABraceIsMissing) {
  const std::string text =
      "{\n"
      "    \"items\": [\n"
      "        {\n"
      "            \"kind\": \"Node\",\n"
      "            \"metadata\": {\"name\": \"broken\"\n"
      "        },\n"
      "        {\n"
      "            \"kind\": \"Node\",\n"
      "            \"metadata\": {\"name\": \"good\"}\n"
      "        }\n"
      "    ],\n"
      "    \"kind\": \"List\"\n"
      "}\n";
  auto loaded = read(text);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->snapshot->find_node("good"));
  EXPECT_FALSE(loaded->problems.empty());
}

TEST(ReadManifests, ATruncatedDumpGivesWhatCameBefore) {
  auto loaded = read("{\"kind\":\"List\",\"items\":[" + node("a") + "," + node("b").substr(0, 30));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 1U);
  EXPECT_EQ(problems_of(*loaded), "document 1: the text ends inside item 2");
}

TEST(ReadManifests, DocumentsAreCounted) {
  EXPECT_EQ(problems_of(node("a") + "\n{\"kind\":\"Node\"}\n" + node("b")),
            "document 2: Node: metadata.name: missing");
  EXPECT_EQ(problems_of("kind: Node\nmetadata: {name: a}\n---\nkind: Node\n---\nx: [\n"),
            "document 2: Node: metadata.name: missing\n"
            "document 3: line 7, column 1: did not find expected node content while parsing a flow "
            "node");
}

TEST(ReadManifests, NothingAtAllIsAnError) {
  const struct {
    const char* name;
    std::string text;
    const char* message;
  } cases[] = {
      {"nothing", "", "dump: no Kubernetes object in it"},
      {"blanks", " \n\n", "dump: no Kubernetes object in it"},
      {"a comment", "# nothing here\n", "dump: no Kubernetes object in it"},
      {"an empty list", R"({"kind":"List","items":[]})", "dump: no Kubernetes object in it"},
      {"prose", "hello", "dump: document 1: neither an object nor an array at line 1"},
      {"a binary",
       std::string("\x7f"
                   "ELF\0\0",
                   6),
       "dump: a NUL byte at offset 4: not a text"},
      {"a packed dump", net::gzip("{}"),
       "dump: packed with gzip, and no tar archive: unpack it first"},
      {"an archive that is cut off", "\x1f\x8b\x08", "dump: the archive is cut off"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto loaded = read(c.text);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().message, c.message);
  }
}

TEST(ReadManifests, DerivesSlicesOnlyWhenThereAreNone) {
  const std::string cluster =
      "{kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/zone: a}}}\n---\n"
      "{kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}\n"
      "---\n"
      "{kind: Pod, metadata: {name: p, labels: {app: web}}, spec: {nodeName: n1},"
      " status: {podIPs: [{ip: 10.0.0.1}]}}\n";
  auto derived = read(cluster);
  ASSERT_TRUE(derived) << derived.error().message;
  ASSERT_EQ(derived->snapshot->slices.size(), 1U);
  EXPECT_TRUE(derived->snapshot->slices[0].derived);
  EXPECT_EQ(derived->snapshot->endpoints.size(), 1U);
  auto given = read(cluster + "---\n{kind: EndpointSlice, metadata: {name: e}, addressType: FQDN}");
  ASSERT_TRUE(given);
  EXPECT_TRUE(given->snapshot->slices.empty()) << "the dump has slices, though none to route to";
}

TEST(ReadManifests, SaysWhichPodsCouldNotBeDerived) {
  EXPECT_EQ(
      problems_of("{kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}\n---\n"
                  "{kind: Pod, metadata: {name: p, labels: {app: web}},"
                  " spec: {nodeName: gone}, status: {podIP: 10.0.0.1}}\n"),
      "Pod default/p: spec.nodeName: left out of Service web: there is no Node \"gone\"");
}

TEST(ReadManifests, KeepsABoundedNumberOfProblems) {
  std::string text = "[";
  for (std::size_t i = 0; i < wire::kMaxProblems + 5; ++i) text += "{\"kind\":\"Pod\"},";
  auto loaded = read(text + node("n") + "]");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->problems.size(), wire::kMaxProblems);
  EXPECT_EQ(loaded->problems_not_kept, 5U);
}

TEST(ReadManifests, ReadsFilesDirectoriesAndStandardInput) {
  const TemporaryDirectory directory;
  const std::string yaml = "kind: Node\nmetadata: {name: a}\n";
  directory.write("b.json", node("b"));
  directory.write("deep/er/a.yaml", yaml);
  directory.write("c.yml", "kind: Node\nmetadata: {name: c}\n");
  directory.write("readme.txt", "not a manifest");
  const TemporaryDirectory other;
  const std::string input = other.write("input", node("d"));
  ReadOptions options;
  options.standard_input = ::open(input.c_str(), O_RDONLY | O_CLOEXEC);
  auto loaded = read_manifests({directory.path(), "-"}, options);
  ::close(options.standard_input);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 4U);
  EXPECT_EQ(loaded->bytes, 2 * node("d").size() + 2 * yaml.size());
}

// The pages of a list, and how reading them ends.
Result<Loaded> read_pages(std::vector<std::string> pages, std::optional<Error> failure) {
  std::size_t next = 0;
  const TextSource source = [&]() -> Result<std::optional<NamedText>> {
    if (next < pages.size()) {
      const std::size_t page = next++;
      return std::optional(
          NamedText{"page " + std::to_string(page + 1), wire::PaddedText(pages[page])});
    }
    if (failure) return *failure;
    return std::optional<NamedText>();
  };
  return read_manifest_source(source, {});
}

TEST(ReadManifests, ReadsTextsThatComeOneAfterAnother) {
  const auto loaded = read_pages({node("n1"), node("n2")}, std::nullopt);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->snapshot->nodes.size(), 2U);
}

TEST(ReadManifests, ASourceThatFailsIsAnErrorInItsOwnWords) {
  const auto loaded = read_pages({node("n1")}, Error{ErrorCode::Denied, "list nodes: forbidden"});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "list nodes: forbidden");
}

TEST(ReadManifests, AProblemNamesTheTextItWasIn) {
  const auto loaded = read_pages({node("n1"), "{\"kind\":\"Pod\"}"}, std::nullopt);
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->problems.size(), 1U);
  EXPECT_EQ(loaded->problems[0].file, "page 2");
}

TEST(ReadManifests, InputsThatCannotBeReadAreErrorsThatNameThem) {
  const TemporaryDirectory directory;
  const std::string empty = directory.path() + "/empty";
  fs::create_directory(empty);
  const std::string missing = directory.path() + "/missing.json";
  const struct {
    const char* name;
    std::vector<std::string> inputs;
    std::string message;
  } cases[] = {
      {"no input", {}, "no file to read"},
      {"a missing file", {missing}, missing + ": No such file or directory"},
      {"an empty directory", {empty}, empty + ": no *.json, *.yaml or *.yml in it"},
      {"standard input twice", {"-", "-"}, "standard input can be read only once"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto loaded = read_manifests(c.inputs, {});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().message, c.message);
  }
}

TEST(ReadManifests, ABadFileInADirectoryDoesNotStopTheOthers) {
  const TemporaryDirectory directory;
  const std::string bad = directory.write("a.json", "{\"kind\":");
  directory.write("b.json", node("b"));
  auto loaded = read_manifests({directory.path()}, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 1U);
  ASSERT_EQ(loaded->problems.size(), 1U);
  EXPECT_EQ(loaded->problems[0].file, bad);
}

// What `tar czf` makes of these files.
std::string archive_of(const std::vector<std::pair<std::string, std::string>>& files) {
  archive::ArchiveWriter writer{WallTime()};
  for (const auto& [name, text] : files) writer.add(name, text);
  return std::move(writer).finish();
}

TEST(ReadManifests, AnArchiveIsReadAsADirectory) {
  const std::string text = archive_of({{"dump/a.json", node("a")},
                                       {"dump/deep/b.yaml", "kind: Node\nmetadata: {name: b}\n"},
                                       {"dump/metrics.txt", "not a manifest"},
                                       {"dump/c.yml", "kind: Node\nmetadata: {name: c}\n"}});
  auto loaded = read(text, true);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 3U);
  EXPECT_EQ(loaded->objects, 3U);
}

TEST(ReadManifests, AProblemInAnArchiveNamesTheFile) {
  auto loaded = read(archive_of(
      {{"a.json", "{\"kind\":\"Pod\"}"}, {"../b.json", node("b")}, {"c.json", archive_of({})}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 1U);
  ASSERT_EQ(loaded->problems.size(), 2U);
  EXPECT_EQ(wire::to_text(loaded->problems[0]),
            "dump: a.json: document 1: Pod: metadata.name: missing");
  EXPECT_EQ(wire::to_text(loaded->problems[1]),
            "dump: c.json: an archive in an archive: unpack it first");
}

TEST(ReadManifests, ADamagedArchiveIsAnErrorWhateverWasReadBefore) {
  const std::string whole = archive_of({{"a.json", node("a")}, {"b.json", node("b")}});
  auto loaded = read(std::string_view(whole).substr(0, whole.size() / 2));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("dump: "), std::string::npos) << loaded.error().message;
  EXPECT_NE(loaded.error().message.find("the archive is cut off"), std::string::npos)
      << loaded.error().message;
}

TEST(ReadManifests, ADamagedArchiveInADirectoryDoesNotStopTheOthers) {
  const TemporaryDirectory directory;
  const std::string bad = directory.write("a.json", net::gzip("{}"));
  directory.write("b.json", node("b"));
  auto loaded = read_manifests({directory.path()}, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->nodes.size(), 1U);
  ASSERT_EQ(loaded->problems.size(), 1U);
  EXPECT_EQ(wire::to_text(loaded->problems[0]),
            bad + ": packed with gzip, and no tar archive: unpack it first");
}

TEST(ReadManifests, WhatASysdumpCouldNotCollectIsAProblemWhereAPlanNeedsIt) {
  auto loaded =
      read(R"({"apiVersion":"cli.proxima.io/v1","kind":"Sysdump","notCollected":[)"
           R"({"what":"pods","why":"list pods: forbidden"},{"what":"events","why":"gone"}]})" +
           node("n"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(problems_of(*loaded),
            "document 1: Sysdump: notCollected[0].what: the cluster's pods are missing: list pods: "
            "forbidden");
  EXPECT_EQ(loaded->skipped_kinds.at("Sysdump.cli.proxima.io"), 1U);
}

TEST(ReadManifests, TheBundledExampleIsRightInEveryWord) {
  ReadOptions strict;
  strict.strict = true;
  auto loaded = read_manifests({test::source_folder() + "/examples/three-zones.yaml"}, strict);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const model::Snapshot& snapshot = *loaded->snapshot;
  EXPECT_EQ(snapshot.zones.size(), 3U);
  EXPECT_EQ(snapshot.nodes.size(), 9U);
  EXPECT_EQ(snapshot.services.size(), 9U);
  EXPECT_EQ(snapshot.endpoints.size(), snapshot.pods.size());
  EXPECT_TRUE(loaded->skipped_kinds.empty());
}

TEST(ReadManifests, ReportsProgressNowAndThen) {
  std::string text = "[";
  const std::string padding(1 << 20, 'x');
  for (int i = 0; i < 20; ++i) text += "{\"kind\":\"ConfigMap\",\"data\":\"" + padding + "\"},";
  text += node("n") + "]";
  const TemporaryDirectory directory;
  const std::string file = directory.write("large.json", text);
  std::vector<std::uint64_t> seen;
  ReadOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    seen.push_back(done);
    EXPECT_EQ(total, text.size());
    EXPECT_LE(done, total);
  };
  ASSERT_TRUE(read_manifests({file}, options));
  EXPECT_GE(seen.size(), 3U);
  EXPECT_LE(seen.size(), 6U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

}  // namespace
}  // namespace proxima::manifest
