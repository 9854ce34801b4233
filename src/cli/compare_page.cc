// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_page.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/check.h"
#include "cli/compare_page_json.h"
#include "cli/page_assets.h"

namespace proxima::cli {
namespace {

struct Part {
  std::string_view name;
  std::string_view text;
};

std::string_view part_named(std::span<const Part> parts, std::string_view name) {
  const auto part = std::ranges::find(parts, name, &Part::name);
  PROXIMA_CHECK(part != parts.end());
  return part->text;
}

// Replaces every {{name}} of the template. What is put in is not looked at again, so a service
// cannot smuggle a part in by its name.
std::string fill(std::string_view page, std::span<const Part> parts) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = page.find("}}", open);
    PROXIMA_CHECK(close != std::string_view::npos);
    out += part_named(parts, page.substr(open + 2, close - open - 2));
    page.remove_prefix(close + 2);
  }
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string render_compare_page(const plan::Comparison& comparison, const ComparePageInfo& info) {
  const std::string title = html_text(info.title);
  const std::string data = compare_page_json(comparison, info);
  const Part parts[] = {{"title", title},
                        {"css", embedded::kCompareCss},
                        {"js", embedded::kCompareJs},
                        {"data", data}};
  return fill(embedded::kCompareHtml, parts);
}

}  // namespace proxima::cli
