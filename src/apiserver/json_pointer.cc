// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_pointer.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <charconv>

#include "base/go_quote.h"

namespace proxima::apiserver {
namespace {

using boost::json::value;

// nullptr: not there, or null.
value* member_of(value& container, const std::string& key) {
  value* found = nullptr;
  if (auto* object = container.if_object()) {
    found = object->if_contains(key);
  } else {
    auto& array = container.get_array();
    const auto position = array_position(key, array.size());
    if (position) found = &array[*position];
  }
  return found == nullptr || found->is_null() ? nullptr : found;
}

}  // namespace

std::string decode_pointer_token(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const std::string_view escape = token.substr(i, 2);
    const bool escaped = escape == "~1" || escape == "~0";
    out += escape == "~1" ? '/' : token[i];
    if (escaped) ++i;
  }
  return out;
}

std::optional<PointerTarget> follow_pointer(value& document, std::string_view pointer) {
  std::size_t slash = pointer.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  PointerTarget target{&document, {}, 1};
  while (true) {
    pointer.remove_prefix(slash + 1);
    slash = pointer.find('/');
    target.key = decode_pointer_token(pointer.substr(0, slash));
    if (slash == std::string_view::npos) return target;
    value* next = member_of(*target.container, target.key);
    if (next == nullptr || !next->is_structured()) return std::nullopt;
    target.container = next;
    ++target.depth;
  }
}

Result<std::int64_t> parse_array_index(std::string_view text) {
  auto refused = [&](std::string_view why) {
    return Error{ErrorCode::InvalidInput,
                 "strconv.Atoi: parsing " + go_quote(text) + ": " + std::string(why)};
  };
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const bool all_digits =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!all_digits) return refused("invalid syntax");
  std::int64_t number = 0;
  const std::string_view whole = negative ? text : digits;
  if (std::from_chars(whole.data(), whole.data() + whole.size(), number).ec != std::errc())
    return refused("value out of range");
  return number;
}

Result<std::size_t> array_position(std::string_view text, std::size_t size) {
  auto index = parse_array_index(text);
  if (!index) return std::move(index).error();
  const auto length = static_cast<std::int64_t>(size);
  if (*index < -length || *index >= length)
    return Error{
        ErrorCode::InvalidInput,
        "Unable to access invalid index: " + std::to_string(*index) + ": invalid index referenced"};
  return static_cast<std::size_t>(*index < 0 ? *index + length : *index);
}

}  // namespace proxima::apiserver
