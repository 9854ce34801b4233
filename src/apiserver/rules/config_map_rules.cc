// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::size_t kBytesMax = 1024 * 1024;

std::size_t decoded_bytes(std::string_view base64) {
  const auto padding = static_cast<std::size_t>(std::count(base64.begin(), base64.end(), '='));
  return base64.size() / 4 * 3 - std::min(padding, base64.size() / 4 * 3);
}

void check_contents(FieldErrors& errors, const JsonFields& map) {
  const JsonFields& data = object_at(map, "data");
  const JsonFields& binary = object_at(map, "binaryData");
  std::size_t bytes = 0;
  for (const std::string_view key : sorted_keys(data)) {
    const FieldPath path = FieldPath("data").key(key);
    errors.invalid_each(path, key, config_map_key_faults(key));
    if (binary.contains(key)) errors.invalid(path, key, "duplicate of key present in binaryData");
    bytes += text_at(data, key).size();
  }
  for (const std::string_view key : sorted_keys(binary)) {
    errors.invalid_each(FieldPath("binaryData").key(key), key, config_map_key_faults(key));
    bytes += decoded_bytes(text_at(binary, key));
  }
  if (bytes > kBytesMax) errors.too_long(FieldPath("[]"), kBytesMax);
}

void check_map_create(FieldErrors& errors, const JsonFields& map) {
  check_core_metadata(errors, map, true, dns_subdomain_faults);
  check_contents(errors, map);
}

void check_map_update(FieldErrors& errors, Subresource /*subresource*/, const JsonFields& map,
                      const JsonFields& old) {
  check_core_metadata_update(errors, map, old);
  constexpr std::string_view kFixed = "field is immutable when `immutable` is set";
  if (flag_at(old, "immutable")) {
    if (!flag_at(map, "immutable")) errors.forbidden(FieldPath("immutable"), kFixed);
    for (const std::string_view key : {"data", "binaryData"})
      if (!same_member(map, old, key)) errors.forbidden(FieldPath(std::string(key)), kFixed);
  }
  check_map_create(errors, map);
}

}  // namespace

const KindRules kConfigMapRules = {.check_create = check_map_create,
                                   .check_update = check_map_update};

}  // namespace proxima::apiserver::rules
