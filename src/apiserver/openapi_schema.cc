// SPDX-License-Identifier: Apache-2.0
#include "apiserver/openapi_schema.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <map>
#include <vector>

#include "apiserver/schema.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

// Types without fields: what a field of ours is called, the name of its schema, and the schema.
struct LeafType {
  std::string_view word;
  std::string_view name;
  std::string_view type;  // empty: anything
  std::string_view format;
  std::string_view description;
};

constexpr LeafType kLeafTypes[] = {
    {"Time", "io.k8s.apimachinery.pkg.apis.meta.v1.Time", "string", "date-time",
     "A point in time as RFC 3339 writes it, to the second."},
    {"MicroTime", "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", "string", "date-time",
     "A point in time as RFC 3339 writes it, to the microsecond."},
    {"Duration", "io.k8s.apimachinery.pkg.apis.meta.v1.Duration", "string", "",
     "A span of time: \"1h30m\"."},
    {"Quantity", "io.k8s.apimachinery.pkg.api.resource.Quantity", "string", "",
     "An amount, with or without a suffix: \"500m\", \"2Gi\"."},
    {"IntOrString", "io.k8s.apimachinery.pkg.util.intstr.IntOrString", "string", "int-or-string",
     "A number, or a text."},
    {"any", "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", "object", "",
     "Fields as a tree, in JSON."},
    {"", "io.k8s.apimachinery.pkg.apis.meta.v1.Patch", "object", "",
     "A change to an object, in one of the forms of patches."},
};

const LeafType* find_leaf(std::string_view word_or_name) {
  const auto* const found = std::ranges::find_if(kLeafTypes, [&](const LeafType& leaf) {
    return leaf.name == word_or_name || (!leaf.word.empty() && leaf.word == word_or_name);
  });
  return found == std::end(kLeafTypes) ? nullptr : found;
}

// Types that both versions write alike.
object simple_schema(std::string_view type_name) {
  if (type_name == "integer") return {{"type", "integer"}, {"format", "int32"}};
  if (type_name == "long") return {{"type", "integer"}, {"format", "int64"}};
  if (type_name == "number") return {{"type", "number"}, {"format", "double"}};
  if (type_name == "boolean") return {{"type", "boolean"}};
  if (type_name == "bytes") return {{"type", "string"}, {"format", "byte"}};
  return {{"type", "string"}};
}

array texts(std::span<const std::string_view> items) {
  array out;
  for (const std::string_view item : items) out.emplace_back(item);
  return out;
}

std::string_view strategy_text(PatchStrategy strategy) {
  switch (strategy) {
    case PatchStrategy::Merge:
      return "merge";
    case PatchStrategy::Replace:
      return "replace";
    case PatchStrategy::RetainKeys:
      return "retainKeys";
    case PatchStrategy::MergeRetainKeys:
      return "merge,retainKeys";
    case PatchStrategy::Default:
      break;
  }
  return {};
}

class SchemaWriter {
 public:
  explicit SchemaWriter(OpenApiVersion version) : version_(version) {}

  object write(const std::set<std::string>& roots) {
    for (const std::string& root : roots) need(root);
    // Writing one type may call for others.
    while (!waiting_.empty()) {
      const std::string name = std::move(waiting_.back());
      waiting_.pop_back();
      const TypeInfo* type = find_type(name);
      const LeafType* leaf = find_leaf(name);
      if (type != nullptr) {
        schemas_[name] = object_schema(*type);
      } else if (leaf != nullptr) {
        schemas_[name] = leaf_schema(*leaf);
      }
    }
    object out;
    for (auto& [name, schema] : schemas_) out[name] = std::move(schema);
    return out;
  }

 private:
  void need(std::string_view name) {
    if (schemas_.emplace(name, object()).second) waiting_.emplace_back(name);
  }

  object object_schema(const TypeInfo& type) {
    object out;
    if (!type.description.empty()) out["description"] = type.description;
    out["type"] = "object";
    object properties;
    array required;
    for (const FieldInfo& field : type.fields) {
      properties[field.name] = field_schema(field);
      if (field.required) required.emplace_back(field.name);
    }
    if (!required.empty()) out["required"] = std::move(required);
    out["properties"] = std::move(properties);
    array kinds = kinds_of(type.name);
    if (!kinds.empty()) out["x-kubernetes-group-version-kind"] = std::move(kinds);
    if (!type.map_type.empty()) out["x-kubernetes-map-type"] = type.map_type;
    return out;
  }

