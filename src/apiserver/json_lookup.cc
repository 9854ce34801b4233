// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_lookup.h"

#include <boost/json/value.hpp>
#include <charconv>

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

const value* step(const value& from, std::string_view key) {
  if (const object* members = from.if_object()) return members->if_contains(key);
  const array* items = from.if_array();
  std::size_t index = 0;
  const char* end = key.data() + key.size();
  if (items == nullptr || std::from_chars(key.data(), end, index).ptr != end) return nullptr;
  return items->if_contains(index);
}

const object& empty_object() {
  static const object nothing;
  return nothing;
}

}  // namespace

const value* find_at(const object& from, std::string_view place) {
  std::size_t dot = place.find('.');
  const value* here = from.if_contains(place.substr(0, dot));
  while (here != nullptr && dot != std::string_view::npos) {
    place.remove_prefix(dot + 1);
    dot = place.find('.');
    here = step(*here, place.substr(0, dot));
  }
  return here;
}

std::string_view text_at(const object& from, std::string_view place) {
  const value* found = find_at(from, place);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                : std::string_view();
}

std::int64_t number_at(const object& from, std::string_view place) {
  const value* found = find_at(from, place);
  if (found == nullptr) return 0;
  const std::int64_t* number = found->if_int64();
  return number == nullptr ? 0 : *number;
}

bool flag_at(const object& from, std::string_view place) {
  const value* found = find_at(from, place);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const array& items_at(const object& from, std::string_view place) {
  static const array nothing;
  const value* found = find_at(from, place);
  return found != nullptr && found->is_array() ? found->get_array() : nothing;
}

const object& object_at(const object& from, std::string_view place) {
  const value* found = find_at(from, place);
  return found == nullptr ? empty_object() : as_object(*found);
}

const object& as_object(const value& from) {
  const object* members = from.if_object();
  return members == nullptr ? empty_object() : *members;
}

}  // namespace proxima::apiserver
