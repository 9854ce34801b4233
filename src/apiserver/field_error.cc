// SPDX-License-Identifier: Apache-2.0
#include "apiserver/field_error.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <span>
#include <unordered_set>

#include "apiserver/rules/go_text.h"

namespace proxima::apiserver {
namespace {

struct TypeWords {
  FieldErrorType type;
  std::string_view reason;  // of a cause
  std::string_view text;
  bool shows_value;
};

constexpr TypeWords kWords[] = {
    {FieldErrorType::NotFound, "FieldValueNotFound", "Not found", true},
    {FieldErrorType::Required, "FieldValueRequired", "Required value", false},
    {FieldErrorType::Duplicate, "FieldValueDuplicate", "Duplicate value", true},
    {FieldErrorType::Invalid, "FieldValueInvalid", "Invalid value", true},
    {FieldErrorType::NotSupported, "FieldValueNotSupported", "Unsupported value", true},
    {FieldErrorType::Forbidden, "FieldValueForbidden", "Forbidden", false},
    {FieldErrorType::TooLong, "FieldValueTooLong", "Too long", false},
    {FieldErrorType::TooMany, "FieldValueTooMany", "Too many", true},
    {FieldErrorType::InternalError, "InternalError", "Internal error", false},
    {FieldErrorType::TypeInvalid, "FieldValueTypeInvalid", "Invalid value", true},
};

const TypeWords& words_of(FieldErrorType type) { return kWords[static_cast<std::size_t>(type)]; }

constexpr bool words_are_in_order() {
  for (std::size_t i = 0; i < std::size(kWords); ++i)
    if (static_cast<std::size_t>(kWords[i].type) != i) return false;
  return true;
}
static_assert(words_are_in_order());

std::string value_text(const boost::json::value& value) {
  if (const auto* text = value.if_string())
    return go_quote(std::string_view(text->data(), text->size()));
  return rules::go_json(value);
}

// Everything but the field's name.
std::string body_of(const FieldError& error) {
  const TypeWords& words = words_of(error.type);
  std::string out(words.text);
  if (words.shows_value) out.append(": ").append(value_text(error.value));
  if (!error.detail.empty()) out.append(": ").append(error.detail);
  return out;
}

// One error as it is, several in brackets; what was said before is not said again.
std::string joined(std::span<const FieldError> errors) {
  std::vector<std::string> texts;
  std::unordered_set<std::string> said;
  for (const FieldError& error : errors) {
    std::string text = to_text(error);
    if (said.insert(text).second) texts.push_back(std::move(text));
  }
  if (texts.size() == 1) return texts.front();
  std::string out = "[";
  for (const std::string& text : texts) {
    if (&text != &texts.front()) out += ", ";
    out += text;
  }
  return out + "]";
}

}  // namespace

std::string to_text(const FieldError& error) { return error.field + ": " + body_of(error); }

StatusError invalid_object(const ResourceType& type, std::string_view name,
                           const std::vector<FieldError>& errors) {
  // Both faces of an Event are one kind to upstream's validation.
  const ResourceType& stored = type.kind == Kind::EventsV1 ? resource_of(type.stored_as) : type;
  StatusError out;
  out.code = 422;
  out.reason = "Invalid";
  out.name = name;
  out.group = stored.group;
  out.kind = stored.name;
  const auto listed = std::span(errors).first(std::min(errors.size(), kMaxFieldErrors));
  for (const FieldError& error : listed)
    out.causes.push_back({std::string(words_of(error.type).reason), body_of(error), error.field});
  out.message = stored.name;
  if (!stored.group.empty()) out.message.append(".").append(stored.group);
  out.message.append(" ").append(go_quote(name)).append(" is invalid");
  if (!errors.empty()) out.message.append(": ").append(joined(listed));
  if (listed.size() < errors.size())
    out.message.append("; only the first " + std::to_string(kMaxFieldErrors) +
                       " errors are listed");
  return out;
}

}  // namespace proxima::apiserver
