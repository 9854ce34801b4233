// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/typed_reader.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <optional>
#include <set>

#include "apiserver/rules/go_text.h"
#include "apiserver/rules/typed_scalar.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxFindings = 100;

class Reader {
 public:
  std::optional<std::string> error;
  std::vector<std::string> findings;

  json::object read_struct(const TypeInfo& type, const RawValue& raw) {
    json::object out;
    std::set<std::string_view> seen;
    for (const RawMember& member : raw.members) {
      if (error) return out;
      const FieldInfo* const field = type.find(member.name);
      if (field == nullptr) {
        find("unknown field", member.name);
        continue;
      }
      if (!seen.insert(field->name).second) find("duplicate field", member.name);
      const Place place(*this, type, *field);
      if (auto value = read_field(*field, member.value)) out[field->name] = std::move(*value);
    }
    return out;
  }

 private:
  // Where the reader stands, in both of upstream's notations, while a field is read.
  class Place {
   public:
    Place(Reader& reader, const TypeInfo& type, const FieldInfo& field)
        : reader_(reader),
          strict_(reader.strict_.size()),
          go_(reader.go_.size()),
          owner_(reader.owner_) {
      append(reader.strict_, field.name);
      if (!field.go_inline.empty()) append(reader.go_, field.go_inline);
      append(reader.go_, field.name);
      reader.owner_ = type.go_type.substr(type.go_type.rfind('.') + 1);
    }
    ~Place() {
      reader_.strict_.resize(strict_);
      reader_.go_.resize(go_);
      reader_.owner_ = owner_;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    static void append(std::string& path, std::string_view name) {
      if (!path.empty()) path += '.';
      path += name;
    }
    Reader& reader_;
    std::size_t strict_;
    std::size_t go_;
    std::string_view owner_;
  };

  void find(std::string_view what, std::string_view name) {
    std::string path = strict_;
    if (!path.empty()) path += '.';
    path += name;
    std::string finding = std::string(what) + " " + go_quote(path);
    if (findings.size() < kMaxFindings &&
        std::find(findings.begin(), findings.end(), finding) == findings.end())
      findings.push_back(std::move(finding));
  }

  void refuse(std::string_view value, std::string_view go_type) {
    if (error) return;
    error = "json: cannot unmarshal ";
    error->append(value).append(" into Go struct field ").append(owner_).append(".").append(go_);
    error->append(" of type ").append(go_type);
  }

  // nullopt: null, or an error.
  std::optional<json::value> read_field(const FieldInfo& field, const RawValue& raw) {
    if (raw.is(RawValue::Type::Null)) return std::nullopt;
    if (field.shape == FieldShape::List) return read_list(field, raw);
    if (field.shape == FieldShape::Map) return read_map(field, raw);
    return read_one(field, raw);
  }

  static std::string container_type(const FieldInfo& field) {
    if (!field.go_container.empty()) return std::string(field.go_container);
    std::string out = "[]";
    if (field.shape == FieldShape::Map)
      out = "map[" + std::string(field.go_key.empty() ? "string" : field.go_key) + "]";
    return out.append(field.go_type);
  }

  std::optional<json::value> read_list(const FieldInfo& field, const RawValue& raw) {
    if (!raw.is(RawValue::Type::Array)) {
      refuse(type_word(raw), container_type(field));
      return std::nullopt;
    }
    json::array out;
    const std::size_t size = strict_.size();
    for (std::size_t i = 0; i < raw.items.size() && !error; ++i) {
      strict_.append("[").append(std::to_string(i)).append("]");
      auto item = read_one(field, raw.items[i]);
      strict_.resize(size);
      out.push_back(item ? std::move(*item) : zero_value(field));
    }
    return out;
  }

  std::optional<json::value> read_map(const FieldInfo& field, const RawValue& raw) {
    if (!raw.is(RawValue::Type::Object)) {
      refuse(type_word(raw), container_type(field));
      return std::nullopt;
    }
    json::object out;
    const std::size_t size = strict_.size();
    for (const RawMember& member : raw.members) {
      if (error) break;
      if (out.contains(member.name)) find("duplicate field", member.name);
      strict_.append(".").append(member.name);
      auto value = read_one(field, member.value);
      strict_.resize(size);
      out[member.name] = value ? std::move(*value) : zero_value(field);
    }
    return out;
  }

  std::optional<json::value> read_one(const FieldInfo& field, const RawValue& raw) {
    if (raw.is(RawValue::Type::Null)) return std::nullopt;
    if (field.type != nullptr) {
      if (raw.is(RawValue::Type::Object)) return read_struct(*field.type, raw);
      refuse(type_word(raw), field.go_type);
      return std::nullopt;
    }
    TypedScalar scalar = read_scalar(field, raw);
    if (scalar.value) return std::move(scalar.value);
    if (!scalar.message.empty()) {
      if (!error) error = std::move(scalar.message);
    } else {
      refuse(scalar.found, scalar.wanted);
    }
    return std::nullopt;
  }

  std::string strict_;      // "spec.ports[0]"
  std::string go_;          // "spec.ports"
  std::string_view owner_;  // the struct whose field is being read
};

}  // namespace

Result<TypedObject> read_typed(const TypeInfo& type, const RawValue& raw) {
  Reader reader;
  TypedObject out;
  out.object = reader.read_struct(type, raw);
  if (reader.error) return Error{ErrorCode::InvalidInput, std::move(*reader.error)};
  out.findings = std::move(reader.findings);
  return out;
}

}  // namespace proxima::apiserver::rules
