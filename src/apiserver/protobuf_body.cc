// SPDX-License-Identifier: Apache-2.0
#include "apiserver/protobuf_body.h"

#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <map>
#include <memory>
#include <vector>

#include "apiserver/base64_url.h"
#include "apiserver/body_limits.h"
#include "apiserver/protobuf_wire.h"
#include "apiserver/schema.h"
#include "base/check.h"
#include "base/timestamp.h"

namespace proxima {
namespace embedded {
extern const std::string_view kKubernetesProtobuf;
}  // namespace embedded

namespace apiserver {
namespace json = boost::json;
namespace {

constexpr std::string_view kMagic{"k8s\0", 4};
constexpr int kMaxMessageDepth = 100;
constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

enum class Shape : std::uint8_t { One, List, Map };
enum class Scalar : std::uint8_t {
  Message,
  Text,
  Bytes,
  Boolean,
  Int32,
  Int64,
  Double,
  Time,
  MicroTime,
  Quantity,
  IntOrString,
  Skipped,
};

struct Message;
struct Field {
  std::string_view name;
  Shape shape = Shape::One;
  Scalar scalar = Scalar::Message;
  const Message* message = nullptr;
  bool embedded = false;  // its members are members of the type around it
};
struct Message {
  std::string_view name;
  std::map<std::uint64_t, Field> fields;
};

Scalar scalar_of(std::string_view type) {
  constexpr std::pair<std::string_view, Scalar> kScalars[] = {
      {"string", Scalar::Text},       {"bytes", Scalar::Bytes},
      {"bool", Scalar::Boolean},      {"int32", Scalar::Int32},
      {"int64", Scalar::Int64},       {"double", Scalar::Double},
      {"Time", Scalar::Time},         {"MicroTime", Scalar::MicroTime},
      {"Quantity", Scalar::Quantity}, {"IntOrString", Scalar::IntOrString},
      {"FieldsV1", Scalar::Skipped},
  };
  for (const auto& [name, scalar] : kScalars)
    if (name == type) return scalar;
  return Scalar::Message;
}

std::string_view take_word(std::string_view& text) {
  const std::size_t blank = text.find(' ');
  const std::string_view word = text.substr(0, blank);
  text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  return word;
}

// The table, read once. A mistake in it is a broken program.
class Messages {
 public:
  Messages() {
    std::string_view rest = embedded::kKubernetesProtobuf;
    Message* current = nullptr;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (line.empty() || line.front() == '#') continue;
      if (line.front() != ' ') {
        current = &message(line);
      } else {
        PROXIMA_CHECK(current != nullptr);
        add_field(*current, line.substr(1));
      }
    }
  }

  const Message* find(std::string_view name) const {
    const auto found = messages_.find(name);
    return found == messages_.end() ? nullptr : found->second.get();
  }

 private:
  Message& message(std::string_view name) {
    auto& slot = messages_[name];
    if (!slot) slot = std::make_unique<Message>(Message{name, {}});
    return *slot;
  }

  void add_field(Message& owner, std::string_view line) {
    const std::string_view number_text = take_word(line);
    std::uint64_t number = 0;
    std::from_chars(number_text.data(), number_text.data() + number_text.size(), number);
    Field field;
    field.name = take_word(line);
    const std::string_view shape = take_word(line);
    if (shape == "list") field.shape = Shape::List;
    if (shape == "map") field.shape = Shape::Map;
    field.scalar = scalar_of(line);
    if (field.scalar == Scalar::Message) {
      field.message = &message(line);
      const TypeInfo* type = find_type(owner.name);
      field.embedded = type != nullptr && type->find(field.name) == nullptr;
    }
    owner.fields.emplace(number, field);
  }

