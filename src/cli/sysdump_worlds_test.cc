// SPDX-License-Identifier: Apache-2.0
// The fields that a sysdump keeps are enough: plan, explain and compare say the same of it as of
// the cluster, byte for byte, over random clusters with every setting that Proxima reads. The
// random clusters also hold secrets in every other field, and none of those is in the archive.
// PROXIMA_WORLDS sets how many, PROXIMA_SEED the first.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>
#include <vector>

#include "archive/archive_reader.h"
#include "cli/compare_document.h"
#include "cli/compare_variants.h"
#include "cli/plan_document.h"
#include "core/model/labels.h"
#include "core/plan/plan_failure.h"
#include "manifest/generate.h"
#include "manifest/read_manifests.h"
#include "report/explain_document.h"
#include "support/file_text.h"
#include "support/random_runs.h"
#include "support/source_folder.h"
#include "sysdump/sysdump_archive.h"
#include "wire/yaml_documents.h"

namespace proxima::cli {
namespace {

namespace json = boost::json;

constexpr const char* kSecret = "s3cr3t";
constexpr std::uint64_t kUsualWorlds = 200;

json::object& child(json::object& parent, std::string_view key) {
  json::value& value = parent[key];
  if (!value.is_object()) value = json::object();
  return value.get_object();
}

json::array* list(json::object& parent, std::string_view key) {
  const auto found = parent.find(key);
  return found == parent.end() ? nullptr : found->value().if_array();
}

// Changes the objects of a made-up cluster: settings, states and what controllers publish.
class Changes {
 public:
  explicit Changes(std::uint64_t seed) : engine_(seed) {}

