// SPDX-License-Identifier: Apache-2.0
// The input is an object, a line break, and a patch. No kind of patch brings the program down, and
// a merge patch that is applied again changes nothing.
#include <boost/json/parse.hpp>
#include <cstdint>
#include <string_view>

#include "apiserver/patch.h"
#include "base/check.h"

namespace {

boost::json::value parsed(std::string_view text) {
  boost::json::error_code error;
  return boost::json::parse(text, error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proxima::apiserver;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return 0;
  const boost::json::value object = parsed(text.substr(0, line));
  const boost::json::value patch = parsed(text.substr(line + 1));
  if (!object.is_object()) return 0;
  const boost::json::object& members = object.get_object();
  (void)apply_json_patch(members, patch);
  for (const ResourceType& type : served_resources())
    (void)apply_strategic_patch(type_of(type), members, patch);
  const auto once = apply_merge_patch(members, patch);
  if (!once) return 0;
  const auto twice = apply_merge_patch(*once, patch);
  PROXIMA_CHECK(twice.has_value());
  PROXIMA_CHECK(*twice == *once);
  return 0;
}