  std::map<std::string_view, std::unique_ptr<Message>> messages_;
};

const Messages& messages() {
  static const Messages all;
  return all;
}

json::string json_text_of(std::string_view bytes) {
  return json::string(bytes.data(), bytes.size());
}

class Decoder {
 public:
  // nullopt: broken.
  std::optional<json::object> message(const Message& type, std::string_view bytes, int depth) {
    if (depth > kMaxMessageDepth) return std::nullopt;
    ++values_;
    json::object out;
    WireReader reader(bytes);
    while (!reader.at_end()) {
      const auto field = reader.next();
      if (!field) return std::nullopt;
      const auto known = type.fields.find(field->number);
      if (known == type.fields.end()) continue;  // a newer client knows more
      if (++values_ > kMaxBodyValues) return std::nullopt;
      if (!add(out, known->second, *field, depth)) return std::nullopt;
    }
    return out;
  }
  bool has_too_many_values() const { return values_ > kMaxBodyValues; }

 private:
  bool add(json::object& out, const Field& field, const WireField& wire, int depth) {
    const json::string_view name(field.name.data(), field.name.size());
    if (field.shape == Shape::Map) return add_entry(out[name], field, wire, depth);
    auto decoded = value(field, wire, depth);
    if (!decoded) return false;
    if (field.embedded) {
      if (!decoded->is_object()) return false;
      for (auto& [key, member] : decoded->get_object()) out[key] = std::move(member);
      return true;
    }
    if (field.shape == Shape::One) {
      if (!decoded->is_null()) out[name] = std::move(*decoded);
      return true;
    }
    json::value& list = out[name];
    if (!list.is_array()) list.emplace_array();
    list.get_array().push_back(std::move(*decoded));
    return true;
  }

  // A map is a list of messages {1: key, 2: value}.
  bool add_entry(json::value& map, const Field& field, const WireField& wire, int depth) {
    if (wire.type != WireType::Bytes) return false;
    if (!map.is_object()) map.emplace_object();
    std::optional<std::string_view> key;  // an entry may lack it
    WireField value_field{.number = 2, .type = WireType::Bytes};
    WireReader reader(wire.bytes);
    while (!reader.at_end()) {
      const auto part = reader.next();
      if (!part) return false;
      if (part->number == 1) {
        if (part->type != WireType::Bytes) return false;
        key = part->bytes;
      }
      if (part->number == 2) value_field = *part;
    }
    auto decoded = value(field, value_field, depth);
    if (!decoded) return false;
    const json::string_view name = key ? json::string_view(key->data(), key->size()) : "";
    map.get_object()[name] = std::move(*decoded);
    return true;
  }

  std::optional<json::value> value(const Field& field, const WireField& wire, int depth) {
    const bool is_bytes = wire.type == WireType::Bytes;
    switch (field.scalar) {
      case Scalar::Boolean:
        if (is_bytes) return std::nullopt;
        return json::value(wire.value != 0);
      case Scalar::Int32:
      case Scalar::Int64:
        if (is_bytes) return std::nullopt;
        return json::value(static_cast<std::int64_t>(wire.value));
      case Scalar::Double:
        if (is_bytes) return std::nullopt;
        return json::value(std::bit_cast<double>(wire.value));
      default:
        break;
    }
    if (!is_bytes) return std::nullopt;
    return from_bytes(field, wire.bytes, depth);
  }

  std::optional<json::value> from_bytes(const Field& field, std::string_view bytes, int depth) {
    switch (field.scalar) {
      case Scalar::Text:
        return json::value(json_text_of(bytes));
      case Scalar::Bytes:
        return json::value(base64_encode(bytes));
      case Scalar::Time:
      case Scalar::MicroTime:
        return time(bytes, field.scalar);
      case Scalar::Quantity:
        return quantity(bytes);
      case Scalar::IntOrString:
        return int_or_string(bytes);
      case Scalar::Message: {
        auto decoded = message(*field.message, bytes, depth + 1);
        if (!decoded) return std::nullopt;
        return json::value(std::move(*decoded));
      }
      default:
        return json::value();
    }
  }

