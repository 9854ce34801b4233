// SPDX-License-Identifier: Apache-2.0
#include "apiserver/api_operations.h"

#include <algorithm>

#include "apiserver/discovery_document.h"

namespace proxima::apiserver {
namespace {

constexpr ApiParameter kDryRun = {"dryRun", "string",
                                  "\"All\": go through with everything, but keep nothing."};
constexpr ApiParameter kFieldManager = {"fieldManager", "string",
                                        "The name under which the changed fields are noted."};
constexpr ApiParameter kFieldValidation = {
    "fieldValidation", "string",
    "What unknown and duplicate fields lead to: Ignore, Warn (the default) or Strict."};
constexpr ApiParameter kForce = {"force", "boolean",
                                 "Takes over fields of other managers; for apply patches only."};

constexpr ApiParameter kWrite[] = {kDryRun, kFieldManager, kFieldValidation};
constexpr ApiParameter kPatch[] = {kDryRun, kFieldManager, kFieldValidation, kForce};
constexpr ApiParameter kDelete[] = {
    kDryRun,
    {"gracePeriodSeconds", "integer", "How long the object may take to go; 0 means at once."},
    {"orphanDependents", "boolean", "The old way to say propagationPolicy."},
    {"propagationPolicy", "string",
     "What becomes of dependents: Orphan, Background or Foreground."},
};
constexpr ApiParameter kList[] = {
    {"allowWatchBookmarks", "boolean", "A watch may send bookmarks."},
    {"continue", "string", "Where the page before ended."},
    {"fieldSelector", "string", "Only objects whose fields are so."},
    {"labelSelector", "string", "Only objects whose labels are so."},
    {"limit", "integer", "The most objects on a page."},
    {"resourceVersion", "string", "The version to list, or to watch from."},
    {"resourceVersionMatch", "string", "How resourceVersion is meant: Exact or NotOlderThan."},
    {"sendInitialEvents", "boolean", "A watch begins with what is there."},
    {"timeoutSeconds", "integer", "When to end a list or watch."},
    {"watch", "boolean", "Follow changes instead of listing."},
};

std::string capitalized(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string_view short_group(std::string_view group) {
  return group.empty() ? "core" : group.substr(0, group.find('.'));
}

// One path of a kind, and what an operation there is called.
struct Place {
  const ResourceType& type;
  std::string path;
  std::string suffix;  // of operationIds: "NamespacedPodStatus"
};

class Operations {
 public:
  void add_kind(const ResourceType& type) {
    const std::string base = group_path(type.group) + "/";
    const std::string scoped = type.namespaced ? "namespaces/{namespace}/" : "";
    const std::string what = (type.namespaced ? "Namespaced" : "") + std::string(type.name);
    const std::string collection = base + scoped + std::string(type.plural);
    if (type.namespaced)
      add_list(
          {type, base + std::string(type.plural), std::string(type.name) + "ForAllNamespaces"});
    add_collection({type, collection, what});
    add_item({type, collection + "/{name}", what});
    if (type.has_status) add_status({type, collection + "/{name}/status", what + "Status"});
  }
  std::vector<ApiOperation> take() && { return std::move(all_); }

 private:
  ApiOperation& add(const Place& at, std::string_view method, std::string_view action,
                    std::string_view verb) {
    ApiOperation& made = all_.emplace_back();
    made.path = at.path;
    made.method = method;
    made.action = action;
    made.id = std::string(verb) + capitalized(short_group(at.type.group)) +
              capitalized(at.type.version) + at.suffix;
    made.type = &at.type;
    made.description = capitalized(verb) + " " + std::string(at.type.name) + ".";
    return made;
  }

  void add_list(const Place& at) {
    ApiOperation& list = add(at, "get", "list", "list");
    list.result = ApiResult::List;
    list.parameters = kList;
  }

  void add_collection(const Place& at) {
    add_list(at);
    if (at.type.access == Access::ReadOnly) return;
    ApiOperation& create = add(at, "post", "post", "create");
    create.body = ApiBody::Object;
    create.parameters = kWrite;
    if (at.type.kind == Kind::Namespace) return;
    ApiOperation& erase = add(at, "delete", "deletecollection", "deleteCollection");
    erase.id = "delete" + capitalized(short_group(at.type.group)) + capitalized(at.type.version) +
               "Collection" + at.suffix;
    erase.body = ApiBody::DeleteOptions;
    erase.result = ApiResult::Status;
    erase.parameters = kList;
  }

  void add_item(const Place& at) {
    add(at, "get", "get", "read");
    if (at.type.access == Access::ReadOnly) return;
    add_changes(at);
    ApiOperation& erase = add(at, "delete", "delete", "delete");
    erase.body = ApiBody::DeleteOptions;
    erase.result = ApiResult::Status;
    erase.parameters = kDelete;
  }

  void add_status(const Place& at) {
    add(at, "get", "get", "read");
    add_changes(at);
  }

  void add_changes(const Place& at) {
    ApiOperation& replace = add(at, "put", "put", "replace");
    replace.body = ApiBody::Object;
    replace.parameters = kWrite;
    ApiOperation& patch = add(at, "patch", "patch", "patch");
    patch.body = ApiBody::Patch;
    patch.parameters = kPatch;
  }

  std::vector<ApiOperation> all_;
};

}  // namespace

std::vector<ApiOperation> api_operations(std::string_view group) {
  Operations operations;
  for (const ResourceType* type : resources_of_group(group)) operations.add_kind(*type);
  std::vector<ApiOperation> all = std::move(operations).take();
  std::ranges::stable_sort(all, {}, &ApiOperation::path);
  return all;
}

std::string group_path(std::string_view group) {
  return group.empty() ? "/api/v1" : "/apis/" + std::string(group) + "/v1";
}

std::string group_tag(std::string_view group) { return std::string(short_group(group)) + "_v1"; }

std::vector<ApiParameter> path_parameters(std::string_view path) {
  std::vector<ApiParameter> out;
  if (path.find("{name}") != std::string_view::npos)
    out.push_back({"name", "string", "The object's name."});
  if (path.find("{namespace}") != std::string_view::npos)
    out.push_back({"namespace", "string", "The object's namespace."});
  out.push_back({"pretty", "string", "\"true\": with line breaks and indentation."});
  return out;
}

}  // namespace proxima::apiserver
