// SPDX-License-Identifier: Apache-2.0
#include "simulation/cluster_world.h"

#include <algorithm>
#include <vector>

#include "base/timestamp.h"
#include "simulation/cluster_objects.h"

namespace proxima::simulation {
namespace {

constexpr const char* kZones[] = {"zone-a", "zone-b", "zone-c"};
constexpr const char* kApps[] = {"web", "cart", "pay", "find"};
constexpr std::int64_t kWallBegin = 1'772'323'200;  // as Process has it
constexpr std::size_t kNodesMax = 9;
constexpr std::size_t kPodsMax = 48;
constexpr std::size_t kServicesMax = 8;

template <class Row, std::size_t kCount>
const Row& one_of(const Row (&rows)[kCount], SplitMix& dice) {
  return rows[dice.below(kCount)];
}

json::object named(const std::string& name, bool namespaced) {
  json::object meta{{"name", name}};
  if (namespaced) meta["namespace"] = kNamespace;
  return json::object{{"metadata", meta}};
}

// Families of a Service, the first as its own.
constexpr const char* kFamilyChoices[] = {"IPv4", "IPv4", "IPv6", "IPv4 IPv6", "IPv6 IPv4"};

json::array families_in(std::string_view words) {
  json::array families;
  for (; !words.empty(); words.remove_prefix(std::min(words.size(), std::size_t{5})))
    families.emplace_back(words.substr(0, 4));
  return families;
}

// The addresses of the `number`th Service.
json::array cluster_ips(const json::array& families, std::uint64_t number) {
  json::array ips;
  for (const json::value& family : families)
    ips.emplace_back((family == "IPv4" ? "10.96.0." : "fd00:96::") +
                     std::to_string(10 + number % 200));
  return ips;
}

json::object ready_condition(bool ready, std::int64_t wall) {
  return {{"type", "Ready"},
          {"status", ready ? "True" : "False"},
          {"lastTransitionTime", time_text(WallTime(std::chrono::seconds(wall)))}};
}

// What a Service asks for. Policies that may reject traffic are left out: a Service with a ready
// endpoint must have a route.
struct Wish {
  const char* annotation;  // "": none
  const char* value;
  const char* traffic_distribution;  // "": none
};
constexpr Wish kWishes[] = {
    {"", "", ""},
    {"", "", "PreferClose"},
    {"", "", "PreferSameZone"},
    {"", "", "PreferSameNode"},
    {"service.kubernetes.io/topology-mode", "Auto", ""},
    {"proxima.io/policy", "balanced", ""},
    {"proxima.io/policy", "zone-aware", ""},
    {"proxima.io/policy", "auto", ""},
    {"proxima.io/topology-keys", "topology.kubernetes.io/zone,*", ""},
};

void set_wish(json::object& service, const Wish& wish) {
  json::object& meta = metadata_of(service);
  meta.erase("annotations");
  if (*wish.annotation != '\0') meta["annotations"] = json::object{{wish.annotation, wish.value}};
  json::object& spec = service["spec"].as_object();
  spec.erase("trafficDistribution");
  if (*wish.traffic_distribution != '\0') spec["trafficDistribution"] = wish.traffic_distribution;
}

// Annotations of objects that are there, and stay. What cannot be used is reported and does not
// count; the rest of the object does, so the cluster must settle with all of them.
struct HostileAnnotations {
  const char* kind;
  const char* annotations;
};
constexpr HostileAnnotations kHostileAnnotations[] = {
    {"nodes", R"({"proxima.io/traffic":"1e306"})"},
    {"nodes", R"({"proxima.io/traffic":"1e15"})"},
    {"nodes", R"({"proxima.io/traffic":"4.9e-324"})"},
    {"nodes", R"({"proxima.io/traffic":"-inf"})"},
    {"pods", R"({"proxima.io/weight":"18014398509481984"})"},
    {"pods", R"({"proxima.io/weight":"1000000"})"},
    {"pods", R"({"proxima.io/weight":"1e-6"})"},
    {"pods", R"({"proxima.io/weight":"1e-45"})"},
    {"pods", R"({"proxima.io/weight":"NaN"})"},
    {"services", R"({"proxima.io/policy":"balanced","proxima.io/demand":"measured"})"},
    {"services", R"({"proxima.io/policy":"balanced","proxima.io/demand":"measured",
       "proxima.io/overload":"1e308"})"},
    {"services", R"({"proxima.io/policy":"balanced","proxima.io/overload":"0"})"},
    {"services", R"({"proxima.io/policy":"balanced","proxima.io/overload":"inf"})"},
    {"services", R"({"proxima.io/policy":"balanced","proxima.io/overload":"4.9e-324"})"},
    {"services", R"({"proxima.io/policy":"balanced","proxima.io/overload":"-0",
       "proxima.io/min-local-endpoints":"18446744073709551617"})"},
    {"services", R"({"proxima.io/policy":"auto","proxima.io/auto-start":"1e308",
       "proxima.io/auto-stop":"-1"})"},
    {"services", R"({"proxima.io/policy":"auto","proxima.io/auto-start":"1000000",
       "proxima.io/auto-stop":"1000000"})"},
    {"services", R"({"proxima.io/policy":"zone-aware","proxima.io/panic":"1e99",
       "proxima.io/min-local-endpoints":"1000000"})"},
    {"services", R"({"proxima.io/policy":"zone-aware","proxima.io/demand":"clients=../../x"})"},
};

