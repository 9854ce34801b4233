// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>
#include <optional>
#include <string>

#include "apiserver/body_limits.h"
#include "apiserver/rules/go_text.h"
#include "apiserver/rules/raw_value.h"
#include "apiserver/rules/typed_reader.h"
#include "apiserver/rules/written_form.h"
#include "apiserver/schema.h"
#include "wire/yaml_documents.h"

namespace proxima::apiserver {

using namespace rules;  // what this file is the face of

namespace {

namespace json = boost::json;

constexpr std::size_t kShownBytesMax = 30;

// The beginning of a body, as upstream shows it: as it is if it looks like JSON, else in hex.
std::string shown(std::string_view text) {
  if (text.empty()) return "<empty>";
  const std::string_view head = text.substr(0, kShownBytesMax);
  std::string out;
  if (text.front() == '{') {
    out = go_utf8(head);
  } else {
    for (const char c : head) {
      out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4U];
      out += "0123456789abcdef"[static_cast<unsigned char>(c) & 0xFU];
    }
  }
  return text.size() > head.size() ? out + " ..." : out;
}

StatusError unrecognized(const ResourceType& resource, std::string_view why,
                         std::string_view text) {
  std::string message = "the object provided is unrecognized (must be of type ";
  message.append(resource.name).append("): ").append(why);
  return bad_request(message.append(" (").append(shown(text)).append(")"));
}

StatusError cannot_be_handled(const ResourceType& resource, std::string_view why) {
  std::string message(resource.name);
  message.append(" in version ").append(go_quote(resource.version));
  message.append(" cannot be handled as a ").append(resource.name).append(": ").append(why);
  return bad_request(message);
}

// The group and kind that a body says it is.
struct Identity {
  std::string api_version;
  std::string kind;
};

const RawValue* find_member(const RawValue& raw, std::string_view name) {
  const auto found = std::find_if(raw.members.rbegin(), raw.members.rend(),
                                  [&](const RawMember& member) { return member.name == name; });
  return found == raw.members.rend() ? nullptr : &found->value;
}

// nullopt, and the reason in `problem`, when one of them is no text.
std::optional<std::string> text_member(const RawValue& raw, std::string_view name,
                                       std::string& problem) {
  const RawValue* const value = find_member(raw, name);
  if (value == nullptr || value->is(RawValue::Type::Null)) return std::string();
  if (value->is(RawValue::Type::String)) return value->text;
  constexpr std::string_view kWords[] = {"null", "bool", "number", "string", "array", "object"};
  problem = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
  problem.append(kWords[static_cast<std::size_t>(value->type)]);
  problem.append(" into Go struct field .").append(name).append(" of type string");
  return std::nullopt;
}

std::string_view version_of(std::string_view api_version) {
  return api_version.substr(api_version.find('/') + 1);
}

const ResourceType* find_kind(const Identity& identity) {
  for (const ResourceType& type : served_resources())
    if (type.name == identity.kind && type.api_version() == identity.api_version) return &type;
  return nullptr;
}

// Go's package of the internal types of a group.
std::string_view internal_package(const ResourceType& resource) {
  return resource.group.empty() ? "core" : resource.group.substr(0, resource.group.find('.'));
}

StatusError wrong_kind(const ResourceType& resource, const Identity& identity) {
  std::string message = identity.kind + " in version ";
  message.append(go_quote(version_of(identity.api_version)));
  message.append(" cannot be handled as a ").append(resource.name).append(": ");
  if (find_kind(identity) == nullptr) {
    message.append("no kind ").append(go_quote(identity.kind));
    message.append(" is registered for version ").append(go_quote(identity.api_version));
    return bad_request(message.append(" in scheme \"pkg/runtime/scheme.go:111\""));
  }
  message.append("converting (").append(version_of(identity.api_version)).append(".");
  message.append(identity.kind).append(") to (").append(internal_package(resource)).append(".");
  return bad_request(message.append(resource.name).append("): unknown conversion"));
}

std::optional<StatusError> check_identity(const ResourceType& resource, const RawValue& raw,
                                          std::string_view text) {
  std::string problem;
  const auto api_version = text_member(raw, "apiVersion", problem);
  const auto kind = text_member(raw, "kind", problem);
  if (!api_version || !kind) return unrecognized(resource, problem, text);
  if (std::count(api_version->begin(), api_version->end(), '/') > 1)
    return unrecognized(resource, "unexpected GroupVersion string: " + *api_version, text);
  Identity identity{api_version->empty() ? resource.api_version() : *api_version,
                    kind->empty() ? std::string(resource.name) : *kind};
  if (identity.kind == resource.name && identity.api_version == resource.api_version())
    return std::nullopt;
  const ResourceType* const other = find_kind(identity);
  if (other == nullptr || other->stored_as != resource.stored_as)
    return wrong_kind(resource, identity);
  // The other face of the same objects.
  return bad_request("the API version in the data (" + identity.api_version +
                     ") does not match the expected API version (" + resource.api_version() + ")");
}

Outcome<DecodedObject> decode(const ResourceType& resource, const RawValue& raw) {
  const TypeInfo& type = type_of(resource);
  auto typed = read_typed(type, raw);
  if (!typed) return cannot_be_handled(resource, typed.error().message);
  typed->object["kind"] = resource.name;
  typed->object["apiVersion"] = resource.api_version();
  return DecodedObject{written_form(type, std::move(typed->object)), std::move(typed->findings)};
}

std::string not_an_object(const RawValue& raw) {
  constexpr std::string_view kWords[] = {"null", "bool", "number", "string", "array", "object"};
  std::string out = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
  out.append(kWords[static_cast<std::size_t>(raw.type)]);
  return out +
         " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; "
         "Kind string \"json:\\\"kind,omitempty\\\"\" }";
}

Outcome<DecodedObject> decode_json(const ResourceType& resource, std::string_view text,
                                   std::string_view shown_text) {
  auto raw = parse_raw(text);
  if (!raw)
    return unrecognized(resource,
                        "couldn't get version/kind; json parse error: " + raw.error().message,
                        shown_text);
  if (!raw->is(RawValue::Type::Object) && !raw->is(RawValue::Type::Null))
    return unrecognized(resource, not_an_object(*raw), shown_text);
  if (auto problem = check_identity(resource, *raw, shown_text)) return std::move(*problem);
  return decode(resource, *raw);
}

Outcome<DecodedObject> decode_yaml(const ResourceType& resource, std::string_view text) {
  wire::YamlDocuments documents(text, 1);
  auto document = documents.next();
  if (!document) return unrecognized(resource, "yaml: " + document.error().message, text);
  if (auto fits = check_body_values(document->value_or("null")); !fits)
    return std::move(fits).error();
  return decode_json(resource, document->value_or("null"), text);
}

}  // namespace

Outcome<DecodedObject> decode_body(const ResourceType& resource, std::string_view text,
                                   BodyFormat format) {
  return format == BodyFormat::Yaml ? decode_yaml(resource, text)
                                    : decode_json(resource, text, text);
}

StatusError strict_decoding_error(const ResourceType& resource,
                                  const std::vector<std::string>& findings) {
  std::string why = "strict decoding error: ";
  for (const std::string& finding : findings) {
    if (&finding != &findings.front()) why += ", ";
    why += finding;
  }
  return cannot_be_handled(resource, why);
}

Outcome<DecodedObject> check_fields(const ResourceType& resource, json::object object) {
  const RawValue raw = to_raw(std::move(object));
  if (auto problem = check_identity(resource, raw, {})) return std::move(*problem);
  return decode(resource, raw);
}

}  // namespace proxima::apiserver
