// SPDX-License-Identifier: Apache-2.0
#include "kube/record.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "kube/decode_record.h"
#include "kube/record_draft.h"
#include "wire/decode_objects.h"
#include "wire/json_object.h"

namespace proxima::kube {
namespace {

constexpr std::string_view kPod = R"({"metadata":{"name":"web-1","namespace":"shop","uid":"u-1",
  "resourceVersion":"1234","labels":{"app":"web","pod-template-hash":"abc"},
  "annotations":{"proxima.io/weight":"2.5","other":"x"},
  "ownerReferences":[{"controller":true,"kind":"ReplicaSet","name":"web-abc"}]},
  "spec":{"nodeName":"node-1","nodeSelector":{"disk":"fast"},"hostname":"h","subdomain":"s","containers":[
    {"ports":[{"name":"http","containerPort":8080},{"containerPort":1},
              {"name":"dns","containerPort":53,"protocol":"UDP"}]}],
    "initContainers":[{"restartPolicy":"Always","ports":[{"name":"side","containerPort":9}]},
                      {"ports":[{"name":"gone","containerPort":10}]}]},
  "status":{"phase":"Running","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],"conditions":[
    {"type":"Initialized","status":"True"},
    {"type":"Ready","status":"True","lastTransitionTime":"2026-03-01T00:00:10Z"}]}})";

constexpr std::string_view kService = R"({"metadata":{"name":"web","namespace":"shop","uid":"u-2",
  "resourceVersion":"77","creationTimestamp":"2026-03-01T00:00:00Z","labels":{"a":"b"},
  "annotations":{"service.kubernetes.io/topology-mode":"Auto","proxima.io/policy":"balanced",
                 "proxima.io/failover":"for=10m","proxima.io/fallback":"region",
                 "kubectl.kubernetes.io/last-applied-configuration":"much"}},
  "spec":{"type":"LoadBalancer","clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1","fd00::a"],
    "ipFamilies":["IPv4","IPv6"],"selector":{"app":"web"},"externalIPs":["192.0.2.1"],
    "sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":60}},
    "externalTrafficPolicy":"Local","internalTrafficPolicy":"Cluster","healthCheckNodePort":31000,
    "loadBalancerSourceRanges":["10.0.0.0/8"],"trafficDistribution":"PreferSameZone",
    "publishNotReadyAddresses":true,"topologyKeys":["*"],
    "ports":[{"name":"http","port":80,"targetPort":"http","nodePort":30080,"appProtocol":"h2c"},
             {"name":"dns","port":53,"targetPort":5353,"protocol":"UDP"}]},
  "status":{"loadBalancer":{"ingress":[{"ip":"198.51.100.1"},{"ip":"198.51.100.2","ipMode":"Proxy"},
                                       {"hostname":"lb.example"}]}}})";

constexpr std::string_view kNode =
    R"({"metadata":{"name":"node-1","uid":"u-3","resourceVersion":"5",
  "labels":{"topology.kubernetes.io/zone":"a"}},"spec":{"podCIDRs":["10.1.0.0/24"],
    "taints":[{"key":"ToBeDeletedByClusterAutoscaler","effect":"NoSchedule"}]},
  "status":{"allocatable":{"cpu":"1930m"},"conditions":[{"type":"Ready","status":"True"}],
    "addresses":[{"type":"Hostname","address":"node-1"},{"type":"InternalIP","address":"10.9.0.1"},
                 {"type":"ExternalIP","address":"203.0.113.9"}]}})";

constexpr std::string_view kSlice = R"({"metadata":{"name":"web-x","namespace":"shop","uid":"u-4",
  "resourceVersion":"9","generation":3,"generateName":"web-","finalizers":["f"],
  "labels":{"kubernetes.io/service-name":"web",
            "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},
  "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-03-01T00:00:00Z"},
  "ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"u-2",
                      "controller":true,"blockOwnerDeletion":true}]},
  "addressType":"IPv4","ports":[{"name":"","port":80,"protocol":"TCP"},{"port":null}],
  "endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true,"serving":true,
      "terminating":false},"nodeName":"node-1","zone":"a","hostname":"h",
      "targetRef":{"kind":"Pod","namespace":"shop","name":"web-1","uid":"u-1"},
      "hints":{"forZones":[{"name":"a"}],"forNodes":[{"name":"node-1"}]}},
    {"addresses":["not-one"]},{"addresses":["10.0.0.2"],"deprecatedTopology":{"k":"v"}}]})";

