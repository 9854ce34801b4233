// SPDX-License-Identifier: Apache-2.0
#include "simulation/own_writes.h"

#include <set>

#include "simulation/cluster_world.h"

namespace proxima::simulation {
namespace {

// Addresses with the Pods that have them: hostile Pods claim the same one.
std::set<std::pair<std::string, std::string>> endpoints_in(const json::object& slice) {
  std::set<std::pair<std::string, std::string>> found;
  const json::value* endpoints = slice.if_contains("endpoints");
  if (endpoints == nullptr || !endpoints->is_array()) return found;
  for (const json::value& one : endpoints->get_array()) {
    const json::object& endpoint = one.as_object();
    const json::object* pod = object_at(endpoint, "targetRef");
    if (const json::value* addresses = endpoint.if_contains("addresses"))
      for (const json::value& address : addresses->as_array())
        found.emplace(address.as_string(), pod == nullptr ? "" : text_at(*pod, "uid"));
  }
  return found;
}

std::string owner_of(const json::object& slice) {
  const json::value* owners = slice.at("metadata").as_object().if_contains("ownerReferences");
  if (owners == nullptr || !owners->is_array() || owners->get_array().empty()) return {};
  return text_at(owners->get_array().at(0).as_object(), "uid");
}

}  // namespace

void OwnWrites::told(const ApiCall& call, const std::string& answer, Time now) {
  if (call.kind != "endpointslices" || (call.method != "POST" && call.method != "PUT")) return;
  json::error_code error;
  const json::value parsed = json::parse(answer, error);
  if (error) return;  // a network that answers with garbage has told nothing
  const json::object& slice = parsed.as_object();
  known_[{call.client, key_of(slice)}] = {metadata_text(slice, "resourceVersion"), now};
}

std::string OwnWrites::check_create(const ModelStore& store, const ApiCall& call,
                                    const std::string& key) const {
  const json::object& created = *store.find("endpointslices", key);
  const auto endpoints = endpoints_in(created);
  const auto end = known_.upper_bound({call.client, "\xff"});
  for (auto known = known_.lower_bound({call.client, ""}); known != end; ++known) {
    const std::string& other = known->first.second;
    const json::object* slice = store.find("endpointslices", other);
    if (slice == nullptr || other == key || known->second.since > call.sent) continue;
    if (metadata_text(*slice, "resourceVersion") != known->second.version) continue;
    if (owner_of(*slice) != owner_of(created)) continue;
    for (const auto& endpoint : endpoints_in(*slice))
      if (endpoints.contains(endpoint))
        return call.client + " created slice " + key + " with " + endpoint.first +
               ", which it had written into " + other;
  }
  return "";
}

}  // namespace proxima::simulation