  void change(json::object& object) {
    const std::string kind(object.at("kind").as_string());
    if (kind == "Node") change_node(object);
    if (kind == "Namespace" && one_in(3)) annotate_policy(object);
    if (kind == "Service") change_service(object);
    if (kind == "Pod") change_pod(object);
    if (kind == "EndpointSlice") change_slice(object);
    plant_secrets(object, kind);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool one_in(std::uint64_t times) { return below(times) == 0; }
  std::string any_of(std::vector<std::string> choices) { return choices[below(choices.size())]; }

  void annotate(json::object& object, std::string_view key, const std::string& value) {
    child(child(object, "metadata"), "annotations")[key] = value;
  }
  void maybe_annotate(json::object& object, std::string_view key, std::vector<std::string> values) {
    if (one_in(4)) annotate(object, key, any_of(std::move(values)));
  }

  void change_node(json::object& node) {
    json::object& status = child(node, "status");
    json::object& labels = child(child(node, "metadata"), "labels");
    if (one_in(8)) labels.erase(model::kZoneLabel);
    if (one_in(8)) labels.erase(model::kHostnameLabel);
    if (one_in(5)) labels["rack"] = any_of({"1", "2"});
    if (one_in(6)) labels[model::kControlPlaneLabel] = "";
    if (one_in(6)) status["conditions"] = json::array{{{"type", "Ready"}, {"status", "False"}}};
    if (one_in(6)) child(status, "allocatable")["cpu"] = any_of({"250m", "16", "1e3", "x"});
    maybe_annotate(node, model::kTrafficAnnotation, {"1", "12.5", "-1", "0"});
  }

  void annotate_policy(json::object& object) {
    annotate(object, model::kPolicyAnnotation,
             any_of({"auto", "balanced", "zone-aware", "prefer-same-zone", "prefer-same-node",
                     "topology-keys", "require-zone", "nonsense"}));
    maybe_annotate(object, model::kOverloadAnnotation, {"0%", "20%", "inf", "-1"});
    maybe_annotate(object, model::kTopologyKeysAnnotation,
                   {"kubernetes.io/hostname,*", "topology.kubernetes.io/zone", "rack,*"});
    maybe_annotate(object, model::kDemandAnnotation,
                   {"cpu", "nodes", "measured", "clients=Deployment/none"});
    maybe_annotate(object, model::kMinLocalEndpointsAnnotation, {"1", "2", "x"});
    maybe_annotate(object, model::kNodeFirstAnnotation, {"true", "false"});
    maybe_annotate(object, model::kPanicAnnotation, {"all", "none"});
    maybe_annotate(object, model::kAutoStartAnnotation, {"10%", "50%"});
    maybe_annotate(object, model::kAutoStopAnnotation, {"30%", "60%"});
    maybe_annotate(object, model::kFailoverAnnotation,
                   {"min-endpoints=1", "min-endpoints=3,for=10m"});
    maybe_annotate(object, model::kFallbackAnnotation, {"region", "any"});
  }

  void change_service(json::object& service) {
    json::object& spec = child(service, "spec");
    if (one_in(2)) annotate_policy(service);
    maybe_annotate(service, model::kTopologyModeAnnotation, {"Auto", "Disabled"});
    maybe_annotate(service, model::kTopologyAwareHintsAnnotation, {"auto", "Disabled"});
    if (one_in(4))
      spec["trafficDistribution"] =
          any_of({"PreferClose", "PreferSameZone", "PreferSameNode", "proxima.io/require-zone"});
    if (one_in(8)) spec["trafficPolicy"] = "Topology";
    if (one_in(5)) spec["topologyKeys"] = json::array{model::kHostnameLabel, "rack", "*"};
    if (one_in(8)) spec["internalTrafficPolicy"] = "Local";
    if (one_in(8)) spec["externalTrafficPolicy"] = "Local";
    if (one_in(8)) spec["publishNotReadyAddresses"] = true;
    if (one_in(8)) spec["externalIPs"] = json::array{"192.0.2.1"};
    if (one_in(8)) spec["ipFamilies"] = json::array{"IPv4", "IPv6"};
    if (one_in(8)) spec.erase("selector");
    if (one_in(6)) spec["type"] = any_of({"NodePort", "LoadBalancer", "ExternalName"});
    if (one_in(6))
      service["status"] = {{"loadBalancer", {{"ingress", json::array{{{"ip", "192.0.2.7"}}}}}}};
    if (one_in(10)) {
      spec["clusterIP"] = "None";
      spec.erase("clusterIPs");
    }
    if (json::array* ports = list(spec, "ports"); ports != nullptr && one_in(4)) {
      ports->push_back(
          {{"name", "named"}, {"port", 9000}, {"targetPort", any_of({"metrics", "sidecar"})}});
      ports->push_back({{"name", "udp"},
                        {"protocol", "UDP"},
                        {"port", 53},
                        {"nodePort", 30053},
                        {"appProtocol", "dns"}});
    }
  }

  void change_pod(json::object& pod) {
    json::object& metadata = child(pod, "metadata");
    json::object& spec = child(pod, "spec");
    json::object& status = child(pod, "status");
    maybe_annotate(pod, model::kWeightAnnotation, {"2", "0.5", "zero"});
    if (one_in(8)) metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    if (one_in(6)) status["conditions"] = json::array{{{"type", "Ready"}, {"status", "False"}}};
    if (one_in(10)) status["phase"] = any_of({"Pending", "Failed", "Succeeded", "Odd"});
    if (one_in(10)) status["podIPs"] = json::array();
    if (one_in(10)) status.erase("podIPs");
    if (one_in(8)) spec["hostname"] = "host";
    if (one_in(8)) spec["subdomain"] = "sub";
    if (one_in(12)) metadata.erase("ownerReferences");
    if (json::array* containers = list(spec, "containers"); containers != nullptr && one_in(3)) {
      containers->push_back(
          {{"name", "metrics"},
           {"ports", json::array{{{"name", "metrics"}, {"containerPort", 9100}}}}});
      spec["initContainers"] =
          json::array{{{"restartPolicy", any_of({"Always", "Never"})},
                       {"ports", json::array{{{"name", "sidecar"}, {"containerPort", 9200}}}}}};
    }
  }

  void change_slice(json::object& slice) {
    if (one_in(6)) annotate(slice, model::kZoneSplitAnnotation, "region-1a:region-1b=1000");
    if (one_in(6)) annotate(slice, model::kRoutingAnnotation, "nonsense");
    if (one_in(12)) child(child(slice, "metadata"), "labels")[model::kManagedByLabel] = "somebody";
    json::array* endpoints = list(slice, "endpoints");
    if (endpoints == nullptr) return;
    for (json::value& value : *endpoints) change_endpoint(value.as_object());
  }

  void change_endpoint(json::object& endpoint) {
    json::object& conditions = child(endpoint, "conditions");
    if (one_in(6)) conditions["ready"] = false;
    if (one_in(6)) conditions["serving"] = one_in(2);
    if (one_in(6)) conditions["terminating"] = true;
    if (one_in(4)) {
      child(endpoint, "hints")["forZones"] =
          json::array{{{"name", any_of({"region-1a", "region-1b"})}}};
    }
    if (one_in(6)) child(endpoint, "hints")["forNodes"] = json::array{{{"name", "node-0"}}};
    if (one_in(10)) endpoint.erase("nodeName");
    if (one_in(10)) endpoint.erase("targetRef");
    if (one_in(8)) {
      endpoint.erase("zone");
      endpoint["topology"] = {{model::kZoneLabel, "region-1b"}};
    }
  }

  // Where people keep them.
  static void plant_secrets(json::object& object, const std::string& kind) {
    json::object& metadata = child(object, "metadata");
    json::object& annotations = child(metadata, "annotations");
    annotations["kubectl.kubernetes.io/last-applied-configuration"] = kSecret;
    annotations["example.com/token"] = kSecret;
    annotations["proxima.io/not-a-setting"] = kSecret;
    metadata["managedFields"] = json::array{{{"manager", "kubectl"}, {"fieldsV1", kSecret}}};
    if (kind != "Pod") return;
    json::object& spec = child(object, "spec");
    spec["volumes"] = json::array{{{"secret", {{"secretName", kSecret}}}}};
    spec["serviceAccountName"] = kSecret;
    for (const char* containers : {"containers", "initContainers"}) {
      json::array* all = list(spec, containers);
      if (all == nullptr) continue;
      for (json::value& container : *all) {
        container.as_object()["image"] = kSecret;
        container.as_object()["args"] = json::array{kSecret};
        container.as_object()["command"] = json::array{kSecret};
        container.as_object()["env"] = json::array{{{"name", "TOKEN"}, {"value", kSecret}}};
      }
    }
    child(object, "status")["containerStatuses"] = json::array{{{"image", kSecret}}};
  }

  std::mt19937_64 engine_;
};

json::array random_cluster(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  manifest::GenerateOptions options;
  options.shape = {.nodes = 3 + engine() % 6,
                   .zones = 1 + engine() % 3,
                   .services = 1 + engine() % 6,
                   .pods = engine() % 40,
                   .skew = static_cast<double>(engine() % 3) / 4,
                   .seed = seed};
  options.slices = engine() % 3 != 0;
  options.managed_fields = engine() % 2 == 0;
  std::string text;
  EXPECT_TRUE(manifest::generate(options, [&](std::string_view piece) { text += piece; }));
  json::array items = json::parse(text).at("items").as_array();
  Changes changes(seed);
  for (json::value& item : items) changes.change(item.as_object());
  return items;
}

std::string list_text(const json::array& items) {
  return json::serialize(json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}});
}

std::string sysdump_of(const json::array& items) {
  sysdump::SysdumpArchive archive({.version = "test"});
  for (const sysdump::AllowedKind& kind : sysdump::allowed_kinds()) {
    sysdump::ObjectFile file(kind);
    for (const json::value& item : items) {
      if (item.at("kind").as_string() != kind.kind) continue;
      EXPECT_TRUE(file.add_object(json::serialize(item)));
    }
    archive.add_objects(kind.plural, std::move(file));
  }
  return std::move(archive).finish();
}

std::string unpacked(std::string_view packed) {
  archive::ArchiveReader reader(packed, {.entries = 100, .bytes = 1U << 30U});
  std::string out;
  for (;;) {
    auto file = reader.next([](std::string_view) { return true; });
    EXPECT_TRUE(file);
    if (!file || !*file) return out;
    out += (*file)->name + "\n" + (*file)->text;
  }
}

std::string planned(const model::SnapshotPtr& snapshot) {
  plan::ClusterPlan plan = plan::plan_cluster(snapshot, {});
  std::vector<PlannedService> services;
  std::string out;
  for (plan::ServicePlan& service : plan.services)
    services.push_back({service, plan::predict_or_fail(plan, service)});
  out += plan_document(plan, services, report::DocumentFormat::Json);
  for (const PlannedService& service : services) {
    if (plan::has_failed(service.plan)) continue;
    for (std::size_t node = 0; node < snapshot->nodes.size(); ++node) {
      const plan::From from{model::NodeIndex(node), snapshot->nodes[node].zone};
      out += report::explain_document(plan, plan::explain(plan, service.plan, from), from,
                                      report::DocumentFormat::Json);
    }
  }
  return out;
}

std::string compared(const model::SnapshotPtr& snapshot) {
  const plan::Comparison comparison = plan::compare_policies(
      snapshot, {}, choose_variants({}, {}), {}, [](const model::Service&) { return true; });
  return compare_document(comparison, {.variants_shown = comparison.variants.size()},
                          report::DocumentFormat::Json);
}

model::SnapshotPtr read(std::string_view text) {
  const auto loaded = manifest::read_manifest_text(text, "dump", {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded->snapshot;
}

void expect_the_same(const json::array& items) {
  const std::string packed = sysdump_of(items);
  const model::SnapshotPtr whole = read(list_text(items));
  const model::SnapshotPtr reduced = read(packed);
  ASSERT_EQ(planned(reduced), planned(whole));
  ASSERT_EQ(compared(reduced), compared(whole));
}

TEST(SysdumpWorlds, PlanExplainAndCompareSayTheSameAndNoSecretIsLeft) {
  const std::uint64_t seed = test::seed_of_this_run();
  const auto worlds = static_cast<std::uint64_t>(test::times("PROXIMA_WORLDS", kUsualWorlds));
  for (std::uint64_t i = 0; i < worlds; ++i) {
    SCOPED_TRACE("PROXIMA_WORLDS=1 PROXIMA_SEED=" + std::to_string(seed + i));
    const json::array items = random_cluster(seed + i);
    ASSERT_NE(list_text(items).find(kSecret), std::string::npos);
    ASSERT_EQ(unpacked(sysdump_of(items)).find(kSecret), std::string::npos);
    ASSERT_NO_FATAL_FAILURE(expect_the_same(items));
  }
}

// The field of an object, wherever lists on the way to it lead.
void erase(json::value& value, std::string_view path) {
  if (json::array* items = value.if_array()) {
    for (json::value& item : *items) erase(item, path);
    return;
  }
  json::object* object = value.if_object();
  if (object == nullptr) return;
  const std::size_t dot = path.find('.');
  std::string_view name = path.substr(0, dot);
  if (name.ends_with("[]")) name.remove_suffix(2);
  if (dot == std::string_view::npos) {
    object->erase(name);
  } else if (json::value* member = object->if_contains(name)) {
    erase(*member, path.substr(dot + 1));
  }
}

json::array without(json::array items, std::string_view kind, std::string_view path) {
  for (json::value& item : items)
    if (item.at("kind").as_string() == kind) erase(item, path);
  return items;
}

// The random clusters would tell: each field that plans read, when it is missing, changes what is
// said about one of them.
TEST(SysdumpWorlds, NoFieldThatPlansReadCouldBeMissing) {
  constexpr std::uint64_t kWorldsMax = 400;
  constexpr std::pair<const char*, const char*> kRead[] = {
      {"Namespace", "metadata.annotations"},
      {"Node", "metadata.labels"},
      {"Node", "metadata.annotations"},
      {"Node", "status.allocatable.cpu"},
      {"Node", "status.conditions[].status"},
      {"Service", "metadata.annotations"},
      {"Service", "spec.type"},
      {"Service", "spec.selector"},
      {"Service", "spec.ports[].targetPort"},
      {"Service", "spec.internalTrafficPolicy"},
      {"Service", "spec.publishNotReadyAddresses"},
      {"Service", "spec.topologyKeys[]"},
      {"Service", "spec.trafficDistribution"},
      {"EndpointSlice", "metadata.labels"},
      {"EndpointSlice", "metadata.annotations"},
      {"EndpointSlice", "endpoints[].conditions.ready"},
      {"EndpointSlice", "endpoints[].conditions.serving"},
      {"EndpointSlice", "endpoints[].conditions.terminating"},
      {"EndpointSlice", "endpoints[].nodeName"},
      {"EndpointSlice", "endpoints[].zone"},
      {"EndpointSlice", "endpoints[].topology"},
      {"EndpointSlice", "endpoints[].hints.forZones[].name"},
      {"EndpointSlice", "endpoints[].hints.forNodes[].name"},
      {"EndpointSlice", "endpoints[].targetRef.name"},
      {"Pod", "metadata.labels"},
      {"Pod", "metadata.annotations"},
      {"Pod", "metadata.deletionTimestamp"},
      {"Pod", "spec.nodeName"},
      {"Pod", "spec.containers[].ports[].name"},
      {"Pod", "spec.initContainers[].restartPolicy"},
      {"Pod", "status.phase"},
      {"Pod", "status.podIPs[].ip"},
      {"Pod", "status.conditions[].status"},
  };
  std::vector<std::string> unnoticed;
  for (const auto& [kind, path] : kRead) {
    bool noticed = false;
    for (std::uint64_t seed = 1; seed <= kWorldsMax && !noticed; ++seed) {
      const json::array items = random_cluster(seed);
      noticed =
          planned(read(list_text(items))) != planned(read(list_text(without(items, kind, path))));
    }
    if (!noticed) unnoticed.push_back(std::string(kind) + " " + path);
  }
  EXPECT_EQ(unnoticed, std::vector<std::string>());
}

// An object, or those of a list; items of a typed list do not say their kind.
void add_items(json::array& items, const json::object& document) {
  const json::value* listed = document.if_contains("items");
  if (listed == nullptr) return items.push_back(document);
  std::string kind(document.at("kind").as_string());
  kind.resize(kind.size() - std::string_view("List").size());
  for (const json::value& item : listed->as_array()) {
    json::object object = item.as_object();
    object.emplace("kind", kind);
    items.push_back(std::move(object));
  }
}

TEST(SysdumpWorlds, TheBundledClustersGiveTheSame) {
  for (const char* file : {"examples/three-zones.yaml", "examples/two-one-one.yaml",
                           "tests/system/command_line/small.yaml"}) {
    SCOPED_TRACE(file);
    const std::string text = test::file_text(test::source_folder() + "/" + file);
    wire::YamlDocuments documents(text, 1);
    json::array items;
    for (;;) {
      const auto document = documents.next();
      ASSERT_TRUE(document) << document.error().message;
      if (!*document) break;
      const json::value value = json::parse(**document);
      if (value.is_object()) add_items(items, value.get_object());
    }
    ASSERT_GT(items.size(), 3U);
    expect_the_same(items);
  }
}

}  // namespace
}  // namespace proxima::cli
