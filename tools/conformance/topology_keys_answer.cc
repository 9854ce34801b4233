// SPDX-License-Identifier: Apache-2.0
#include "conformance/topology_keys_answer.h"

#include "base/string_pool.h"
#include "conformance/field_reader.h"
#include "core/policy/topology_keys.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

struct Question {
  FieldReader fields;
  StringPool names;
  const json::object* node_labels = nullptr;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> texts;
  std::vector<const json::object*> topologies;

  explicit Question(const json::object& object) : node_labels(&fields.map(object, "nodeLabels")) {
    for (const json::value& key : fields.list(object, "topologyKeys")) {
      keys.push_back(fields.as_text(key, "topologyKeys"));
    }
    for (const json::value& item : fields.list(object, "endpoints")) {
      const json::object& endpoint = fields.as_object(item, "endpoints");
      texts.push_back(fields.text(endpoint, "endpoint"));
      topologies.push_back(&fields.map(endpoint, "topology"));
    }
  }

  std::uint32_t label(const json::object& labels, std::string_view key) {
    const json::value* value = labels.if_contains(key);
    if (value == nullptr) return policy::kNoValue;
    return static_cast<std::uint32_t>(names.intern(fields.as_text(*value, key)).value());
  }
};

}  // namespace

Result<json::object> answer_topology_keys(const json::object& object) {
  Question question(object);
  const auto choice = policy::choose_by_topology_keys({
      .keys = question.keys,
      .node_known = !question.node_labels->empty(),
      .node_label =
          [&](std::string_view key) { return question.label(*question.node_labels, key); },
      .endpoint_label =
          [&](std::size_t i, std::string_view key) {
            return question.label(*question.topologies[i], key);
          },
      .endpoint_count = question.texts.size(),
  });
  if (question.fields.error()) return *question.fields.error();
  json::array chosen;
  for (const std::uint32_t i : choice.endpoints) chosen.emplace_back(question.texts[i]);
  return json::object{{"chosen", std::move(chosen)}};
}

}  // namespace proxima::conformance
