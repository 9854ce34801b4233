// SPDX-License-Identifier: Apache-2.0
// Whatever is in a JSON dump: a snapshot that fits together, or an error. Scanning many bytes at a
// time must find the same end as scanning one by one.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "fuzz/snapshot_check.h"
#include "manifest/read_manifests.h"
#include "wire/json_documents.h"
#include "wire/json_object.h"
#include "wire/json_scanner.h"
#include "wire/padded_text.h"

namespace {

using proxima::wire::PaddedText;

// A text that parses has its brackets where the scanner says.
void check_scanner(std::string_view text) {
  if (text.empty() || text.front() != '{') return;
  const PaddedText padded(text);
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  const bool valid = parser.parse(padded.text().data(), padded.text().size(), false).get(element) ==
                     simdjson::SUCCESS;
  if (!valid) return;
  const std::size_t end = proxima::wire::end_of_container(padded.text(), 0);
  PROXIMA_CHECK(end == proxima::wire::end_of_container_bytewise(padded.text(), 0));
  PROXIMA_CHECK(end != std::string_view::npos);
  PROXIMA_CHECK(proxima::wire::skip_space(padded.text(), end) == text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_scanner(text);
  // A brace and a quote in front: this is what makes a text JSON here.
  const std::string list = "{\"items\":[" + std::string(text) + "],\"kind\":\"List\"}";
  for (std::string_view input : {text, std::string_view(list)}) {
    const auto loaded = proxima::manifest::read_manifest_text(input, "fuzz", {});
    if (loaded) proxima::fuzz::check_snapshot(*loaded->snapshot);
  }
  return 0;
}
