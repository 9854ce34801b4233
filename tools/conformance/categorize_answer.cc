// SPDX-License-Identifier: Apache-2.0
#include "conformance/categorize_answer.h"

#include <deque>

#include "base/string_pool.h"
#include "conformance/field_reader.h"
#include "core/policy/select_endpoints.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

class Question {
 public:
  explicit Question(const json::object& object) {
    input_.internal_policy_local = fields_.flag(object, "internalTrafficPolicyLocal");
    input_.external_policy_local = fields_.flag(object, "externalTrafficPolicyLocal");
    input_.externally_accessible = fields_.flag(object, "externallyAccessible");
    // An empty name is no name: nothing that is hinted to "" is meant for this node.
    const auto node = fields_.text(object, "node");
    const auto zone = fields_.text(object, "nodeZone");
    if (!node.empty()) input_.node = model::NodeIndex(number(node));
    if (!zone.empty()) input_.zone = model::ZoneIndex(number(zone));
    for (const json::value& item : fields_.list(object, "endpoints")) {
      add(fields_.as_object(item, "endpoints"));
    }
    input_.endpoints = endpoints_;
  }

  const std::optional<Error>& error() const { return fields_.error(); }
  const policy::SelectionInput& input() const { return input_; }

  json::array texts(const std::vector<std::uint32_t>& chosen) const {
    json::array result;
    for (const std::uint32_t i : chosen) result.emplace_back(texts_[i]);
    return result;
  }

 private:
  void add(const json::object& object) {
    texts_.push_back(fields_.text(object, "endpoint"));
    endpoints_.push_back({
        .ready = fields_.condition(object, "ready") != model::Condition::False,
        .serving = fields_.condition(object, "serving") != model::Condition::False,
        .terminating = fields_.flag(object, "terminating"),
        .local = fields_.flag(object, "onThisNode"),
        .zone_hints = hints(object, "forZones"),
        .node_hints = hints(object, "forNodes"),
    });
  }

  std::span<const std::uint32_t> hints(const json::object& object, std::string_view key) {
    auto& numbers = hints_.emplace_back();
    for (const json::value& item : fields_.list(object, key)) {
      numbers.push_back(static_cast<std::uint32_t>(number(fields_.as_text(item, key))));
    }
    return numbers;
  }

  std::size_t number(std::string_view name) { return names_.intern(name).value(); }

  FieldReader fields_;
  StringPool names_;
  std::vector<std::string_view> texts_;
  std::vector<policy::Candidate> endpoints_;
  std::deque<std::vector<std::uint32_t>> hints_;  // a deque, so that spans into it stay valid
  policy::SelectionInput input_;
};

}  // namespace

Result<json::object> answer_categorize(const json::object& object) {
  const Question question(object);
  if (question.error()) return *question.error();
  const policy::Selection selection = select_endpoints(question.input());
  return json::object{
      {"usesClusterEndpoints", selection.uses_cluster},
      {"usesLocalEndpoints", selection.uses_local},
      {"clusterEndpoints", question.texts(selection.cluster)},
      {"localEndpoints", question.texts(selection.local)},
      {"allReachableEndpoints", question.texts(policy::reachable_endpoints(selection))},
      {"hasAnyEndpoints", selection.has_any},
  };
}

}  // namespace proxima::conformance