  object leaf_schema(const LeafType& leaf) const {
    object out = {{"description", leaf.description}};
    const bool choice = version_ == OpenApiVersion::V3;
    if (choice && (leaf.word == "IntOrString" || leaf.word == "Quantity")) {
      const std::string_view number = leaf.word == "Quantity" ? "number" : "integer";
      out["oneOf"] = array({object({{"type", "string"}}), object({{"type", number}})});
    } else if (!leaf.type.empty()) {
      out["type"] = leaf.type;
    }
    if (!leaf.format.empty()) out["format"] = leaf.format;
    return out;
  }

  // A kind, or the list of one.
  static array kinds_of(std::string_view type_name) {
    array out;
    auto add = [&](const ResourceType& type, std::string kind) {
      out.push_back(object{{"group", type.group}, {"kind", kind}, {"version", type.version}});
    };
    for (const ResourceType& type : served_resources()) {
      if (type_of(type).name == type_name) add(type, std::string(type.name));
      if (list_type_name(type) == type_name) add(type, std::string(type.name) + "List");
    }
    const std::string_view name = type_name.substr(std::min(kMeta.size(), type_name.size()));
    if (type_name.starts_with(kMeta) && (name == "Status" || name == "APIResourceList"))
      out.push_back(object{{"group", ""}, {"kind", name}, {"version", "v1"}});
    return out;
  }

  object field_schema(const FieldInfo& field) {
    object out;
    if (!field.description.empty()) out["description"] = field.description;
    switch (field.shape) {
      case FieldShape::One:
        add_value(out, field);
        break;
      case FieldShape::List:
        out["type"] = "array";
        out["items"] = value_schema(field);
        break;
      case FieldShape::Map:
        out["type"] = "object";
        out["additionalProperties"] = value_schema(field);
        break;
    }
    add_extensions(out, field);
    return out;
  }

  object value_schema(const FieldInfo& field) {
    object out;
    add_value(out, field);
    return out;
  }

  void add_value(object& out, const FieldInfo& field) {
    const LeafType* leaf = field.type == nullptr ? find_leaf(field.type_name) : nullptr;
    if (field.type == nullptr && leaf == nullptr) {
      for (auto& [key, content] : simple_schema(field.type_name)) out[key] = content;
      // A list of choices belongs to the items.
      if (!field.values.empty()) out["enum"] = texts(field.values);
      return;
    }
    const std::string_view name = leaf == nullptr ? field.type->name : leaf->name;
    need(name);
    // Version 3 ignores what stands beside a reference, so that it goes into a list of its own.
    if (version_ == OpenApiVersion::V2) {
      out["$ref"] = schema_reference(name, version_).at("$ref");
      return;
    }
    if (leaf == nullptr && !field.pointer) out["default"] = object();
    out["allOf"] = array(1, schema_reference(name, version_));
  }

  static void add_extensions(object& out, const FieldInfo& field) {
    if (!field.list_keys.empty()) out["x-kubernetes-list-map-keys"] = texts(field.list_keys);
    if (!field.list_type.empty()) out["x-kubernetes-list-type"] = field.list_type;
    if (!field.map_type.empty()) out["x-kubernetes-map-type"] = field.map_type;
    if (!field.merge_key.empty()) out["x-kubernetes-patch-merge-key"] = field.merge_key;
    const std::string_view strategy = strategy_text(field.patch);
    if (!strategy.empty()) out["x-kubernetes-patch-strategy"] = strategy;
  }

  OpenApiVersion version_;
  std::map<std::string, object, std::less<>> schemas_;
  std::vector<std::string> waiting_;
};

}  // namespace

std::string list_type_name(const ResourceType& type) {
  return std::string(type_of(type).name) + "List";
}

std::string meta_type_name(std::string_view name) { return std::string(kMeta).append(name); }

object schema_reference(std::string_view type_name, OpenApiVersion version) {
  std::string place = version == OpenApiVersion::V2 ? "#/definitions/" : "#/components/schemas/";
  return {{"$ref", place.append(type_name)}};
}

object openapi_schemas(const std::set<std::string>& roots, OpenApiVersion version) {
  return SchemaWriter(version).write(roots);
}

}  // namespace proxima::apiserver
