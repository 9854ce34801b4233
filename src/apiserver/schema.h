// SPDX-License-Identifier: Apache-2.0
// The fields of every served kind: their names, types and merge keys. One table feeds strict
// decoding, patches, OpenAPI and `kubectl explain`.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
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

  // How upstream writes the field. A pointer keeps "" and 0 apart from missing; others vanish when
  // empty, unless they are always written.
  bool pointer = false;
  bool always = false;
  bool omit_zero = false;  // an empty struct or time vanishes too
  std::size_t order = 0;   // of writing, in its type

  // What upstream's OpenAPI says besides; empty when it says nothing.
  std::string_view list_type;               // "atomic", "set", "map"
  std::vector<std::string_view> list_keys;  // of a "map"
  std::string_view map_type;                // "atomic"
  std::vector<std::string_view> values;     // the only ones that the type has, sorted
  std::string_view default_value;

  // What upstream's decoder calls things in its errors.
  std::string_view go_type;       // of the innermost value: "v1.Protocol", "int32"
  std::string_view go_container;  // the name of the list or map, where it has one
  std::string_view go_key;        // of a Map's keys
  std::string_view go_inline;     // the inlined struct that the field comes from
};

struct TypeInfo {
  std::string_view name;  // "io.k8s.api.core.v1.ServicePort": upstream's OpenAPI name
  std::string_view description;
  std::string_view go_type;       // "v1.ServicePort"
  std::string_view map_type;      // "atomic": replaced as a whole by server-side apply
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
// A strict decoder's refusal: 400, all findings in one sentence.
StatusError strict_decoding_error(const ResourceType& resource,
                                  const std::vector<std::string>& findings);

}  // namespace proxima::apiserver
