// SPDX-License-Identifier: Apache-2.0
#include "simulation/settled_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/audit/plan_audit.h"
#include "core/model/snapshot_builder.h"
#include "dataplane/nft_trace.h"
#include "kube/cache.h"
#include "kube/record_draft.h"
#include "kube/record_reader.h"
#include "simulation/cluster_objects.h"
#include "simulation/cluster_world.h"
#include "simulation/delivery.h"
#include "simulation/node.h"
#include "simulation/replica.h"
#include "slices/pack_family.h"
#include "slices/slice_planner.h"
#include "wire/padded_text.h"

namespace proxima::simulation {
namespace {

// Ready or not, by address.
using Endpoints = std::map<std::string, bool>;

std::string shown(const Endpoints& endpoints) {
  std::string text;
  for (const auto& [address, ready] : endpoints)
    text += (text.empty() ? "" : " ") + address + (ready ? "" : "!");
  return "[" + text + "]";
}

Endpoints wanted_endpoints(const ModelStore& store, const json::object& service, IpFamily family) {
  Endpoints wanted;
  if (!has_family(service, family)) return wanted;
  for (const auto& [key, pod] : store.all("pods")) {
    const json::object& object = pod.object;
    if (is_hostile(key)) continue;
    const std::string address = pod_address(object, family);
    if (address.empty()) continue;
    if (is_selected(service, object) && store.find("nodes", node_of(object)) != nullptr)
      wanted.emplace(address, is_ready(object));
  }
  return wanted;
}

enum class Whose { Ours, Anybodys };
struct Published {
  Endpoints endpoints;
  std::string twice;           // an address that is there twice; "": none
  std::set<std::string> open;  // addresses of hostile Pods
};
Published published_endpoints(const ModelStore& store, const json::object& service, IpFamily family,
                              Whose whose) {
  Published published;
  std::map<std::string, Precedence> precedences;
  for (const auto& [key, slice] : store.all("endpointslices")) {
    if (is_hostile(key) || !belongs_to(slice.object, service)) continue;
    if (whose == Whose::Ours && !is_ours(slice.object)) continue;
    if (text_at(slice.object, "addressType") != family_text(family)) continue;
    for (const json::value& one : usable_endpoints(slice.object)) {
      const json::object& endpoint = one.as_object();
      const bool is_open = is_of_hostile_pod(endpoint);
      for (const json::value& address : list(endpoint, "addresses")) {
        const std::string text(address.as_string());
        if (is_open) published.open.insert(text);
        if (is_open) continue;
        const Precedence precedence = precedence_of(slice.object, endpoint);
        const auto [known, is_new] = precedences.emplace(text, precedence);
        if (!is_new) published.twice = text;
        if (!is_new && precedence < known->second) continue;
        known->second = precedence;
        published.endpoints[text] = endpoint_is_ready(endpoint);
      }
    }
  }
  return published;
}

template <class Record>
Ref<const Record> read(std::string_view kind, const ObjectText& text) {
  const wire::PaddedText padded(*text);
  kube::RecordReader<Record> reader(kind, {});
  return reader.object(padded.text()).record;
}

template <class Record>
std::vector<Ref<const Record>> read_all(const ModelStore& store, std::string_view plural,
                                        std::string_view kind) {
  std::vector<Ref<const Record>> records;
  for (const auto& [key, stored] : store.all(plural))
    if (auto record = read<Record>(kind, stored.text)) records.push_back(std::move(record));
  return records;
}

// Everything as the product reads it.
struct Records {
  explicit Records(const ModelStore& store)
      : services(read_all<kube::ServiceRecord>(store, "services", "Service")),
        slices(read_all<kube::EndpointSliceRecord>(store, "endpointslices", "EndpointSlice")),
        all_pods(read_all<kube::PodRecord>(store, "pods", "Pod")),
        all_nodes(read_all<kube::NodeRecord>(store, "nodes", "Node")),
        ns(read<kube::NamespaceRecord>("Namespace", store.all("namespaces").begin()->second.text)) {
    pods.replace(all_pods);
    nodes.replace(all_nodes);
  }

