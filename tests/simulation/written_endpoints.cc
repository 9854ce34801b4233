// SPDX-License-Identifier: Apache-2.0
#include "simulation/written_endpoints.h"

#include <map>

#include "simulation/cluster_objects.h"

namespace proxima::simulation {
namespace {

constexpr std::uint64_t kServices = 2;
constexpr std::uint64_t kAddresses = 8;
constexpr const char* kMirroringManager = "endpointslicemirroring-controller.k8s.io";
constexpr const char* kSkipMirror = "endpointslice.kubernetes.io/skip-mirror";

std::string name_of(std::uint64_t number) { return "manual-" + std::to_string(number); }
std::string key_of(std::uint64_t number) { return std::string(kNamespace) + "/" + name_of(number); }

json::object named(std::uint64_t number) {
  return {{"metadata", json::object{{"name", name_of(number)}, {"namespace", kNamespace}}}};
}

json::object address(const std::string& ip) { return {{"ip", ip}}; }

// Ready or not, by address.
using Addresses = std::map<std::string, bool>;

std::string shown(const Addresses& addresses) {
  std::string text;
  for (const auto& [ip, ready] : addresses)
    text += (text.empty() ? "" : " ") + ip + (ready ? "" : "!");
  return "[" + text + "]";
}

Addresses wanted_of(const ModelStore& store, const std::string& key) {
  const json::object* endpoints = store.find("endpoints", key);
  const json::object* service = store.find("services", key);
  if (endpoints == nullptr || service == nullptr || label(*endpoints, kSkipMirror) == "true" ||
      section(*service, "spec").contains("selector"))
    return {};
  Addresses wanted;
  for (const json::value& subset : list(*endpoints, "subsets"))
    for (const char* field : {"addresses", "notReadyAddresses"})
      for (const json::value& one : list(subset.as_object(), field))
        wanted[text_at(one.as_object(), "ip")] = std::string_view(field) == "addresses";
  return wanted;
}

struct Mirrored {
  Addresses addresses;
  std::string twice;  // an address that is there twice; "": none
};

std::map<std::string, Mirrored> mirrored_in(const ModelStore& store) {
  std::map<std::string, Mirrored> all;
  for (const auto& [key, slice] : store.all("endpointslices")) {
    if (label(slice.object, kManagedBy) != kMirroringManager) continue;
    Mirrored& mirrored =
        all[metadata_text(slice.object, "namespace") + "/" + label(slice.object, kServiceName)];
    for (const json::value& one : list(slice.object, "endpoints"))
      for (const json::value& ip : list(one.as_object(), "addresses")) {
        const bool is_new =
            mirrored.addresses.emplace(ip.as_string(), endpoint_is_ready(one.as_object())).second;
        if (!is_new) mirrored.twice = std::string(ip.as_string());
      }
  }
  return all;
}

}  // namespace

void WrittenEndpoints::put(std::string_view kind, json::object object) {
  if (history_.keeps_lines())
    history_.note("world", "writes " + std::string(kind) + " " + simulation::key_of(object));
  store_.put(kind, std::move(object), world_.wall_seconds());
}

void WrittenEndpoints::erase(std::string_view kind, const std::string& key) {
  if (history_.keeps_lines()) history_.note("world", "removes " + std::string(kind) + " " + key);
  store_.erase(kind, key);
}

void WrittenEndpoints::build(SplitMix& dice) {
  for (std::uint64_t number = 0; number < kServices; ++number) {
    write_service(number, dice);
    write_endpoints(number, dice);
  }
}

void WrittenEndpoints::write_service(std::uint64_t number, SplitMix& dice) {
  json::object service = named(number);
  const std::string last = std::to_string(240 + number);
  const bool has_both = dice.below(2) == 0;
  json::array families{"IPv4"};
  json::array ips{"10.96.0." + last};
  if (has_both) families.emplace_back("IPv6");
  if (has_both) ips.emplace_back("fd00:96::" + last);
  service["spec"] = json::object{
      {"type", "ClusterIP"},
      {"clusterIP", ips.at(0)},
      {"clusterIPs", ips},
      {"ipFamilies", families},
      {"sessionAffinity", "None"},
      {"ports", json::array{json::object{{"name", "main"}, {"port", 80}, {"protocol", "TCP"}}}}};
  put("services", std::move(service));
}

void WrittenEndpoints::write_endpoints(std::uint64_t number, SplitMix& dice) {
  const json::object* present = store_.find("endpoints", key_of(number));
  json::object endpoints = present == nullptr ? named(number) : *present;
  json::array ready;
  json::array not_ready;
  for (std::uint64_t i = 0; i < kAddresses; ++i) {
    const std::uint64_t draw = dice.below(3);
    if (draw == 0) continue;
    const bool is_v4 = i % 2 == 0;
    const std::string host = std::to_string(1 + number * kAddresses + i);
    (draw == 1 ? ready : not_ready).push_back(address((is_v4 ? "10.7.0." : "fd00:7::") + host));
  }
  json::object subset{
      {"ports", json::array{json::object{{"name", "main"}, {"port", 8080}, {"protocol", "TCP"}}}}};
  if (!ready.empty()) subset["addresses"] = ready;
  if (!not_ready.empty()) subset["notReadyAddresses"] = not_ready;
  endpoints["subsets"] = json::array{subset};
  if (ready.empty() && not_ready.empty()) endpoints.erase("subsets");
  put("endpoints", std::move(endpoints));
}

void WrittenEndpoints::toggle_selector(const std::string& key, SplitMix& dice) {
  const json::object* present = store_.find("services", key);
  if (present == nullptr) return;
  json::object service = *present;
  json::object& spec = service.at("spec").as_object();
  if (spec.contains("selector"))
    spec.erase("selector");
  else
    spec["selector"] = json::object{{"app", dice.below(2) == 0 ? "web" : "cart"}};
  put("services", std::move(service));
}

void WrittenEndpoints::toggle_mirroring(const std::string& key) {
  const json::object* present = store_.find("endpoints", key);
  if (present == nullptr) return;
  json::object endpoints = *present;
  json::object& meta = metadata_of(endpoints);
  if (label(endpoints, kSkipMirror).empty())
    meta["labels"] = json::object{{kSkipMirror, "true"}};
  else
    meta.erase("labels");
  put("endpoints", std::move(endpoints));
}

void WrittenEndpoints::change(SplitMix& dice) {
  const std::uint64_t number = dice.below(kServices);
  const std::string key = key_of(number);
  switch (dice.below(10)) {
    case 0:
      return erase("endpoints", key);
    case 1:
      return toggle_mirroring(key);
    case 2:
      return toggle_selector(key, dice);
    case 3:
      return erase("services", key);
    case 4:
    case 5:
      return write_service(number, dice);
    default:
      return write_endpoints(number, dice);
  }
}

std::string check_mirrored(const ModelStore& store) {
  std::map<std::string, Mirrored> found = mirrored_in(store);
  for (const auto& [key, endpoints] : store.all("endpoints")) found.try_emplace(key);
  for (const auto& [key, mirrored] : found) {
    const Addresses wanted = wanted_of(store, key);
    if (!mirrored.twice.empty())
      return "Endpoints " + key + ": " + mirrored.twice + " is in its mirrored slices twice";
    if (mirrored.addresses != wanted)
      return "Endpoints " + key + ": mirrored slices have " + shown(mirrored.addresses) +
             ", they should have " + shown(wanted);
  }
  return "";
}

}  // namespace proxima::simulation
