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
#include "simulation/cluster_world.h"
#include "simulation/node.h"
#include "simulation/replica.h"
#include "slices/pack_family.h"
#include "slices/slice_planner.h"
#include "wire/padded_text.h"

namespace proxima::simulation {
namespace {

const json::object kNothing;

const json::object& section(const json::object& object, std::string_view field) {
  const json::object* found = object_at(object, field);
  return found == nullptr ? kNothing : *found;
}

const json::array& list(const json::object& object, std::string_view field) {
  static const json::array nothing;
  const json::value* found = object.if_contains(field);
  return found != nullptr && found->is_array() ? found->get_array() : nothing;
}

std::string label(const json::object& object, std::string_view name) {
  return text_at(section(section(object, "metadata"), "labels"), name);
}

bool is_selected(const json::object& service, const json::object& pod) {
  const json::object& selector = section(section(service, "spec"), "selector");
  return !selector.empty() &&
         std::all_of(selector.begin(), selector.end(), [&](const auto& wanted) {
           return wanted.value().is_string() &&
                  label(pod, wanted.key()) == wanted.value().get_string();
         });
}

bool is_ready(const json::object& pod) {
  if (section(pod, "metadata").contains("deletionTimestamp")) return false;
  const json::array& conditions = list(section(pod, "status"), "conditions");
  return std::any_of(conditions.begin(), conditions.end(), [](const json::value& condition) {
    return text_at(condition.as_object(), "type") == "Ready" &&
           text_at(condition.as_object(), "status") == "True";
  });
}

bool endpoint_is_ready(const json::object& endpoint) {
  const json::value* ready = section(endpoint, "conditions").if_contains("ready");
  return ready == nullptr || !ready->is_bool() || ready->get_bool();
}

bool belongs_to(const json::object& slice, const json::object& service) {
  return metadata_text(slice, "namespace") == metadata_text(service, "namespace") &&
         label(slice, kServiceName) == metadata_text(service, "name");
}

bool is_ours(const json::object& slice) { return label(slice, kManagedBy) == kOurManager; }

// Ready or not, by address.
using Endpoints = std::map<std::string, bool>;

std::string shown(const Endpoints& endpoints) {
  std::string text;
  for (const auto& [address, ready] : endpoints)
    text += (text.empty() ? "" : " ") + address + (ready ? "" : "!");
  return "[" + text + "]";
}

Endpoints wanted_endpoints(const ModelStore& store, const json::object& service) {
  Endpoints wanted;
  for (const auto& [key, pod] : store.all("pods")) {
    const json::object& object = pod.object;
    const std::string node = text_at(section(object, "spec"), "nodeName");
    if (is_selected(service, object) && store.find("nodes", node) != nullptr)
      wanted.emplace(text_at(section(object, "status"), "podIP"), is_ready(object));
  }
  return wanted;
}

enum class Whose { Ours, Anybodys };
Endpoints published_endpoints(const ModelStore& store, const json::object& service, Whose whose,
                              std::string& twice) {
  Endpoints published;
  for (const auto& [key, slice] : store.all("endpointslices")) {
    if (!belongs_to(slice.object, service)) continue;
    if (whose == Whose::Ours && !is_ours(slice.object)) continue;
    for (const json::value& one : list(slice.object, "endpoints")) {
      const json::object& endpoint = one.as_object();
      for (const json::value& address : list(endpoint, "addresses")) {
        const bool ready = endpoint_is_ready(endpoint);
        const auto [known, is_new] = published.emplace(address.as_string(), ready);
        if (is_new) continue;
        twice = std::string(address.as_string());
        known->second = known->second || ready;  // slices disagree: proxies may follow either
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
      plan::plan_cluster(builder.build(model::MissingSlices::Derive), plan::PlanOptions()));
  return broken.empty() ? "" : "the plan breaks a promise: " + broken.front();
}

std::string check_route(const ModelStore& store, const ModelKernel& kernel,
                        const json::object& service) {
  std::string twice;
  const Endpoints endpoints = published_endpoints(store, service, Whose::Anybodys, twice);
  const bool has_ready = std::any_of(endpoints.begin(), endpoints.end(),
                                     [](const auto& endpoint) { return endpoint.second; });
  const json::object& spec = section(service, "spec");
  if (!has_ready || list(spec, "ports").empty()) return "";
  const json::object& port = list(spec, "ports").at(0).as_object();
  const std::vector<IpAddress> local = {Node::address_of(kernel.node())};
  const dataplane::NftPacket packet{
      .source = IpAddress::parse("10.1.200.200").value(),
      .destination = IpAddress::parse(text_at(spec, "clusterIP")).value(),
      .protocol = static_cast<std::uint8_t>(text_at(port, "protocol") == "UDP" ? 17 : 6),
      .port = static_cast<std::uint16_t>(port.at("port").as_int64()),
      .input_interface = "cni0",
      .local_addresses = local};
  const std::string where = kernel.node() + ": Service " + key_of(service);
  const auto outcomes = dataplane::nft_trace(kernel.table(), packet);
  if (!outcomes) return where + ": the rules cannot run: " + outcomes.error().message;
  for (const dataplane::NftOutcome& outcome : *outcomes) {
    if (outcome.kind != dataplane::NftOutcome::Kind::Deliver)
      return where + " has a ready endpoint and no route";
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
    if (section(section(stored.object, "spec"), "selector").empty()) continue;
    std::string twice;
    const Endpoints published = published_endpoints(store, stored.object, Whose::Ours, twice);
    const Endpoints wanted = wanted_endpoints(store, stored.object);
    if (!twice.empty()) return "Service " + key + ": " + twice + " is in its slices twice";
    if (published != wanted)
      return "Service " + key + ": slices have " + shown(published) + ", Pods are " + shown(wanted);
  }
  return "";
}

std::string check_hints(const json::object& slice) {
  std::size_t ready = 0;
  std::size_t hinted = 0;
  for (const json::value& one : list(slice, "endpoints")) {
    const json::object& endpoint = one.as_object();
    // One without a zone has nothing that a hint for zones could say, as upstream has it.
    if (!endpoint_is_ready(endpoint) || text_at(endpoint, "zone").empty()) continue;
    ++ready;
    if (!list(section(endpoint, "hints"), "forZones").empty()) ++hinted;
  }
  if (hinted == 0 || hinted == ready) return "";
  return "slice " + key_of(slice) + ": " + std::to_string(hinted) + " of " + std::to_string(ready) +
         " ready endpoints have hints";
}

std::string check_all_hints(const ModelStore& store) {
  for (const auto& [key, service] : store.all("services")) {
    json::object together{{"metadata", service.object.at("metadata")},
                          {"endpoints", json::array()}};
    json::array& endpoints = together.at("endpoints").as_array();
    for (const auto& [name, slice] : store.all("endpointslices")) {
      if (!belongs_to(slice.object, service.object) || !is_ours(slice.object)) continue;
      for (const json::value& endpoint : list(slice.object, "endpoints"))
        endpoints.push_back(endpoint);
    }
    if (const std::string wrong = check_hints(together); !wrong.empty())
      return "Service " + key + ", all slices: " + wrong;
  }
  return "";
}

std::string check_plan(const ModelStore& store, std::int64_t wall_seconds) {
  const Records records(store);
  slices::SlicePlanner planner{plan::PlanOptions()};
  planner.set_nodes(records.nodes.snapshot());
  const WallTime now{std::chrono::seconds(wall_seconds)};
  for (const auto& service : records.services) {
    std::string wrong = check_service_plan(store, records, *service, planner, now);
    if (!wrong.empty()) return wrong;
  }
  return check_promises(records);
}

std::string check_routes(const ModelStore& store, const ModelKernel& kernel) {
  for (const auto& [key, service] : store.all("services"))
    if (std::string wrong = check_route(store, kernel, service.object); !wrong.empty())
      return wrong;
  return "";
}

}  // namespace proxima::simulation
