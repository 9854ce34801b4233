// SPDX-License-Identifier: Apache-2.0
// The input is a label selector, a line break, and a field selector: refused with a message, or
// able to judge any object.
#include "apiserver/selection.h"

#include <boost/json/value.hpp>
#include <cstdint>

#include "apiserver/label_selector.h"
#include "base/check.h"
#include "core/model/selector.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proxima::apiserver;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const std::string_view labels = text.substr(0, line);
  const std::string_view fields =
      line == std::string_view::npos ? std::string_view() : text.substr(line + 1);
  const boost::json::object object = {
      {"metadata", {{"name", "a"}, {"labels", {{"a", "1"}, {"b", "x"}}}}}};
  for (const ResourceType& type : served_resources()) {
    const auto selection = Selection::parse(type, labels, fields);
    if (selection) {
      (void)selection->matches(object);
      PROXIMA_CHECK(!selection->everything() || selection->matches(object));
    } else {
      PROXIMA_CHECK(selection.error().code == 400 && !selection.error().message.empty());
    }
  }
  // Both parsers take the same selectors; a NUL is the one thing that upstream's reads past.
  if (labels.find('\0') == std::string_view::npos)
    PROXIMA_CHECK(parse_label_selector(labels).has_value() ==
                  proxima::model::Selector::parse(labels).has_value());
  return 0;
}