  static std::optional<json::value> time(std::string_view bytes, Scalar kind) {
    std::int64_t seconds = 0;
    std::int64_t nanos = 0;
    WireReader reader(bytes);
    while (!reader.at_end()) {
      const auto field = reader.next();
      if (!field) return std::nullopt;
      if (field->number == 1) seconds = static_cast<std::int64_t>(field->value);
      if (field->number == 2) nanos = static_cast<std::int64_t>(field->value);
    }
    // Those that JSON may have, too: the years 1700 to 2200.
    constexpr std::int64_t kEarliest = -8'520'336'000;
    constexpr std::int64_t kLatest = 7'289'654'399;
    if (seconds < kEarliest || seconds > kLatest || nanos < 0 || nanos > 999'999'999)
      return std::nullopt;
    if (seconds == 0 && nanos == 0) return json::value();  // Go's zero time
    const auto since = std::chrono::seconds(seconds) + std::chrono::microseconds(nanos / 1000);
    const WallTime at(std::chrono::duration_cast<WallTime::duration>(since));
    return json::value(kind == Scalar::Time ? time_text(at) : micro_time_text(at));
  }

  static std::optional<json::value> quantity(std::string_view bytes) {
    json::string out("0");
    WireReader reader(bytes);
    while (!reader.at_end()) {
      const auto field = reader.next();
      if (!field) return std::nullopt;
      if (field->number == 1) out = json_text_of(field->bytes);
    }
    return json::value(std::move(out));
  }

  static std::optional<json::value> int_or_string(std::string_view bytes) {
    bool is_text = false;
    std::int64_t number = 0;
    json::string text;
    WireReader reader(bytes);
    while (!reader.at_end()) {
      const auto field = reader.next();
      if (!field) return std::nullopt;
      if (field->number == 1) is_text = field->value == 1;
      if (field->number == 2) number = static_cast<std::int32_t>(field->value);
      if (field->number == 3) text = json_text_of(field->bytes);
    }
    return is_text ? json::value(std::move(text)) : json::value(number);
  }

  std::size_t values_ = 0;
};

// runtime.Unknown, which every body is wrapped in.
struct Envelope {
  std::string_view api_version;
  std::string_view kind;
  std::string_view raw;
};

std::optional<Envelope> open_envelope(std::string_view body) {
  if (!body.starts_with(kMagic)) return std::nullopt;
  Envelope out;
  WireReader reader(body.substr(kMagic.size()));
  while (!reader.at_end()) {
    const auto field = reader.next();
    if (!field) return std::nullopt;
    if (field->number == 2) out.raw = field->bytes;
    if (field->number != 1) continue;
    WireReader meta(field->bytes);
    while (!meta.at_end()) {
      const auto part = meta.next();
      if (!part) return std::nullopt;
      if (part->number == 1) out.api_version = part->bytes;
      if (part->number == 2) out.kind = part->bytes;
    }
  }
  return out;
}

std::string openapi_name(const ResourceType& type) {
  const std::string_view group = type.group.substr(0, type.group.find('.'));
  return "io.k8s.api." + std::string(group.empty() ? "core" : group) + "." +
         std::string(type.version) + "." + std::string(type.name);
}

Outcome<std::string> to_json(std::string_view type, std::string_view api_version,
                             std::string_view kind, std::string_view body) {
  const auto envelope = open_envelope(body);
  if (!envelope) {
    return bad_request(
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  const Message* message = messages().find(type);
  PROXIMA_CHECK(message != nullptr);
  Decoder decoder;
  auto object = decoder.message(*message, envelope->raw, 0);
  if (decoder.has_too_many_values()) return too_many_values();
  if (!object) return bad_request("the protobuf message is cut off or broken");
  (*object)["apiVersion"] =
      json_text_of(envelope->api_version.empty() ? api_version : envelope->api_version);
  (*object)["kind"] = json_text_of(envelope->kind.empty() ? kind : envelope->kind);
  return json::serialize(*object);
}

}  // namespace

Outcome<std::string> protobuf_to_json(const ResourceType& type, std::string_view body) {
  return to_json(openapi_name(type), type.api_version(), type.name, body);
}

Outcome<std::string> protobuf_delete_options_to_json(std::string_view body) {
  return to_json(kDeleteOptions, "v1", "DeleteOptions", body);
}

}  // namespace apiserver
}  // namespace proxima