class RecordTest : public ::testing::Test {
 protected:
  // Valid until the next call.
  wire::JsonObject parse(std::string_view text) {
    simdjson::dom::object object;
    EXPECT_EQ(parser_.parse(text.data(), text.size()).get(object), simdjson::SUCCESS);
    return {object, log_};
  }
  wire::ObjectName name_of(const wire::JsonObject& object) {
    const auto metadata = object.child("metadata");
    return {wire::decode_name(metadata, "namespace", names_),
            wire::decode_name(metadata, "name", names_)};
  }
  std::string text(NameId id) const { return id ? "'" + std::string(names_[id]) + "'" : "-"; }
  template <class T>
  std::string numbers(const T& value) const {
    return std::to_string(value);
  }

  StringPool names_;
  wire::ProblemLog log_;
  simdjson::dom::parser parser_;
  DecodeScratch scratch_;
};

std::vector<std::pair<std::string, std::string>> sorted(const std::vector<model::Label>& labels,
                                                        const StringPool& names) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& label : labels)
    texts.emplace_back(std::string(names[label.key]), std::string(names[label.value]));
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST_F(RecordTest, APodGivesTheSameDraftAsItsJson) {
  const auto object = parse(kPod);
  const auto wanted = wire::decode_pod(object, name_of(object), names_);
  const auto draft = to_draft(*decode_record<PodRecord>(object, scratch_), names_);
  EXPECT_EQ(draft.ns, wanted.ns);
  EXPECT_EQ(draft.pod.name, wanted.pod.name);
  EXPECT_EQ(draft.pod.node_name, wanted.pod.node_name);
  EXPECT_EQ(draft.pod.owner, wanted.pod.owner);
  EXPECT_EQ(draft.pod.hostname, wanted.pod.hostname);
  EXPECT_EQ(draft.pod.subdomain, wanted.pod.subdomain);
  EXPECT_EQ(draft.pod.weight, wanted.pod.weight);
  EXPECT_EQ(draft.pod.phase, wanted.pod.phase);
  EXPECT_EQ(draft.pod.ready, wanted.pod.ready);
  EXPECT_EQ(draft.pod.terminating, wanted.pod.terminating);
  EXPECT_EQ(draft.addresses, wanted.addresses);
  EXPECT_EQ(sorted(draft.labels, names_), sorted(wanted.labels, names_));
  ASSERT_EQ(draft.container_ports.size(), wanted.container_ports.size());
  for (std::size_t i = 0; i < draft.container_ports.size(); ++i) {
    EXPECT_EQ(draft.container_ports[i].name, wanted.container_ports[i].name);
    EXPECT_EQ(draft.container_ports[i].protocol, wanted.container_ports[i].protocol);
    EXPECT_EQ(draft.container_ports[i].port, wanted.container_ports[i].port);
  }
  EXPECT_TRUE(log_.problems().empty());
}

