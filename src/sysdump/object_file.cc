// SPDX-License-Identifier: Apache-2.0
#include "sysdump/object_file.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "base/check.h"
#include "base/json_text.h"

namespace proxima::sysdump {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

// The table of one kind as a tree. What is not in it is not looked at.
struct FieldNode {
  std::string_view name;
  bool is_list = false;
  std::optional<Take> take;        // none: what is taken stands in the members
  std::vector<FieldNode> members;  // in the order of the table
};

FieldNode& member_of(FieldNode& parent, std::string_view name, bool is_list) {
  for (FieldNode& member : parent.members) {
    if (member.name != name) continue;
    PROXIMA_CHECK(member.is_list == is_list);
    return member;
  }
  return parent.members.emplace_back(FieldNode{name, is_list, std::nullopt, {}});
}

FieldNode tree_of(const AllowedKind& kind) {
  FieldNode root;
  for (const AllowedField& field : kind.fields) {
    FieldNode* at = &root;
    for (std::string_view rest = field.path; !rest.empty();) {
      const std::size_t dot = rest.find('.');
      std::string_view name = rest.substr(0, dot);
      rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
      const bool is_list = name.ends_with("[]");
      if (is_list) name.remove_suffix(2);
      at = &member_of(*at, name, is_list);
    }
    at->take = field.take;
  }
  return root;
}

// A number, and how it is written.
template <class... Arguments>
void append_number(std::string& out, Arguments... arguments) {
  std::array<char, 64> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), arguments...);
  out.append(digits.data(), written.ptr);
}

// Writes what the tree allows of a value. Each function says whether it wrote anything: a value of
// another type than the field has is left out, because nothing says what might be in it.
class Reduction {
 public:
  explicit Reduction(std::string& out) : out_(out) {}

  bool write(const element& value, const FieldNode& node) {
    return node.is_list ? write_list(value, node) : write_one(value, node);
  }

  // `first`: nothing of the object stands there yet.
  void write_members(const object& value, const FieldNode& node, bool first) {
    for (const FieldNode& member : node.members) {
      element found;
      if (value.at_key(member.name).get(found) != simdjson::SUCCESS) continue;
      if (write_member(member.name, first, [&] { return write(found, member); })) first = false;
    }
  }

 private:
  bool write_list(const element& value, const FieldNode& node) {
    simdjson::dom::array items;
    if (value.get(items) != simdjson::SUCCESS) return false;
    out_ += '[';
    bool first = true;
    for (const element item : items) {
      const std::size_t before = out_.size();
      if (!first) out_ += ',';
      if (write_one(item, node)) {
        first = false;
      } else {
        out_.resize(before);
      }
    }
    out_ += ']';
    return true;
  }

  bool write_one(const element& value, const FieldNode& node) {
    if (node.take == Take::Value) return write_value(value);
    object members;
    if (value.get(members) != simdjson::SUCCESS) return false;
    out_ += '{';
    if (node.take == Take::Texts) {
      write_texts(members);
    } else if (node.take == Take::Annotations) {
      write_annotations(members);
    } else {
      write_members(members, node, true);
    }
    out_ += '}';
    return true;
  }

  bool write_value(const element& value) {
    switch (value.type()) {
      case element_type::STRING:
        append_json_text(out_, std::string_view(value));
        return true;
      case element_type::INT64:
        append_number(out_, std::int64_t(value));
        return true;
      case element_type::UINT64:
        append_number(out_, std::uint64_t(value));
        return true;
      case element_type::DOUBLE:
        // With an exponent: 1e20 as digits alone is an integer that no parser takes.
        append_number(out_, double(value), std::chars_format::scientific);
        return true;
      case element_type::BOOL:
        out_ += bool(value) ? "true" : "false";
        return true;
      default:
        return false;
    }
  }

  void write_texts(const object& members) {
    bool first = true;
    for (const auto member : members) {
      if (!member.value.is_string()) continue;
      write_member(member.key, first, [&] { return write_value(member.value); });
      first = false;
    }
  }

  void write_annotations(const object& members) {
    bool first = true;
    for (const std::string_view key : allowed_annotations()) {
      element value;
      if (members.at_key(key).get(value) != simdjson::SUCCESS || !value.is_string()) continue;
      write_member(key, first, [&] { return write_value(value); });
      first = false;
    }
  }

  template <class Write>
  bool write_member(std::string_view name, bool first, Write write) {
    const std::size_t before = out_.size();
    if (!first) out_ += ',';
    append_json_text(out_, name);
    out_ += ':';
    if (write()) return true;
    out_.resize(before);
    return false;
  }

  std::string& out_;
};

std::string_view text_at(const object& value, std::string_view key) {
  std::string_view text;
  return value.at_key(key).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

bool is_from(const object& item, std::span<const std::string_view> sources) {
  if (sources.empty()) return true;
  object source;
  std::string_view component = text_at(item, "reportingComponent");
  if (component.empty() && item.at_key("source").get(source) == simdjson::SUCCESS)
    component = text_at(source, "component");
  return std::ranges::find(sources, component) != sources.end();
}

}  // namespace

struct ObjectFile::Parser {
  explicit Parser(const AllowedKind& kind) : fields(tree_of(kind)) {}

  simdjson::dom::parser json;
  FieldNode fields;
};

struct ObjectFile::Item {
  object members;
};

ObjectFile::ObjectFile(const AllowedKind& kind)
    : kind_(kind), parser_(std::make_unique<Parser>(kind)) {}
ObjectFile::ObjectFile(ObjectFile&& other) noexcept = default;
ObjectFile::~ObjectFile() = default;

void ObjectFile::add(const Item& item) {
  const object& members = item.members;
  if (!is_from(members, kind_.sources)) return;
  if (objects_++ > 0) items_ += ",\n";
  items_ += "{\"apiVersion\":" + json_text(kind_.api_version);
  items_ += ",\"kind\":" + json_text(kind_.kind);
  Reduction(items_).write_members(members, parser_->fields, false);
  items_ += '}';
}

Status ObjectFile::add_list(std::string_view json) {
  object list;
  if (parser_->json.parse(json.data(), json.size()).get(list) != simdjson::SUCCESS)
    return invalid_input("not a list");
  element found;
  if (list.at_key("items").get(found) != simdjson::SUCCESS) return invalid_input("not a list");
  if (found.is_null()) return Unit{};  // a list of nothing may say so
  simdjson::dom::array items;
  if (found.get(items) != simdjson::SUCCESS) return invalid_input("not a list");
  for (const element item : items) {
    object members;
    if (item.get(members) == simdjson::SUCCESS) add({members});
  }
  return Unit{};
}

Status ObjectFile::add_object(std::string_view json) {
  object members;
  if (parser_->json.parse(json.data(), json.size()).get(members) != simdjson::SUCCESS)
    return invalid_input("not an object");
  add({members});
  return Unit{};
}

std::string ObjectFile::finish() && {
  return "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" + std::move(items_) + "\n]}\n";
}

}  // namespace proxima::sysdump