// The one change of families that the API allows.
void toggle_second_family(json::object& spec) {
  if (!spec.contains("ipFamilies")) return;
  json::array& families = spec.at("ipFamilies").as_array();
  json::array& ips = spec.at("clusterIPs").as_array();
  if (families.size() == 2) {
    families.pop_back();
    ips.pop_back();
    return;
  }
  const std::string ip(ips.at(0).as_string());
  const bool is_v4 = families.at(0) == "IPv4";
  const std::string last = ip.substr(ip.find_last_of(is_v4 ? '.' : ':') + 1);
  families.emplace_back(is_v4 ? "IPv6" : "IPv4");
  ips.emplace_back((is_v4 ? "fd00:96::" : "10.96.0.") + last);
}

struct Hostile {
  const char* kind;
  const char* object;  // without a name
};
constexpr Hostile kHostile[] = {
    {"pods", R"({"spec":{"nodeName":7,"containers":"none"},"status":{"podIP":"999.1.2.3",
       "podIPs":[{"ip":"10.1.0.1"},{"ip":"::"},{"ip":"fe80::1%eth0"},{}],"phase":"Running",
       "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"yesterday"}]}})"},
    {"pods", R"({"spec":{"nodeName":"../../etc"},"status":{"podIP":"","phase":["Running"],
       "conditions":{"type":"Ready"}}})"},
    {"pods", R"({"metadata":{"labels":{"app":"web"},
       "annotations":{"proxima.io/weight":"9223372036854775808"}},"spec":{"nodeName":"node-0"},
       "status":{"podIP":"10.1.99.1","podIPs":[{"ip":"10.1.99.1"}],"phase":"Running",
       "conditions":[{"type":"Ready","status":"True"}]}})"},
    {"services", R"({"spec":{"clusterIP":"10.96.9.9","clusterIPs":["10.96.9.9","not-an-ip"],
       "selector":{"app":"web"},"ports":[{"port":99999999999,"protocol":"TCP"},{"port":"http"},
       {"port":-1,"targetPort":{"a":1}}]}})"},
    {"services", R"({"metadata":{"annotations":{"proxima.io/policy":"balanced",
       "proxima.io/overload":"1e308","proxima.io/demand":"clients=","proxima.io/failover":"-1s"}},
       "spec":{"clusterIP":"10.96.9.8","selector":{"app":"cart"},
       "ports":[{"port":80,"targetPort":"no-such-port"}]}})"},
    {"services", R"({"metadata":{"annotations":{"proxima.io/policy":"\u0000\u001b[31m",
       "proxima.io/topology-keys":"*,*,*,,,topology.kubernetes.io/zone,*"}},
       "spec":{"clusterIP":"10.96.9.7","selector":{"app":"pay"},"trafficDistribution":"Nowhere",
       "sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":-5}},
       "ports":[{"port":80,"targetPort":8080}]}})"},
    {"nodes", R"({"metadata":{"labels":{"topology.kubernetes.io/zone":""},
       "annotations":{"proxima.io/traffic":"-5"}},"status":{"allocatable":{"cpu":"1e400"},
       "conditions":[{"type":"Ready","status":"Maybe"}]}})"},
    {"nodes", R"({"metadata":{"labels":{"topology.kubernetes.io/zone":"zone-a"},
       "annotations":{"proxima.io/traffic":"NaN"}},"status":{"allocatable":{"cpu":"-4"},
       "addresses":"none"}})"},
    {"endpointslices", R"({"metadata":{"labels":{"kubernetes.io/service-name":"web"},
       "annotations":{"proxima.io/zone-split":"{\"zone-a\":1e9}","proxima.io/routing":"}{"}},
       "addressType":"IPv4","ports":[{"port":0},{"name":"p","port":70000}],
       "endpoints":[{"addresses":[]},{"addresses":["10.1.2.3","x"],"conditions":"ready"}]})"},
    {"endpointslices", R"({"metadata":{"labels":{"kubernetes.io/service-name":"cart"}},
       "addressType":"FQDN","ports":null,"endpoints":[{"addresses":["example.com"]}]})"},
};

}  // namespace

