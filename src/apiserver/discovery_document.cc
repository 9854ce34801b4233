// SPDX-License-Identifier: Apache-2.0
#include "apiserver/discovery_document.h"

#include <algorithm>
#include <boost/json/array.hpp>

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

template <class Names>
array texts(const Names& names) {
  array out;
  for (const std::string_view name : names) out.emplace_back(name);
  return out;
}

constexpr std::string_view kStatusVerbs[] = {"get", "patch", "update"};

object group_version(std::string_view group) {
  const ResourceType& any = *resources_of_group(group).front();
  return {{"groupVersion", any.api_version()}, {"version", any.version}};
}

object legacy_resource(const ResourceType& type) {
  object out = {{"name", type.plural},
                {"singularName", type.singular},
                {"namespaced", type.namespaced},
                {"kind", type.name},
                {"verbs", texts(verbs_of(type))}};
  if (!type.short_names.empty()) out["shortNames"] = texts(type.short_names);
  if (!type.categories.empty()) out["categories"] = texts(type.categories);
  return out;
}

object legacy_status(const ResourceType& type) {
  return {{"name", std::string(type.plural) + "/status"},
          {"singularName", ""},
          {"namespaced", type.namespaced},
          {"kind", type.name},
          {"verbs", texts(kStatusVerbs)}};
}

// Group and version are left empty when they are those of the list, as upstream does.
object response_kind(const ResourceType& type) {
  return {{"group", ""}, {"version", ""}, {"kind", type.name}};
}

object aggregated_resource(const ResourceType& type) {
  object out = {{"resource", type.plural},
                {"responseKind", response_kind(type)},
                {"scope", type.namespaced ? "Namespaced" : "Cluster"},
                {"singularResource", type.singular},
                {"verbs", texts(verbs_of(type))}};
  if (!type.short_names.empty()) out["shortNames"] = texts(type.short_names);
  if (!type.categories.empty()) out["categories"] = texts(type.categories);
  if (type.has_status) {
    object status = {{"subresource", "status"},
                     {"responseKind", response_kind(type)},
                     {"verbs", texts(kStatusVerbs)}};
    out["subresources"] = array(1, std::move(status));
  }
  return out;
}

object aggregated_group(std::string_view group) {
  array resources;
  for (const ResourceType* type : resources_of_group(group))
    resources.push_back(aggregated_resource(*type));
  object version = {{"version", resources_of_group(group).front()->version},
                    {"resources", std::move(resources)},
                    {"freshness", "Current"}};
  object metadata;
  if (!group.empty()) metadata["name"] = group;
  return {{"metadata", std::move(metadata)}, {"versions", array(1, std::move(version))}};
}

}  // namespace

std::vector<std::string_view> served_groups() {
  std::vector<std::string_view> groups;
  for (const ResourceType& type : served_resources())
    if (!type.group.empty()) groups.push_back(type.group);
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

std::vector<const ResourceType*> resources_of_group(std::string_view group) {
  std::vector<const ResourceType*> out;
  for (const ResourceType& type : served_resources())
    if (type.group == group) out.push_back(&type);
  std::ranges::sort(out, {}, &ResourceType::plural);
  return out;
}

std::vector<std::string_view> verbs_of(const ResourceType& type) {
  if (type.access == Access::ReadOnly) return {"get", "list", "watch"};
  std::vector<std::string_view> verbs = {"create", "delete", "get",  "list",
                                         "patch",  "update", "watch"};
  // Namespaces go one by one: each has to be emptied.
  if (type.kind != Kind::Namespace) verbs.insert(verbs.begin() + 2, "deletecollection");
  return verbs;
}

object api_versions(std::string_view server_address) {
  object address = {{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", server_address}};
  return {{"kind", "APIVersions"},
          {"versions", array(1, "v1")},
          {"serverAddressByClientCIDRs", array(1, std::move(address))}};
}

object api_group(std::string_view group) {
  return {{"kind", "APIGroup"},
          {"apiVersion", "v1"},
          {"name", group},
          {"versions", array(1, group_version(group))},
          {"preferredVersion", group_version(group)}};
}

object api_group_list() {
  array groups;
  for (const std::string_view group : served_groups()) {
    object one = api_group(group);
    one.erase("kind");
    one.erase("apiVersion");
    groups.push_back(std::move(one));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

object api_resource_list(std::string_view group) {
  array resources;
  for (const ResourceType* type : resources_of_group(group)) {
    resources.push_back(legacy_resource(*type));
    if (type->has_status) resources.push_back(legacy_status(*type));
  }
  object out = {{"kind", "APIResourceList"}};
  if (!group.empty()) out["apiVersion"] = "v1";  // upstream leaves it out for the core group
  out["groupVersion"] = resources_of_group(group).front()->api_version();
  out["resources"] = std::move(resources);
  return out;
}

object group_discovery_list(AggregatedPart part, std::string_view version) {
  array items;
  if (part == AggregatedPart::Core) {
    items.push_back(aggregated_group(""));
  } else {
    for (const std::string_view group : served_groups()) items.push_back(aggregated_group(group));
  }
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/" + std::string(version)},
          {"metadata", object()},
          {"items", std::move(items)}};
}

// The version whose API this is, so that kubectl finds no skew; what follows the plus sign says who
// we are.
object server_version() {
  return {{"major", "1"},
          {"minor", "36"},
          {"emulationMajor", "1"},
          {"emulationMinor", "36"},
          {"minCompatibilityMajor", "1"},
          {"minCompatibilityMinor", "35"},
          {"gitVersion", "v1.36.4+proxima"},
          {"gitCommit", ""},
          {"gitTreeState", ""},
          {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", ""},
          {"compiler", ""},
          {"platform", "linux/amd64"}};
}

}  // namespace proxima::apiserver
