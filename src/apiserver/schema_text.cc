// SPDX-License-Identifier: Apache-2.0
#include "apiserver/schema_text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace proxima::apiserver {
namespace {

// Removes and returns what stands before the next `separator`.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) out.push_back(take(text, ','));
  return out;
}

PatchStrategy strategy(std::string_view word) {
  if (word == "merge") return PatchStrategy::Merge;
  if (word == "replace") return PatchStrategy::Replace;
  if (word == "retainKeys") return PatchStrategy::RetainKeys;
  return PatchStrategy::MergeRetainKeys;
}

bool take_flag(FieldInfo& field, std::string_view word) {
  if (word == "pointer") return field.pointer = true;
  if (word == "always") return field.always = true;
  if (word == "omitzero") return field.omit_zero = true;
  return false;
}

bool take_fact(FieldInfo& field, std::string_view key, std::string_view value) {
  const std::pair<std::string_view, std::string_view*> texts[] = {
      {"key", &field.merge_key},    {"list", &field.list_type},        {"map", &field.map_type},
      {"go", &field.go_type},       {"golist", &field.go_container},   {"gokey", &field.go_key},
      {"inline", &field.go_inline}, {"default", &field.default_value},
  };
  for (const auto& [name, target] : texts) {
    if (key != name) continue;
    *target = value;
    return true;
  }
  if (key == "patch") {
    field.patch = strategy(value);
  } else if (key == "keys") {
    field.list_keys = split(value);
  } else if (key == "enum") {
    field.values = split(value);
  } else {
    return false;
  }
  return true;
}

// What a plain type is called in Go.
std::string_view plain_go_type(std::string_view type_name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"string", "string"},
      {"integer", "int32"},
      {"long", "int64"},
      {"number", "float64"},
      {"boolean", "bool"},
      {"IntOrString", "intstr.IntOrString"},
      {"Quantity", "resource.Quantity"},
      {"Time", "v1.Time"},
      {"MicroTime", "v1.MicroTime"},
      {"Duration", "v1.Duration"},
      {"bytes", "[]uint8"},
      {"any", "interface {}"},
  };
  for (const auto& [ours, theirs] : kNames)
    if (ours == type_name) return theirs;
  return {};
}

void take_type(FieldInfo& field, std::string_view word) {
  field.type_name = word;
  if (word.substr(0, 2) == "[]") field.shape = FieldShape::List;
  if (word.substr(0, 2) == "{}") field.shape = FieldShape::Map;
  if (field.shape != FieldShape::One) field.type_name.remove_prefix(2);
}

Result<FieldInfo> parse_field(std::string_view line) {
  FieldInfo field;
  field.name = take(line, ' ');
  if (field.name.ends_with('!')) {
    field.required = true;
    field.name.remove_suffix(1);
  }
  take_type(field, take(line, ' '));
  while (!line.empty()) {
    const std::string_view word = take(line, ' ');
    std::string_view value = word;
    const std::string_view key = take(value, '=');
    if (!take_flag(field, word) && !take_fact(field, key, value))
      return Error{ErrorCode::InvalidInput, "unknown word " + std::string(word)};
  }
  if (field.go_type.empty()) field.go_type = plain_go_type(field.type_name);
  return field;
}

using TypesByName = std::map<std::string_view, TypeInfo*>;

TypeInfo& named(SchemaTypes& types, TypesByName& by_name, std::string_view name) {
  TypeInfo*& type = by_name[name];
  if (type == nullptr) {
    type = &types.emplace_back();
    type->name = name;
  }
  return *type;
}

void take_header(TypeInfo& type, std::string_view line) {
  const std::string_view go_type = take(line, ' ');
  if (!go_type.empty()) type.go_type = go_type;
  if (line.substr(0, 4) == "map=") type.map_type = line.substr(4);
}

Status link(SchemaTypes& types, const TypesByName& by_name) {
  for (TypeInfo& type : types) {
    std::sort(type.fields.begin(), type.fields.end(),
              [](const FieldInfo& a, const FieldInfo& b) { return a.name < b.name; });
    for (FieldInfo& field : type.fields) {
      if (!field.go_type.empty()) continue;
      const auto found = by_name.find(field.type_name);
      if (found == by_name.end())
        return Error{ErrorCode::InvalidInput, "unknown type " + std::string(field.type_name)};
      field.type = found->second;
      field.go_type = found->second->go_type;
    }
  }
  return Unit{};
}

template <class Header, class Member>
Status each_line(std::string_view text, Header header, Member member) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = take(text, '\n');
    if (line.empty() || line.front() == '#') continue;
    const bool inner = line.front() == ' ';
    if (inner) line.remove_prefix(1);
    const Status status = inner ? member(line) : header(line);
    if (!status) return Error(status.error()).in("line " + std::to_string(number));
  }
  return Unit{};
}

Error no_type_yet() { return {ErrorCode::InvalidInput, "a field before any type"}; }

}  // namespace

Result<SchemaTypes> parse_schema(std::string_view text) {
  SchemaTypes types;
  TypesByName by_name;
  TypeInfo* current = nullptr;
  const auto header = [&](std::string_view line) -> Status {
    current = &named(types, by_name, take(line, ' '));
    take_header(*current, line);
    return Unit{};
  };
  const auto member = [&](std::string_view line) -> Status {
    if (current == nullptr) return no_type_yet();
    PROXIMA_TRY(FieldInfo field, parse_field(line), "field");
    field.order = current->fields.size();
    current->fields.push_back(std::move(field));
    return Unit{};
  };
  PROXIMA_TRY([[maybe_unused]] Unit read, each_line(text, header, member), "schema");
  PROXIMA_TRY([[maybe_unused]] Unit linked, link(types, by_name), "schema");
  return types;
}

Status add_sentences(SchemaTypes& types, std::string_view text) {
  TypeInfo* current = nullptr;
  const auto missing = [](std::string_view name) {
    return Error{ErrorCode::NotFound, "there is no " + std::string(name)};
  };
  const auto header = [&](std::string_view line) -> Status {
    const std::string_view name = take(line, ' ');
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&](const TypeInfo& type) { return type.name == name; });
    if (found == types.end()) return missing(name);
    current = &*found;
    current->description = line;
    return Unit{};
  };
  const auto member = [&](std::string_view line) -> Status {
    if (current == nullptr) return no_type_yet();
    const std::string_view name = take(line, ' ');
    const FieldInfo* const field = current->find(name);
    if (field == nullptr) return missing(name);
    current->fields[static_cast<std::size_t>(field - current->fields.data())].description = line;
    return Unit{};
  };
  return each_line(text, header, member);
}

}  // namespace proxima::apiserver