std::int64_t ClusterWorld::wall_seconds() const {
  return kWallBegin + std::chrono::duration_cast<std::chrono::seconds>(scheduler_.now()).count();
}

void ClusterWorld::put(std::string_view kind, json::object object) {
  if (history_.keeps_lines())
    history_.note("world", "writes " + std::string(kind) + " " + key_of(object));
  store_.put(kind, std::move(object), wall_seconds());
}

void ClusterWorld::later(Time delay, std::function<void()> act) {
  ++pending_;
  scheduler_.after(delay, [this, act = std::move(act)] {
    --pending_;
    act();
  });
}

bool ClusterWorld::erase(std::string_view kind, const std::string& key) {
  if (history_.keeps_lines()) history_.note("world", "removes " + std::string(kind) + " " + key);
  return store_.erase(kind, key);
}

std::string ClusterWorld::pick(std::string_view kind, SplitMix& dice) const {
  const auto& all = store_.all(kind);
  if (all.empty()) return {};
  return std::next(all.begin(), static_cast<std::ptrdiff_t>(dice.below(all.size())))->first;
}

std::string ClusterWorld::pick_ours(SplitMix& dice) const {
  std::vector<std::string> ours;
  for (const auto& [key, slice] : store_.all("endpointslices")) {
    const json::object* labels = object_at(slice.object.at("metadata").as_object(), "labels");
    if (labels != nullptr && text_at(*labels, kManagedBy) == kOurManager) ours.push_back(key);
  }
  return ours.empty() ? std::string() : ours[dice.below(ours.size())];
}

void ClusterWorld::build(SplitMix& dice) {
  put("namespaces", named(kNamespace, false));
  json::object range = named("kubernetes", false);
  range["spec"] = json::object{{"cidrs", json::array{"10.96.0.0/16", "fd00:96::/112"}}};
  put("servicecidrs", std::move(range));
  const std::uint64_t nodes = 3 + dice.below(4);
  for (std::uint64_t i = 0; i < nodes; ++i) add_node(dice);
  const std::uint64_t services = 2 + dice.below(3);
  for (std::uint64_t i = 0; i < services; ++i) add_service(dice);
  const std::uint64_t pods = 4 + dice.below(16);
  for (std::uint64_t i = 0; i < pods; ++i) add_pod(dice);
}

void ClusterWorld::add_node(SplitMix& dice) {
  if (store_.all("nodes").size() >= kNodesMax) return;
  const std::uint64_t number = nodes_made_++;
  json::object node = named("node-" + std::to_string(number), false);
  // The first three stand in three zones, so that there is something to decide.
  const char* zone = number < 3 ? kZones[number] : one_of(kZones, dice);
  metadata_of(node)["labels"] = json::object{{"topology.kubernetes.io/zone", zone}};
  const std::string cpu = std::to_string(2 + 2 * dice.below(4));
  json::array addresses;
  for (const char* prefix : {"192.168.0.", "fd00:192::"})
    addresses.push_back(
        json::object{{"type", "InternalIP"}, {"address", prefix + std::to_string(number + 1)}});
  node["status"] = json::object{{"allocatable", json::object{{"cpu", cpu}}},
                                {"addresses", addresses},
                                {"conditions", json::array{ready_condition(true, wall_seconds())}}};
  put("nodes", std::move(node));
}

