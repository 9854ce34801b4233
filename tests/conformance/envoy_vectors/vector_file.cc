// SPDX-License-Identifier: Apache-2.0
#include "conformance/envoy_vectors/vector_file.h"

#include <fstream>
#include <map>
#include <sstream>

#include "base/check.h"
#include "support/source_folder.h"

namespace proxima::conformance {

namespace json = boost::json;

const json::array& vectors_of(std::string_view file) {
  static std::map<std::string, json::value, std::less<>> read;
  auto found = read.find(file);
  if (found == read.end()) {
    const std::string name(file);
    std::ifstream stream(test::source_folder() + "/tests/conformance/policy_vectors/vectors/" +
                         name);
    PROXIMA_CHECK(stream.good());
    std::ostringstream content;
    content << stream.rdbuf();
    found = read.emplace(name, json::parse(content.str())).first;
  }
  return found->second.at("vectors").as_array();
}

std::vector<const json::object*> envoy_vectors(std::string_view kind) {
  std::vector<const json::object*> chosen;
  for (const json::value& entry : vectors_of("envoy_vectors.json")) {
    if (entry.at("kind").as_string() == kind) chosen.push_back(&entry.as_object());
  }
  return chosen;
}

const json::value* field(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::uint64_t number(const json::object& object, std::string_view key, std::uint64_t otherwise) {
  const json::value* value = field(object, key);
  return value == nullptr ? otherwise : value->to_number<std::uint64_t>();
}

std::string text(const json::value& value) { return std::string(value.as_string()); }

std::vector<std::uint64_t> numbers(const json::value& list) {
  std::vector<std::uint64_t> result;
  for (const json::value& value : list.as_array()) {
    result.push_back(value.to_number<std::uint64_t>());
  }
  return result;
}

}  // namespace proxima::conformance
