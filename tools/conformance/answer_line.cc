// SPDX-License-Identifier: Apache-2.0
#include "conformance/answer_line.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "conformance/balanced_answer.h"
#include "conformance/categorize_answer.h"
#include "conformance/hints_answer.h"
#include "conformance/topology_keys_answer.h"
#include "conformance/zone_aware_answer.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

using Answer = Result<json::object> (*)(const json::object& question, const Options& options);

constexpr std::array<std::string_view, 5> kNames = {"hints", "categorize", "topology-keys",
                                                    "zone-aware", "balanced"};
constexpr std::array<Answer, kNames.size()> kAnswers = {
    [](const json::object& question, const Options& options) {
      return answer_hints(question, options.auto_options);
    },
    [](const json::object& question, const Options&) { return answer_categorize(question); },
    [](const json::object& question, const Options&) { return answer_topology_keys(question); },
    [](const json::object& question, const Options&) { return answer_zone_aware(question); },
    [](const json::object& question, const Options&) { return answer_balanced(question); },
};

Result<json::object> read(std::string_view line) {
  json::error_code failure;
  json::value value = json::parse(line, failure);
  if (failure) return Error{ErrorCode::InvalidInput, "not JSON: " + failure.message()};
  if (!value.is_object()) return Error{ErrorCode::InvalidInput, "not a JSON object"};
  return std::move(value.get_object());
}

json::value name_of(const json::object& question) {
  const json::value* name = question.if_contains("name");
  return name != nullptr && name->is_string() ? *name : json::value(nullptr);
}

json::object merged(json::value name, Result<json::object> answer) {
  json::object line{{"name", std::move(name)}};
  if (!answer) {
    line["error"] = answer.error().message;
    return line;
  }
  for (auto& field : *answer) line.insert_or_assign(field.key(), std::move(field.value()));
  return line;
}

}  // namespace

std::optional<Kind> Kind::parse(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return Kind(static_cast<std::size_t>(found - kNames.begin()));
}

std::span<const std::string_view> Kind::names() { return kNames; }

std::string Kind::answer(std::string_view line, const Options& options) const {
  Result<json::object> question = read(line);
  if (!question) return json::serialize(merged(nullptr, std::move(question).error()));
  return json::serialize(merged(name_of(*question), kAnswers[index_](*question, options)));
}

}  // namespace proxima::conformance
