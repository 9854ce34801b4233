// SPDX-License-Identifier: Apache-2.0
// Whatever answers in the place of a node proxy or of a lab: what the command prints of it has no
// control characters but the colours of the program, or there is an error.
#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "cli/lab_status.h"
#include "cli/node_routes_text.h"
#include "cli/printable_output.h"
#include "cli/text_width.h"

namespace {

using namespace proxima;
using namespace proxima::cli;

void check_printed(const Result<std::string>& text) {
  if (!text) {
    PROXIMA_CHECK(!text.error().message.empty());
    return;
  }
  PROXIMA_CHECK(printable_output(*text) == *text);
}

// Without colours, each line is one that printable() lets through.
void check_plain(const Result<std::string>& text) {
  check_printed(text);
  if (!text) return;
  PROXIMA_CHECK(text->find('\x1b') == std::string::npos);
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + (line.size() < rest.size() ? 1 : 0));
    PROXIMA_CHECK(printable(line) == line);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_plain(node_routes_text(text, {}));
  check_printed(node_routes_text(text, {.width = 40, .coloring = Coloring::On}));
  check_plain(lab_tables(text, {}));
  const auto document = node_routes_document(text, report::DocumentFormat::Json);
  if (document) {
    check_printed(document);
    PROXIMA_CHECK(boost::json::parse(*document).is_object());
  }
  return 0;
}
