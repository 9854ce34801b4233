// SPDX-License-Identifier: Apache-2.0
#include "apiserver/schema.h"

#include <algorithm>
#include <string>

#include "apiserver/schema_text.h"
#include "base/check.h"

namespace proxima {
namespace embedded {
// cmake/EmbedFile.cmake makes them of the files beside this one.
extern const std::string_view kKubernetesSchema;
extern const std::string_view kKubernetesSentences;
}  // namespace embedded

namespace apiserver {
namespace {

// The types and where to find them. Made once; the texts are part of the program, so that a mistake
// in them is a broken program.
class Schema {
 public:
  Schema() : types_(parsed()) {
    for (const TypeInfo& type : types_) sorted_.push_back(&type);
    std::sort(sorted_.begin(), sorted_.end(),
              [](const TypeInfo* a, const TypeInfo* b) { return a->name < b->name; });
    for (const ResourceType& resource : served_resources())
      of_kind_.push_back(find(openapi_name(resource)));
  }

  const TypeInfo* find(std::string_view name) const {
    const auto found = std::lower_bound(
        sorted_.begin(), sorted_.end(), name,
        [](const TypeInfo* type, std::string_view key) { return type->name < key; });
    return found != sorted_.end() && (*found)->name == name ? *found : nullptr;
  }
  const TypeInfo* of(Kind kind) const { return of_kind_.at(static_cast<std::size_t>(kind)); }
  std::span<const TypeInfo* const> all() const { return sorted_; }

 private:
  static SchemaTypes parsed() {
    Result<SchemaTypes> types = parse_schema(embedded::kKubernetesSchema);
    PROXIMA_CHECK(types.has_value());
    const Status described = add_sentences(*types, embedded::kKubernetesSentences);
    PROXIMA_CHECK(described.has_value());
    return std::move(types).value();
  }

  // "discovery.k8s.io" is the package "discovery", and the core group's is "core".
  static std::string openapi_name(const ResourceType& resource) {
    const std::string_view group = resource.group.substr(0, resource.group.find('.'));
    std::string out = "io.k8s.api.";
    out.append(group.empty() ? "core" : group).append(".").append(resource.version);
    return out.append(".").append(resource.name);
  }

  SchemaTypes types_;
  std::vector<const TypeInfo*> sorted_;
  std::vector<const TypeInfo*> of_kind_;  // in the order of served_resources()
};

const Schema& schema() {
  static const Schema the_schema;
  return the_schema;
}

}  // namespace

const FieldInfo* TypeInfo::find(std::string_view field) const {
  const auto found =
      std::lower_bound(fields.begin(), fields.end(), field,
                       [](const FieldInfo& info, std::string_view key) { return info.name < key; });
  return found != fields.end() && found->name == field ? &*found : nullptr;
}

const TypeInfo& type_of(const ResourceType& resource) {
  const TypeInfo* const type = schema().of(resource.kind);
  PROXIMA_CHECK(type != nullptr);
  return *type;
}

const TypeInfo* find_type(std::string_view openapi_name) { return schema().find(openapi_name); }

std::span<const TypeInfo* const> all_types() { return schema().all(); }

}  // namespace apiserver
}  // namespace proxima
