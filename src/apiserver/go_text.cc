// SPDX-License-Identifier: Apache-2.0
#include "apiserver/go_text.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <charconv>
#include <map>

namespace proxima::apiserver {
namespace {

using boost::json::value;

// The shortest digits that name the number, without an exponent from 1e-4 up to 1e21.
std::string float_text(double number) {
  std::array<char, 512> buffer{};
  char* const begin = buffer.data();
  const auto made =
      std::to_chars(begin, begin + buffer.size(), number, std::chars_format::scientific);
  const std::string_view scientific(begin, static_cast<std::size_t>(made.ptr - begin));
  const std::size_t mark = scientific.find('e');
  if (mark == std::string_view::npos) return std::string(scientific);  // inf, nan
  const int exponent = std::atoi(scientific.data() + mark + 1);
  if (exponent < -4 || exponent >= 21) return std::string(scientific);
  const auto plain = std::to_chars(begin, begin + buffer.size(), number, std::chars_format::fixed);
  return {begin, plain.ptr};
}

void append(std::string& out, const value& from);

void append_members(std::string& out, const boost::json::object& members) {
  std::map<std::string_view, const value*> sorted;
  for (const auto& member : members) sorted.emplace(member.key(), &member.value());
  out += "map[";
  for (const auto& [key, member] : sorted) {
    if (!out.ends_with("map[")) out += ' ';
    out.append(key).append(":");
    append(out, *member);
  }
  out += ']';
}

void append_items(std::string& out, const boost::json::array& items) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ' ';
    append(out, items[i]);
  }
  out += ']';
}

void append(std::string& out, const value& from) {
  switch (from.kind()) {
    case boost::json::kind::object:
      return append_members(out, from.get_object());
    case boost::json::kind::array:
      return append_items(out, from.get_array());
    case boost::json::kind::string:
      out += std::string_view(from.get_string());
      return;
    case boost::json::kind::int64:
      out += std::to_string(from.get_int64());
      return;
    case boost::json::kind::uint64:
      out += std::to_string(from.get_uint64());
      return;
    case boost::json::kind::double_:
      out += float_text(from.get_double());
      return;
    case boost::json::kind::bool_:
      out += from.get_bool() ? "true" : "false";
      return;
    case boost::json::kind::null:
      out += "<nil>";
      return;
  }
}

}  // namespace

std::string go_text(const value& from) {
  std::string out;
  append(out, from);
  return out;
}

std::string_view go_type_name(const value& from) {
  switch (from.kind()) {
    case boost::json::kind::object:
      return "map[string]interface {}";
    case boost::json::kind::array:
      return "[]interface {}";
    case boost::json::kind::string:
      return "string";
    case boost::json::kind::int64:
      return "int64";
    case boost::json::kind::uint64:
    case boost::json::kind::double_:
      return "float64";
    case boost::json::kind::bool_:
      return "bool";
    case boost::json::kind::null:
      break;
  }
  return "%!s(<nil>)";
}

}  // namespace proxima::apiserver
