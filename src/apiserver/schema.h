// SPDX-License-Identifier: Apache-2.0
// The fields of every served kind: their names, types and merge keys. One table feeds strict
// decoding, patches, OpenAPI and `kubectl explain`.
#pragma once

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {

enum class FieldShape : std::uint8_t { One, List, Map };  // Map: from text to the type
enum class PatchStrategy : std::uint8_t { Default, Merge, Replace, RetainKeys, MergeRetainKeys };

struct TypeInfo;

struct FieldInfo {
  std::string_view name;
  FieldShape shape = FieldShape::One;
  // "string", "integer" (int32), "long" (int64), "number", "boolean", "IntOrString", "Quantity",
  // "Time", "MicroTime", "Duration", "bytes" (base64), "any" (any JSON), or a TypeInfo's name.
  std::string_view type_name;
  const TypeInfo* type = nullptr;  // when it is a type with fields
  bool required = false;           // as OpenAPI says, not as validation does
  PatchStrategy patch = PatchStrategy::Default;
  std::string_view merge_key;    // of a List with Merge: "" merges a list of scalars as a set
  std::string_view description;  // one or two sentences of ours; may be empty
};

struct TypeInfo {
  std::string_view name;  // "io.k8s.api.core.v1.ServicePort": upstream's OpenAPI name
  std::string_view description;
  std::vector<FieldInfo> fields;  // by name

  const FieldInfo* find(std::string_view field) const;
};

// The type of a kind's objects. Lives for ever.
const TypeInfo& type_of(const ResourceType& resource);
const TypeInfo* find_type(std::string_view openapi_name);
// Every type, by name.
std::span<const TypeInfo* const> all_types();

// What `fieldValidation` asks for.
enum class FieldValidation { Ignore, Warn, Strict };

struct DecodedObject {
  boost::json::object object;  // unknown fields dropped
  // 'unknown field "spec.bogus"', 'duplicate field "metadata.name"': errors when strict, warnings
  // when not.
  std::vector<std::string> findings;
};

// Text → an object of this type: JSON well formed, apiVersion and kind as the resource's (added
// when missing), every field of its type. Null members are dropped, as a Go struct would. A refusal
// (400) is worded as upstream's decoder words it. `text` may be JSON or, with the media type
// application/yaml, YAML.
enum class BodyFormat { Json, Yaml };
Outcome<DecodedObject> decode_body(const ResourceType& resource, std::string_view text,
                                   BodyFormat format);
// The same checks on an object that is in memory already (the result of a patch).
Outcome<DecodedObject> check_fields(const ResourceType& resource, boost::json::object object);

}  // namespace proxima::apiserver