void ClusterWorld::add_pod(SplitMix& dice) {
  const std::string node = pick("nodes", dice);
  if (node.empty() || store_.all("pods").size() >= kPodsMax) return;
  const std::uint64_t number = ++pods_made_;
  const std::string app = one_of(kApps, dice);
  json::object pod = named(app + "-" + std::to_string(number), true);
  metadata_of(pod)["labels"] = json::object{{"app", app}};
  pod["spec"] = json::object{
      {"nodeName", node},
      {"containers",
       json::array{json::object{{"name", "main"},
                                {"ports", json::array{json::object{{"containerPort", 8080}}}}}}}};
  const std::string ip =
      "10.1." + std::to_string(number / 250) + "." + std::to_string(1 + number % 250);
  pod["status"] = json::object{
      {"phase", "Running"},
      {"podIP", ip},
      {"podIPs", json::array{json::object{{"ip", ip}},
                             json::object{{"ip", "fd00:10:1::" + std::to_string(number)}}}},
      {"conditions", json::array{ready_condition(dice.below(4) != 0, wall_seconds())}}};
  put("pods", std::move(pod));
}

void ClusterWorld::add_service(SplitMix& dice) {
  if (store_.all("services").size() >= kServicesMax) return;
  const std::uint64_t number = services_made_++;
  const std::string app = kApps[number % std::size(kApps)];
  // The name of one that was removed is free again: another object by the same name.
  std::string name = app;
  while (store_.find("services", std::string(kNamespace) + "/" + name) != nullptr) name += "x";
  json::object service = named(name, true);
  const json::array families = families_in(one_of(kFamilyChoices, dice));
  const json::array ips = cluster_ips(families, number);
  const bool udp = dice.below(3) == 0;
  service["spec"] =
      json::object{{"type", "ClusterIP"},
                   {"clusterIP", ips.at(0)},
                   {"clusterIPs", ips},
                   {"ipFamilies", families},
                   {"selector", json::object{{"app", app}}},
                   {"sessionAffinity", dice.below(4) == 0 ? "ClientIP" : "None"},
                   {"ports", json::array{json::object{{"name", "main"},
                                                      {"port", 80},
                                                      {"protocol", udp ? "UDP" : "TCP"},
                                                      {"targetPort", 8080}}}}};
  set_wish(service, one_of(kWishes, dice));
  put("services", std::move(service));
}

bool ClusterWorld::change_service(SplitMix& dice) {
  const std::string key = pick("services", dice);
  if (key.empty()) return false;
  json::object service = *store_.find("services", key);
  if (object_at(service, "spec") == nullptr) return false;
  const std::uint64_t draw = dice.below(8);
  if (draw < 2) {
    service["spec"].as_object()["selector"] = json::object{{"app", one_of(kApps, dice)}};
  } else if (draw == 2) {
    toggle_second_family(service["spec"].as_object());
  } else {
    set_wish(service, one_of(kWishes, dice));
  }
  put("services", std::move(service));
  return true;
}

void ClusterWorld::flip_selected_pod(SplitMix& dice) {
  std::vector<std::string> selected;
  for (const auto& [key, pod] : store_.all("pods"))
    for (const auto& [name, service] : store_.all("services"))
      if (is_selected(service.object, pod.object) && (selected.empty() || selected.back() != key))
        selected.push_back(key);
  if (!selected.empty()) flip_pod(selected[dice.below(selected.size())]);
}

bool ClusterWorld::flip_pod(const std::string& key) {
  if (key.empty()) return false;
  json::object pod = *store_.find("pods", key);
  const json::object* status = object_at(pod, "status");
  const json::value* conditions = status == nullptr ? nullptr : status->if_contains("conditions");
  if (conditions == nullptr || !conditions->is_array()) return false;
  const bool ready = text_at(conditions->get_array().at(0).as_object(), "status") == "True";
  pod["status"].as_object()["conditions"] = json::array{ready_condition(!ready, wall_seconds())};
  put("pods", std::move(pod));
  return true;
}

