// SPDX-License-Identifier: Apache-2.0
// How the fields of a type are patched: upstream's look-ups in Go structs, over our table of types.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/schema.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {

// An error that upstream's server passes on without a reason of its own: 500.
StatusError plain_patch_error(std::string message);

// The type of an object that is being patched, or of the items of a list.
class StrategicSchema {
 public:
  explicit StrategicSchema(const TypeInfo& type) : type_(&type), kind_("struct") {}

  struct Field;
  // Refused: a type without fields, or one that has no such field.
  Outcome<Field> field(std::string_view key) const;
  // The same for a field that is a list; `below` is then the schema of its items.
  Outcome<Field> list(std::string_view key) const;

  std::string_view kind() const { return kind_; }  // "struct", "map", "string", "ptr"…

 private:
  StrategicSchema() = default;
  static StrategicSchema of_value(const FieldInfo& info);
  static StrategicSchema of_item(const FieldInfo& info);

  const TypeInfo* type_ = nullptr;  // nullptr: no type with fields
  std::string_view kind_;
  std::string_view opaque_struct_;  // the name of a struct whose fields we do not know
};

struct StrategicSchema::Field {
  StrategicSchema below;
  bool merges = false;         // the strategy is "merge"
  bool replaces = false;       // the strategy is "replace"
  std::string_view merge_key;  // may be empty
};

}  // namespace proxima::apiserver