TEST_F(RecordTest, APodKeepsWhatOnlyTheControllerNeeds) {
  const auto pod = decode_record<PodRecord>(parse(kPod), scratch_);
  EXPECT_EQ(to_text(pod->key()), "shop/web-1");
  EXPECT_EQ(pod->uid.view(), "u-1");
  EXPECT_EQ(pod->version, 1234U);
  EXPECT_TRUE(pod->has_ready_condition);
  EXPECT_EQ(pod->ready_changed, 1'772'323'210);
  EXPECT_EQ(pod->ends_at, 0);
  EXPECT_EQ(label(pod->workload->node_selector, "disk").view(), "fast");
}

TEST_F(RecordTest, APodHasTheAddressesThatCanBeRead) {
  const auto addresses = [&](const std::string& status) {
    std::string text;
    const std::string json = R"({"metadata":{"name":"p","namespace":"n"},"status":)" + status + "}";
    const auto pod = decode_record<PodRecord>(parse(json), scratch_);
    for (const IpAddress& address : pod->addresses.all()) text += address.text() + " ";
    return text;
  };
  EXPECT_EQ(addresses(R"({"podIPs":[{"ip":"10.0.0.01"},{"ip":"FD00::1"}]})"), "10.0.0.1 fd00::1 ");
  EXPECT_EQ(addresses(R"({"podIP":"10.0.0.1"})"), "10.0.0.1 ");
  EXPECT_EQ(addresses("{}"), "");
  EXPECT_TRUE(log_.problems().empty());
  EXPECT_EQ(addresses(R"({"podIPs":[{"ip":"ten"},{"ip":"10.0.0.2"}]})"), "10.0.0.2 ");
  ASSERT_EQ(log_.problems().size(), 1U);
  EXPECT_EQ(log_.problems()[0].field, "status.podIPs[0].ip");
}

TEST_F(RecordTest, APodsPortsAreNamedOnesOfContainersThatServe) {
  const auto pod = decode_record<PodRecord>(parse(kPod), scratch_);
  std::string ports;
  for (const ContainerPortRecord& port : pod->workload->ports)
    ports += std::string(port.name.view()) + "/" + std::string(to_text(port.protocol)) + "/" +
             std::to_string(port.port) + " ";
  EXPECT_EQ(ports, "http/TCP/8080 dns/UDP/53 side/TCP/9 ");
}

TEST_F(RecordTest, AServiceGivesTheSameDraftAsItsJson) {
  const auto object = parse(kService);
  const auto wanted = wire::decode_service(object, name_of(object), names_);
  const auto draft = to_draft(*decode_record<ServiceRecord>(object, scratch_), names_);
  EXPECT_EQ(draft.ns, wanted.ns);
  EXPECT_EQ(sorted(draft.labels, names_), sorted(wanted.labels, names_));
  EXPECT_EQ(sorted(draft.selector, names_), sorted(wanted.selector, names_));
  EXPECT_EQ(draft.topology_keys, wanted.topology_keys);
  const auto flat = [&](const model::Service& s) {
    std::string out =
        text(s.name) + text(s.topology_mode) + text(s.topology_aware_hints) +
        text(s.traffic_distribution) + text(s.traffic_policy) + text(s.routing.policy) +
        text(s.routing.overload) + text(s.routing.topology_keys) + text(s.routing.demand) +
        text(s.routing.min_local_endpoints) + text(s.routing.node_first) + text(s.routing.panic) +
        text(s.routing.auto_start) + text(s.routing.auto_stop) + text(s.routing.failover) +
        text(s.routing.fallback);
    for (const int value :
         {int(s.type), int(s.internal_policy), int(s.external_policy), int(s.headless),
          int(s.has_selector), int(s.publish_not_ready), int(s.has_external_ips),
          int(s.has_load_balancer_ip), int(s.has_v4), int(s.has_v6)})
      out += std::to_string(value) + " ";
    return out;
  };
  EXPECT_EQ(flat(draft.service), flat(wanted.service));
  const auto ports = [&](const std::vector<model::ServicePort>& all) {
    std::string out;
    for (const auto& p : all)
      out += text(p.name) + text(p.protocol) + numbers(p.port) + " " + numbers(p.node_port) + " " +
             numbers(p.target_port) + text(p.target_name) + text(p.app_protocol) + "\n";
    return out;
  };
  EXPECT_EQ(ports(draft.ports), ports(wanted.ports));
}

TEST_F(RecordTest, AServiceKeepsWhatTheProxyNeeds) {
  const auto service = decode_record<ServiceRecord>(parse(kService), scratch_);
  EXPECT_EQ(service->cluster_ips.size(), 2U);
  EXPECT_EQ(service->external_ips.size(), 1U);
  ASSERT_EQ(service->load_balancer.size(), 2U);
  EXPECT_EQ(service->load_balancer[0].mode, IpMode::Vip);
  EXPECT_EQ(service->load_balancer[1].mode, IpMode::Proxy);
  EXPECT_TRUE(service->client_ip_affinity);
  EXPECT_EQ(service->affinity_seconds, 60U);
  EXPECT_EQ(service->health_check_node_port, 31000);
  ASSERT_EQ(service->source_ranges.size(), 1U);
  EXPECT_EQ(service->source_ranges[0].view(), "10.0.0.0/8");
  EXPECT_EQ(service->meta.created, 1'772'323'200);
  EXPECT_EQ(service->annotations->all().size(), 4U);
}

// A list under `key` with `count` elements, "," at its end.
std::string list_of(std::string_view key, std::size_t count,
                    const std::function<std::string(std::size_t)>& element) {
  std::string text = "\"" + std::string(key) + "\":[";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + element(i);
  return text + "],";
}

std::string numbered_address(std::size_t i) {
  return "10." + std::to_string(i / 62'500 % 250) + "." + std::to_string(i / 250 % 250) + "." +
         std::to_string(i % 250);
}

// A Service with so many ports, addresses of each kind, and ranges.
std::string long_service(std::size_t ports, std::size_t addresses, std::size_t ranges) {
  const auto port = [](std::size_t i) {
    return "{\"name\":\"p" + std::to_string(i) + "\",\"port\":" + std::to_string(i + 1) + "}";
  };
  const auto text = [](std::size_t i) { return "\"" + numbered_address(i) + "\""; };
  const auto ingress = [&](std::size_t i) { return "{\"ip\":" + text(i) + "}"; };
  const auto range = [](std::size_t i) { return "\"" + numbered_address(i) + "/32\""; };
  return R"({"metadata":{"name":"web","namespace":"shop"},"spec":{)" +
         list_of("ports", ports, port) + list_of("externalIPs", addresses, text) +
         list_of("loadBalancerSourceRanges", ranges, range) +
         R"("clusterIP":"10.96.0.1"},"status":{"loadBalancer":{)" +
         list_of("ingress", addresses, ingress) + R"("x":1}}})";
}

TEST_F(RecordTest, OfLongListsOfAServiceTheFirstElementsCount) {
  const struct {
    const char* name;
    std::string json;
    std::size_t ports, addresses, ranges;
    std::vector<std::string> reports;
  } rows[] = {
      {"as many as there may be", long_service(100, 100, 1'000), 100, 100, 1'000, {}},
      {"one port more leaves fewer addresses",
       long_service(101, 100, 1),
       101,
       99,
       1,
       {"spec.externalIPs: 100 entries; only the first 99 count",
        "status.loadBalancer.ingress: 100 entries; only the first 99 count"}},
      {"more of everything",
       long_service(10'000, 10'000, 10'000),
       1'000,
       10,
       1'000,
       {"spec.ports: 10,000 entries; only the first 1,000 count",
        "spec.externalIPs: 10,000 entries; only the first 10 count",
        "status.loadBalancer.ingress: 10,000 entries; only the first 10 count",
        "spec.loadBalancerSourceRanges: 10,000 entries; only the first 1,000 count"}},
      {"more addresses",
       long_service(1, 101, 0),
       1,
       100,
       0,
       {"spec.externalIPs: 101 entries; only the first 100 count",
        "status.loadBalancer.ingress: 101 entries; only the first 100 count"}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    log_ = {};
    const auto service = decode_record<ServiceRecord>(parse(row.json), scratch_);
    EXPECT_EQ(service->ports.size(), row.ports);
    EXPECT_EQ(service->external_ips.size(), row.addresses);
    EXPECT_EQ(service->load_balancer.size(), row.addresses);
    EXPECT_EQ(service->source_ranges.size(), row.ranges);
    std::vector<std::string> reports;
    for (const wire::Problem& problem : log_.problems())
      reports.push_back(problem.field + ": " + problem.message);
    EXPECT_EQ(reports, row.reports);
  }
}

TEST_F(RecordTest, ASliceKeepsAllItsPortsAndTellsThatNotAllCount) {
  const auto port = [](std::size_t i) { return "{\"port\":" + std::to_string(i + 1) + "}"; };
  const auto slice = decode_record<EndpointSliceRecord>(
      parse("{" + list_of("ports", 1'001, port) + R"("addressType":"IPv4"})"), scratch_);
  EXPECT_EQ(slice->ports.size(), 1'001U);
  ASSERT_EQ(log_.problems().size(), 1U);
  EXPECT_EQ(log_.problems()[0].message, "1,001 entries; only the first 1,000 count");
}

TEST_F(RecordTest, ANodeGivesTheSameDraftAndKeepsItsAddresses) {
  const auto object = parse(kNode);
  const auto wanted = wire::decode_node(object, name_of(object), names_);
  const auto node = decode_record<NodeRecord>(object, scratch_);
  const auto draft = to_draft(*node, names_);
  EXPECT_EQ(draft.name, wanted.name);
  EXPECT_EQ(draft.cpu, wanted.cpu);
  EXPECT_EQ(draft.ready, wanted.ready);
  EXPECT_EQ(sorted(draft.labels, names_), sorted(wanted.labels, names_));
  EXPECT_TRUE(node->to_be_deleted);
  ASSERT_EQ(node->internal_ips.size(), 1U);
  EXPECT_EQ(node->internal_ips[0].text(), "10.9.0.1");
  EXPECT_EQ(node->external_ips.size(), 1U);
  EXPECT_EQ(node->pod_cidrs.size(), 1U);
}

TEST_F(RecordTest, ASliceGivesTheSameDraftAsItsJson) {
  const auto object = parse(kSlice);
  const auto wanted = wire::decode_endpoint_slice(object, name_of(object), names_);
  const auto draft = to_draft(*decode_record<EndpointSliceRecord>(object, scratch_), names_);
  ASSERT_TRUE(wanted && draft);
  const auto flat = [&](const model::SliceDraft& s) {
    std::string out = text(s.ns) + text(s.name) + text(s.service) + numbers(int(s.family)) +
                      numbers(s.managed_by_controller);
    for (const auto& p : s.ports)
      out += "\nport " + text(p.name) + text(p.protocol) + numbers(p.port) + text(p.app_protocol);
    for (const auto& e : s.endpoints) {
      out += "\n" + e.address.text() + text(e.node) + text(e.zone) + text(e.pod) + text(e.pod_ns) +
             numbers(int(e.ready)) + numbers(int(e.serving)) + numbers(int(e.terminating));
      for (const NameId hint : e.zone_hints) out += " zone " + text(hint);
      for (const NameId hint : e.node_hints) out += " node " + text(hint);
    }
    return out;
  };
  EXPECT_EQ(flat(*draft), flat(*wanted));
}

TEST_F(RecordTest, ASliceKeepsAllThatAnUpdateMustWriteBack) {
  const auto slice = decode_record<EndpointSliceRecord>(parse(kSlice), scratch_);
  EXPECT_EQ(slice->generation, 3);
  EXPECT_EQ(slice->generate_name.view(), "web-");
  EXPECT_EQ(slice->finalizers.size(), 1U);
  ASSERT_EQ(slice->owners.size(), 1U);
  EXPECT_EQ(slice->owners[0].uid.view(), "u-2");
  EXPECT_EQ(slice->owners[0].controller, true);
  EXPECT_EQ(slice->annotations->all().size(), 1U);
  ASSERT_EQ(slice->endpoints.size(), 3U);
  EXPECT_EQ(slice->endpoints[0].hostname.view(), "h");
  EXPECT_EQ(slice->endpoints[0].target->uid.view(), "u-1");
  EXPECT_EQ(slice->endpoints[1].addresses[0].view(), "not-one");
  EXPECT_EQ(label(slice->endpoints[2].deprecated_topology, "k").view(), "v");
  ASSERT_EQ(slice->ports.size(), 2U);
  EXPECT_EQ(slice->ports[0].name, Text(""));
  EXPECT_EQ(slice->ports[1].name, Text());
  EXPECT_EQ(slice->ports[1].port, std::nullopt);
}

TEST_F(RecordTest, ASliceOfHostNamesIsKeptAndHasNoDraft) {
  const auto slice = decode_record<EndpointSliceRecord>(
      parse(R"({"metadata":{"name":"x","namespace":"y"},"addressType":"FQDN",
                "endpoints":[{"addresses":["a.example"]}]})"),
      scratch_);
  ASSERT_TRUE(slice);
  EXPECT_FALSE(to_draft(*slice, names_));
}

TEST_F(RecordTest, ASliceOfAnUnknownTypeIsReportedAndNotKept) {
  EXPECT_FALSE(decode_record<EndpointSliceRecord>(
      parse(R"({"metadata":{"name":"x","namespace":"y"},"addressType":"IPX"})"), scratch_));
  ASSERT_EQ(log_.problems().size(), 1U);
  EXPECT_EQ(log_.problems()[0].field, "addressType");
}

TEST_F(RecordTest, AServiceCidrIsItsRanges) {
  const auto record = decode_record<ServiceCidrRecord>(
      parse(R"({"metadata":{"name":"kubernetes","resourceVersion":"7"},
               "spec":{"cidrs":["10.96.0.0/16","fd00:96::/112"]}})"),
      scratch_);
  EXPECT_EQ(to_text(record->key()), "kubernetes");
  EXPECT_EQ(record->meta.version, 7U);
  EXPECT_EQ(record->cidrs, (std::vector{Text("10.96.0.0/16"), Text("fd00:96::/112")}));
}

TEST_F(RecordTest, AnEventIsWhatAPersonReads) {
  const auto record = decode_record<EventRecord>(
      parse(R"({"metadata":{"name":"web.1","namespace":"shop","resourceVersion":"9",
                "creationTimestamp":"2026-03-01T12:00:00Z"},
               "type":"Normal","reason":"HintsAssigned","message":"every zone has its own",
               "involvedObject":{"kind":"Service","namespace":"shop","name":"web"},
               "lastTimestamp":"2026-03-01T12:00:05Z","count":3})"),
      scratch_);
  EXPECT_EQ(to_text(record->key()), "shop/web.1");
  EXPECT_EQ(record->type.view(), "Normal");
  EXPECT_EQ(record->reason.view(), "HintsAssigned");
  EXPECT_EQ(record->message.view(), "every zone has its own");
  EXPECT_EQ(record->object_kind.view(), "Service");
  EXPECT_EQ(record->object_ns.view(), "shop");
  EXPECT_EQ(record->object_name.view(), "web");
  EXPECT_EQ(record->last, record->meta.created + 5);
  EXPECT_EQ(record->count, 3);
}

TEST_F(RecordTest, AnEventOfTheNewerKindHasItsTimeInAnotherPlace) {
  const char* const rows[] = {
      R"("eventTime":"2026-03-01T12:00:07.250000Z","lastTimestamp":null)",
      R"("eventTime":"2026-03-01T12:00:00.000000Z",
         "series":{"count":4,"lastObservedTime":"2026-03-01T12:00:07.000000Z"})",
      R"("lastTimestamp":"2026-03-01T12:00:07Z")",
  };
  for (const char* const row : rows) {
    const std::string text =
        R"({"metadata":{"name":"e","namespace":"n"},)" + std::string(row) + "}";
    const auto record = decode_record<EventRecord>(parse(text), scratch_);
    EXPECT_EQ(record->last % 60, 7) << row;
  }
  EXPECT_TRUE(log_.problems().empty());
}

TEST_F(RecordTest, NumbersOutsideTheirBoundsAreReportedAndCountAsMissing) {
  const auto event = decode_record<EventRecord>(
      parse(R"({"metadata":{"name":"e"},"count":0,"series":{"count":9223372036854775807}})"),
      scratch_);
  EXPECT_EQ(event->count, 1);
  const auto slice = decode_record<EndpointSliceRecord>(
      parse(R"({"metadata":{"name":"s","generation":9223372036854775807},"addressType":"IPv4",
                "ports":[{"port":2147483648},{"port":-2147483648}]})"),
      scratch_);
  EXPECT_EQ(slice->generation, 0);
  ASSERT_EQ(slice->ports.size(), 2U);
  EXPECT_EQ(slice->ports[0].port, std::nullopt);
  EXPECT_EQ(slice->ports[1].port, -2147483648);
  std::string said;
  for (const auto& problem : log_.problems()) said += problem.field + ": " + problem.message + "\n";
  EXPECT_EQ(said,
            "count: not a number from 1 to 1,000,000,000: 0\n"
            "series.count: not a number from 1 to 1,000,000,000: 9223372036854775807\n"
            "metadata.generation: not a number from 0 to 1,000,000,000,000,000: "
            "9223372036854775807\n"
            "ports[0].port: not a number from -2,147,483,648 to 2,147,483,647: 2147483648\n");
}

TEST_F(RecordTest, ANodeSaysWhetherItIsCordoned) {
  const auto node = [&](const char* spec) {
    const std::string text = R"({"metadata":{"name":"n"},"spec":)" + std::string(spec) + "}";
    return decode_record<NodeRecord>(parse(text), scratch_)->unschedulable;
  };
  EXPECT_TRUE(node(R"({"unschedulable":true})"));
  EXPECT_FALSE(node(R"({"unschedulable":false})"));
  EXPECT_FALSE(node("{}"));
}

TEST_F(RecordTest, PodsOfOneWorkloadShareWhatIsEqual) {
  const auto first = decode_record<PodRecord>(parse(kPod), scratch_);
  const auto second = decode_record<PodRecord>(parse(kPod), scratch_);
  EXPECT_EQ(first->workload, second->workload);
  EXPECT_EQ(first->labels, second->labels);
  EXPECT_EQ(first->node.view().data(), second->node.view().data());
}

// Names come and go; the tables must not remember them.
TEST_F(RecordTest, MemoryOfNamesStaysFlat) {
  for (int i = 0; i < 50'000; ++i) scratch_.sharing().text("pod-" + std::to_string(i));
  EXPECT_LE(scratch_.sharing().texts(), 1024U);
}

TEST(ParseVersion, KnowsNumbersOnly) {
  EXPECT_EQ(parse_version("18446744073709551615"), 18446744073709551615U);
  for (const char* text : {"", "x", "1x", "-1", "18446744073709551616", " 1"})
    EXPECT_EQ(parse_version(text), 0U) << text;
}

}  // namespace
}  // namespace proxima::kube