  std::vector<Ref<const kube::ServiceRecord>> services;
  std::vector<Ref<const kube::EndpointSliceRecord>> slices;
  std::vector<Ref<const kube::PodRecord>> all_pods;
  std::vector<Ref<const kube::NodeRecord>> all_nodes;
  Ref<const kube::NamespaceRecord> ns;
  kube::Cache<kube::PodRecord> pods;
  kube::Cache<kube::NodeRecord> nodes;
};

std::string check_service_plan(const ModelStore& store, const Records& records,
                               const kube::ServiceRecord& service, slices::SlicePlanner& planner,
                               WallTime now) {
  const std::string key = kube::to_text(service.key());
  const json::object* object = store.find("services", key);
  std::vector<slices::PodRef> pods;
  for (const auto& pod : records.all_pods)
    if (is_selected(*object, *store.find("pods", kube::to_text(pod->key())))) pods.push_back(pod);
  std::vector<slices::FamilyDraft> drafts;
  const auto nodes = records.nodes.snapshot();
  for (const kube::AddressType family : slices::address_families(service)) {
    std::vector<slices::SliceRef> present;
    for (const auto& slice : records.slices) {
      const json::object* stored = store.find("endpointslices", kube::to_text(slice->key()));
      if (slice->address_type == family && is_ours(*stored) && belongs_to(*stored, *object))
        present.push_back(slice);
    }
    drafts.push_back(slices::pack_family({.service = service,
                                          .family = family,
                                          .pods = pods,
                                          .nodes = nodes,
                                          .slices = present,
                                          .max_endpoints_per_slice = Replica::kEndpointsPerSlice}));
  }
  planner.decide(service, records.ns.get(), records.pods.snapshot(), {}, drafts, now);
  for (slices::FamilyDraft& draft : drafts) {
    slices::recycle_slices(service, draft);
    const std::size_t writes = draft.creates.size() + draft.updates.size() + draft.deletes.size();
    if (writes > 0)
      return "Service " + key + ": the plan wants " + std::to_string(draft.creates.size()) +
             " slices created, " + std::to_string(draft.updates.size()) + " changed, " +
             std::to_string(draft.deletes.size()) + " deleted";
  }
  return "";
}

std::string check_promises(const Records& records) {
  model::SnapshotBuilder builder;
  for (const auto& node : records.all_nodes) builder.add(kube::to_draft(*node, builder.names()));
  for (const auto& pod : records.all_pods) builder.add(kube::to_draft(*pod, builder.names()));
  builder.add(kube::to_draft(*records.ns, builder.names()));
  for (const auto& service : records.services)
    builder.add(kube::to_draft(*service, builder.names()));
  const auto broken = audit::audit_plan(
      plan::plan_cluster(builder.build(model::MissingSlices::Derive), Replica::plan_options()));
  return broken.empty() ? "" : "the plan breaks a promise: " + broken.front();
}

// What becomes of connections from a Pod.
std::vector<dataplane::NftOutcome::Kind> treatment(const ModelKernel& kernel,
                                                   const IpAddress& address, std::uint8_t protocol,
                                                   std::uint16_t port) {
  std::vector<dataplane::NftOutcome::Kind> kinds;
  const auto outcomes = connection_to(kernel, address, protocol, port);
  if (!outcomes) return kinds;
  for (const dataplane::NftOutcome& outcome : *outcomes) kinds.push_back(outcome.kind);
  return kinds;
}

// Whom flows may go on to: endpoints that end may still serve.
struct Served {
  bool has_ready = false;
  std::set<std::string> serving;
};
Served served_by(const ModelStore& store, const json::object& service, IpFamily family) {
  Served served;
  for (const auto& [key, slice] : store.all("endpointslices")) {
    if (is_hostile(key) || !belongs_to(slice.object, service)) continue;
    if (text_at(slice.object, "addressType") != family_text(family)) continue;
    for (const json::value& one : usable_endpoints(slice.object)) {
      const json::object& endpoint = one.as_object();
      const bool ready = endpoint_is_ready(endpoint);
      const json::value* says = section(endpoint, "conditions").if_contains("serving");
      served.has_ready = served.has_ready || ready;
      if (says != nullptr && says->is_bool() ? !says->get_bool() : !ready) continue;
      for (const json::value& address : list(endpoint, "addresses"))
        served.serving.emplace(address.as_string());
    }
  }
  return served;
}

std::string check_route(const ModelStore& store, const ModelKernel& kernel,
                        const json::object& service, const IpAddress& address) {
  const Published published =
      published_endpoints(store, service, address.family(), Whose::Anybodys);
  const Endpoints& endpoints = published.endpoints;
  const bool has_ready = std::any_of(endpoints.begin(), endpoints.end(),
                                     [](const auto& endpoint) { return endpoint.second; });
  if (!has_ready) return "";
  const std::vector<IpAddress> local = Node::addresses_of(kernel.node());
  const std::string where =
      kernel.node() + ": Service " + key_of(service) + " at " + address.text();
  constexpr std::uint64_t kClient = 98;
  const auto outcomes = dataplane::nft_trace(kernel.table(address.family()),
                                             packet_to(service, address, kClient, local));
  if (!outcomes) return where + ": the rules cannot run: " + outcomes.error().message;
  for (const dataplane::NftOutcome& outcome : *outcomes) {
    if (outcome.kind != dataplane::NftOutcome::Kind::Deliver)
      return where + " has a ready endpoint and no route";
    if (published.open.contains(outcome.address.text())) continue;
    const auto found = endpoints.find(outcome.address.text());
    if (found == endpoints.end() || !found->second)
      return where + " is routed to " + outcome.address.text() + ", which is not among " +
             shown(endpoints);
  }
  return "";
}

}  // namespace

std::string check_endpoints(const ModelStore& store) {
  for (const auto& [key, stored] : store.all("services")) {
    if (is_hostile(key) || section(section(stored.object, "spec"), "selector").empty()) continue;
    for (const IpFamily family : kFamilies) {
      const Published found = published_endpoints(store, stored.object, family, Whose::Ours);
      const Endpoints wanted = wanted_endpoints(store, stored.object, family);
      if (!found.twice.empty())
        return "Service " + key + ": " + found.twice + " is in its slices twice";
      if (found.endpoints != wanted)
        return "Service " + key + ": " + family_text(family) + " slices have " +
               shown(found.endpoints) + ", Pods are " + shown(wanted);
    }
  }
  return "";
}

std::string check_hints(const json::object& slice, Zoneless zoneless) {
  std::size_t ready = 0;
  std::size_t hinted = 0;
  std::string without;
  for (const json::value& one : list(slice, "endpoints")) {
    const json::object& endpoint = one.as_object();
    if (!endpoint_is_ready(endpoint)) continue;
    if (zoneless == Zoneless::MayLackHints && text_at(endpoint, "zone").empty()) continue;
    ++ready;
    if (!list(section(endpoint, "hints"), "forZones").empty()) {
      ++hinted;
    } else {
      without = json::serialize(endpoint);
    }
  }
  if (hinted == 0 || hinted == ready) return "";
  return "slice " + key_of(slice) + ": " + std::to_string(hinted) + " of " + std::to_string(ready) +
         " ready endpoints have hints, and none has " + without;
}

// As one slice.
static json::object all_slices(const ModelStore& store, const json::object& service,
                               IpFamily family) {
  json::object together{{"metadata", service.at("metadata")}, {"endpoints", json::array()}};
  json::array& endpoints = together.at("endpoints").as_array();
  for (const auto& [name, slice] : store.all("endpointslices")) {
    if (!belongs_to(slice.object, service) || !is_ours(slice.object)) continue;
    if (text_at(slice.object, "addressType") != family_text(family)) continue;
    for (const json::value& endpoint : list(slice.object, "endpoints"))
      endpoints.push_back(endpoint);
  }
  return together;
}

std::string check_all_hints(const ModelStore& store) {
  for (const auto& [key, service] : store.all("services")) {
    // What is left of a selector that is gone stays as it is, whatever strangers make of it.
    if (is_hostile(key) || section(section(service.object, "spec"), "selector").empty()) continue;
    // Hostile Nodes have Pods, and no zone.
    const bool by_zone = section(service.object, "spec").contains("trafficDistribution");
    for (const IpFamily family : kFamilies)
      if (const std::string wrong = check_hints(all_slices(store, service.object, family),
                                                by_zone ? Zoneless::MayLackHints : Zoneless::Count);
          !wrong.empty())
        return "Service " + key + ", all slices: " + wrong;
  }
  return "";
}

std::string check_plan(const ModelStore& store, std::int64_t wall_seconds) {
  const Records records(store);
  slices::SlicePlanner planner{Replica::plan_options()};
  planner.set_nodes(records.nodes.snapshot());
  const WallTime now{std::chrono::seconds(wall_seconds)};
  for (const auto& service : records.services) {
    if (!service->selector) continue;  // its slices are not the planner's
    std::string wrong = check_service_plan(store, records, *service, planner, now);
    if (!wrong.empty()) return wrong;
  }
  return check_promises(records);
}

std::string check_former_addresses(const ModelStore& store, const std::set<IpAddress>& ever,
                                   const ModelKernel& kernel) {
  std::set<IpAddress> used;
  for (const auto& [key, service] : store.all("services"))
    for (const IpAddress& address : cluster_addresses(service.object)) used.insert(address);
  for (const IpAddress& address : ever) {
    if (used.contains(address)) continue;
    const bool is_v4 = address.family() == IpFamily::V4;
    const IpAddress unknown = IpAddress::parse(is_v4 ? "10.96.250.250" : "fd00:96::fafa").value();
    for (const std::uint8_t protocol : {std::uint8_t{6}, std::uint8_t{17}})
      for (const std::uint16_t port : {std::uint16_t{80}, std::uint16_t{81}})
        if (treatment(kernel, address, protocol, port) !=
            treatment(kernel, unknown, protocol, port))
          return kernel.node() + ": rules are left of " + address.text() +
                 ", which no Service has any more";
  }
  return "";
}

std::string check_flows(const ModelStore& store, const ModelKernel& kernel) {
  std::map<IpAddress, const json::object*> services;
  for (const auto& [key, service] : store.all("services"))
    for (const IpAddress& address : cluster_addresses(service.object))
      if (is_udp(service.object)) services.emplace(address, &service.object);
  for (const Connection& connection : kernel.connections()) {
    const auto service = services.find(connection.flow.tracked.original_destination.address);
    if (!connection.is_udp || service == services.end()) continue;
    const Served served = served_by(store, *service->second, service->first.family());
    const std::string backend = connection.flow.tracked.reply_source.address.text();
    if (served.has_ready && !served.serving.contains(backend))
      return kernel.node() + ": a flow to Service " + key_of(*service->second) + " still goes to " +
             backend + ", which does not serve it";
  }
  return "";
}

std::string check_routes(const ModelStore& store, const ModelKernel& kernel) {
  for (const auto& [key, service] : store.all("services")) {
    if (is_hostile(key)) continue;
    for (const IpAddress& address : cluster_addresses(service.object))
      if (std::string wrong = check_route(store, kernel, service.object, address); !wrong.empty())
        return wrong;
  }
  return "";
}

}  // namespace proxima::simulation