bool ClusterWorld::end_pod(SplitMix& dice) {
  const std::string key = pick("pods", dice);
  if (key.empty()) return false;
  json::object pod = *store_.find("pods", key);
  metadata_of(pod)["deletionTimestamp"] =
      time_text(WallTime(std::chrono::seconds(wall_seconds() + 30)));
  put("pods", std::move(pod));
  const std::string uid = metadata_text(*store_.find("pods", key), "uid");
  later(std::chrono::seconds(1 + dice.below(30)), [this, key, uid] {
    const json::object* there = store_.find("pods", key);
    if (there != nullptr && metadata_text(*there, "uid") == uid) erase("pods", key);
  });
  return true;
}

bool ClusterWorld::remove_pod(SplitMix& dice) {
  const std::string key = pick("pods", dice);
  return !key.empty() && erase("pods", key);
}

bool ClusterWorld::remove_service(SplitMix& dice) {
  const std::string key = pick("services", dice);
  return !key.empty() && erase("services", key);
}

bool ClusterWorld::remove_node(SplitMix& dice) {
  const std::string key = pick("nodes", dice);
  if (key.empty()) return false;
  erase("nodes", key);
  later(std::chrono::seconds(5 + dice.below(40)), [this] { collect_garbage(true); });
  return true;
}

bool ClusterWorld::remove_zone(SplitMix& dice) {
  const std::string zone = one_of(kZones, dice);
  std::vector<std::string> gone;
  for (const auto& [key, node] : store_.all("nodes")) {
    const json::object* labels = object_at(node.object.at("metadata").as_object(), "labels");
    if (labels != nullptr && text_at(*labels, "topology.kubernetes.io/zone") == zone)
      gone.push_back(key);
  }
  for (const std::string& key : gone) erase("nodes", key);
  later(std::chrono::seconds(5 + dice.below(40)), [this] { collect_garbage(true); });
  return !gone.empty();
}

bool ClusterWorld::tamper_slice(SplitMix& dice) {
  const std::string key = pick_ours(dice);
  if (key.empty()) return false;
  json::object slice = *store_.find("endpointslices", key);
  json::value* endpoints = slice.if_contains("endpoints");
  if (endpoints == nullptr || !endpoints->is_array()) return false;
  json::array& all = endpoints->get_array();
  switch (dice.below(4)) {
    case 0:
      all.clear();
      break;
    case 1:
      if (!all.empty()) all.pop_back();
      all.push_back(json::object{
          {"addresses",
           json::array{text_at(slice, "addressType") == "IPv4" ? "10.9.9.9" : "fd00:9::9"}},
          {"conditions", json::object{{"ready", true}}}});
      break;
    case 2:
      for (json::value& endpoint : all) endpoint.as_object().erase("hints");
      break;
    default:
      metadata_of(slice)["labels"].as_object()["stranger"] = "was-here";
  }
  put("endpointslices", std::move(slice));
  return true;
}

bool ClusterWorld::steal_slice(SplitMix& dice) {
  const std::string key = pick_ours(dice);
  return !key.empty() && erase("endpointslices", key);
}

bool ClusterWorld::foreign_slice(SplitMix& dice) {
  const std::string service = pick("services", dice);
  if (service.empty()) return false;
  json::object slice = named("foreign-" + std::to_string(++others_made_), true);
  metadata_of(slice)["labels"] =
      json::object{{kServiceName, service.substr(service.find('/') + 1)}, {kManagedBy, "stranger"}};
  const std::string uid = metadata_text(*store_.find("services", service), "uid");
  metadata_of(slice)["ownerReferences"] =
      json::array{json::object{{"kind", "Service"}, {"uid", uid}}};
  const bool is_v4 = dice.below(4) != 0;
  slice["addressType"] = is_v4 ? "IPv4" : "IPv6";
  const json::object* spec = object_at(*store_.find("services", service), "spec");
  const json::value* ports = spec == nullptr ? nullptr : spec->if_contains("ports");
  const bool udp = ports != nullptr && json::serialize(*ports).find("UDP") != std::string::npos;
  slice["ports"] = json::array{
      json::object{{"name", "main"}, {"port", 8080}, {"protocol", udp ? "UDP" : "TCP"}}};
  slice["endpoints"] =
      json::array{json::object{{"addresses", json::array{(is_v4 ? "10.8.0." : "fd00:8::") +
                                                         std::to_string(1 + dice.below(200))}},
                               {"conditions", json::object{{"ready", dice.below(2) == 0}}}}};
  put("endpointslices", std::move(slice));
  return true;
}

