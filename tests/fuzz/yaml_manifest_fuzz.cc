// SPDX-License-Identifier: Apache-2.0
// Whatever is in a YAML text: JSON that parses, or an error; and a snapshot that fits together.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "fuzz/snapshot_check.h"
#include "manifest/read_manifests.h"
#include "wire/json_object.h"
#include "wire/padded_text.h"
#include "wire/yaml_documents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proxima::manifest;
  using proxima::wire::take_yaml_part;
  using proxima::wire::YamlDocuments;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string_view rest = text;
  simdjson::dom::parser parser;
  while (!rest.empty()) {
    YamlDocuments documents(take_yaml_part(rest), 1);
    while (true) {
      const auto json = documents.next();
      if (!json || !json->has_value()) break;
      PROXIMA_CHECK(parser.parse(**json).error() == simdjson::SUCCESS);
    }
  }
  // A comment in front keeps it from being taken for JSON.
  const auto loaded = read_manifest_text("#\n" + std::string(text), "fuzz", {});
  if (loaded) proxima::fuzz::check_snapshot(*loaded->snapshot);
  return 0;
}
