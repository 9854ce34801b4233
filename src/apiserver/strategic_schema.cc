// SPDX-License-Identifier: Apache-2.0
#include "apiserver/strategic_schema.h"

#include <algorithm>

#include "base/go_quote.h"

namespace proxima::apiserver {
namespace {

bool equal_fold(std::string_view left, std::string_view right) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(left, right, {}, lower, lower);
}

// Go's decoder falls back to names that differ in case only.
const FieldInfo* find_field(const TypeInfo& type, std::string_view key) {
  if (const FieldInfo* exact = type.find(key)) return exact;
  const auto found = std::ranges::find_if(
      type.fields, [&](const FieldInfo& info) { return equal_fold(info.name, key); });
  return found == type.fields.end() ? nullptr : &*found;
}

std::string_view without_package(std::string_view go_type) {
  return go_type.substr(go_type.find('.') + 1);  // npos + 1 is 0: nothing to cut off
}

// The kind that Go's reflection gives a value without fields.
std::string_view go_kind(std::string_view type_name) {
  if (type_name == "integer") return "int32";
  if (type_name == "long") return "int64";
  if (type_name == "number") return "float64";
  if (type_name == "boolean") return "bool";
  if (type_name == "bytes") return "slice";
  return type_name == "string" ? "string" : "struct";
}

bool is_merge(PatchStrategy strategy) {
  return strategy == PatchStrategy::Merge || strategy == PatchStrategy::MergeRetainKeys;
}

}  // namespace

StatusError plain_patch_error(std::string message) {
  StatusError error;
  error.code = 500;
  error.message = std::move(message);
  return error;
}

StrategicSchema StrategicSchema::of_item(const FieldInfo& info) {
  StrategicSchema schema;
  schema.type_ = info.type;
  schema.kind_ = info.type != nullptr ? "struct" : go_kind(info.type_name);
  if (info.type == nullptr && schema.kind_ == "struct")
    schema.opaque_struct_ = info.type_name == "any" ? "FieldsV1" : info.type_name;
  return schema;
}

StrategicSchema StrategicSchema::of_value(const FieldInfo& info) {
  if (info.shape == FieldShape::One) {
    StrategicSchema schema = of_item(info);
    if (info.pointer) schema.kind_ = "ptr";
    return schema;
  }
  StrategicSchema schema;
  schema.kind_ = info.shape == FieldShape::Map ? "map" : "slice";
  return schema;
}

Outcome<StrategicSchema::Field> StrategicSchema::field(std::string_view key) const {
  if (type_ == nullptr && opaque_struct_.empty())
    return plain_patch_error("merging an object in json but data type is not struct, instead is: " +
                             std::string(kind_));
  const FieldInfo* info = type_ == nullptr ? nullptr : find_field(*type_, key);
  if (info == nullptr) {
    const std::string_view name =
        type_ == nullptr ? opaque_struct_ : without_package(type_->go_type);
    return plain_patch_error("unable to find api field in struct " + std::string(name) +
                             " for the json field " + go_quote(key));
  }
  Field out;
  out.below = of_value(*info);
  out.merges = is_merge(info->patch);
  out.replaces = info->patch == PatchStrategy::Replace;
  out.merge_key = info->merge_key;
  return out;
}

Outcome<StrategicSchema::Field> StrategicSchema::list(std::string_view key) const {
  auto found = field(key);
  if (!found) return found;
  const FieldInfo* info = type_ == nullptr ? nullptr : find_field(*type_, key);
  const bool list = info->shape == FieldShape::List ||
                    (info->shape == FieldShape::One && info->type_name == "bytes");
  // Upstream takes a pointer to anything for a list.
  if (!list && !(info->shape == FieldShape::One && info->pointer))
    return plain_patch_error("expected slice or array type, but got: " + std::string(kind_));
  found->below = of_item(*info);
  return found;
}

}  // namespace proxima::apiserver