void ClusterWorld::add_hostile_object(SplitMix& dice) {
  const Hostile& hostile = one_of(kHostile, dice);
  json::object object = json::parse(hostile.object).as_object();
  json::object& meta = metadata_of(object);
  meta["name"] = kHostileName + std::to_string(++others_made_);
  if (std::string_view(hostile.kind) != "nodes") meta["namespace"] = kNamespace;
  if (dice.below(4) == 0) meta["labels"].emplace_object()[std::string(5'000, 'x')] = "y";
  const std::string key = key_of(object);
  put(hostile.kind, std::move(object));
  if (hostile_stay_) return;
  // Somebody notices sooner or later.
  const std::string kind = hostile.kind;
  later(std::chrono::seconds(1 + dice.below(60)), [this, kind, key] { erase(kind, key); });
}

bool ClusterWorld::write_hostile_value(SplitMix& dice) {
  const HostileAnnotations& hostile = one_of(kHostileAnnotations, dice);
  const std::string key = pick(hostile.kind, dice);
  if (key.empty()) return false;
  json::object object = *store_.find(hostile.kind, key);
  metadata_of(object)["annotations"] = json::parse(hostile.annotations);
  put(hostile.kind, std::move(object));
  return true;
}

void ClusterWorld::collect_garbage(bool pods) {
  std::vector<std::string> uids;
  for (const char* kind : {"services", "endpoints"})  // that own slices
    for (const auto& [key, owner] : store_.all(kind))
      uids.push_back(metadata_text(owner.object, "uid"));
  std::vector<std::string> gone;
  for (const auto& [key, slice] : store_.all("endpointslices")) {
    const json::object& meta = slice.object.at("metadata").as_object();
    const json::value* owners = meta.if_contains("ownerReferences");
    if (owners == nullptr || !owners->is_array() || owners->get_array().empty()) continue;
    const std::string owner = text_at(owners->get_array().at(0).as_object(), "uid");
    if (std::find(uids.begin(), uids.end(), owner) == uids.end()) gone.push_back(key);
  }
  for (const std::string& key : gone) erase("endpointslices", key);
  if (!pods) return;
  gone.clear();
  for (const auto& [key, pod] : store_.all("pods")) {
    const json::object* spec = object_at(pod.object, "spec");
    const std::string node = spec == nullptr ? "" : text_at(*spec, "nodeName");
    if (store_.find("nodes", node) == nullptr) gone.push_back(key);
  }
  for (const std::string& key : gone) erase("pods", key);
}

void ClusterWorld::remove_hostile_objects() {
  for (const char* kind : {"pods", "services", "nodes", "endpointslices"}) {
    std::vector<std::string> gone;
    for (const auto& [key, stored] : store_.all(kind))
      if (is_hostile(key)) gone.push_back(key);
    for (const std::string& key : gone) erase(kind, key);
  }
}

bool ClusterWorld::act(const Injection& injection) {
  SplitMix dice(injection.dice);
  switch (injection.what) {
    case Happening::FlipPod:
      return flip_pod(pick("pods", dice));
    case Happening::AddPod:
      add_pod(dice);
      return true;
    case Happening::EndPod:
      return end_pod(dice);
    case Happening::RemovePod:
      return remove_pod(dice);
    case Happening::ChangeService:
      return change_service(dice);
    case Happening::AddService:
      add_service(dice);
      return true;
    case Happening::RemoveService:
      return remove_service(dice);
    case Happening::AddNode:
      add_node(dice);
      return true;
    case Happening::RemoveNode:
      return remove_node(dice);
    case Happening::RemoveZone:
      return remove_zone(dice);
    case Happening::TamperSlice:
      return tamper_slice(dice);
    case Happening::StealSlice:
      return steal_slice(dice);
    case Happening::ForeignSlice:
      return foreign_slice(dice);
    case Happening::HostileObject:
      add_hostile_object(dice);
      return true;
    case Happening::HostileValue:
      return write_hostile_value(dice);
    default:
      return false;
  }
}

}  // namespace proxima::simulation
