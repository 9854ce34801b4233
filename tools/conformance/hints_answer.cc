// SPDX-License-Identifier: Apache-2.0
#include "conformance/hints_answer.h"

#include <algorithm>
#include <map>

#include "conformance/hints_question.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

struct Tally {
  std::map<std::string_view, std::int64_t> hinted_to;
  std::int64_t hinted_away = 0;

  // An endpoint hinted to several zones counts for each, and is away only when its own is not
  // among them.
  void count(const HintsQuestion& question, const model::Endpoint& endpoint,
             std::span<const std::uint32_t> zones) {
    bool away = !zones.empty();
    for (const std::uint32_t zone : zones) {
      ++hinted_to[question.zone_name(model::ZoneIndex(zone))];
      away = away && model::ZoneIndex(zone) != endpoint.zone;
    }
    hinted_away += away;
  }
};

// Slices that are not written keep all the hints they had.
Tally tally(const HintsQuestion& question, std::span<const model::ZoneIndex> hint_of,
            std::span<const unsigned char> written) {
  Tally result;
  std::size_t i = 0;
  for (std::size_t s = 0; s < question.slices.size(); ++s) {
    for (const model::Endpoint& endpoint : question.slices[s].endpoints) {
      const model::ZoneIndex hint = hint_of[i++];
      if (!is_ready_for_hints(endpoint)) continue;
      if (written[s] == 0) {
        result.count(question, endpoint, question.zone_hints(endpoint));
      } else if (hint) {
        const auto zone = static_cast<std::uint32_t>(hint.value());
        result.count(question, endpoint, {&zone, 1});
      }
    }
  }
  return result;
}

json::array written_names(const HintsQuestion& question, std::span<const unsigned char> written) {
  std::vector<std::string_view> names;
  for (std::size_t s = 0; s < written.size(); ++s) {
    if (written[s] != 0) names.push_back(question.slice_names[s]);
  }
  std::sort(names.begin(), names.end());
  return json::array(names.begin(), names.end());
}

json::object to_json(const policy::AutoDecision& decision, const Tally& counted) {
  const policy::HintEvent event = hint_event(decision);
  json::object answer{{"hintsSet", decision.hinted},
                      {"eventReason", event.reason},
                      {"eventMessage", event.message}};
  if (!counted.hinted_to.empty()) {
    json::object& zones = answer["endpointsHintedToZone"].emplace_object();
    for (const auto& [zone, count] : counted.hinted_to) zones[zone] = count;
  }
  answer["endpointsHintedAway"] = counted.hinted_away;
  return answer;
}

}  // namespace

Result<json::object> answer_hints(const json::object& object, const policy::AutoOptions& options) {
  PROXIMA_TRY(const HintsQuestion question, read_hints_question(object), "hints");
  const policy::CpuRatios ratios =
      policy::cpu_ratios(question.nodes, question.zones.size(), options.missing, question.names);
  std::vector<model::ZoneIndex> hint_of(question.endpoints.size());
  std::vector<unsigned char> written(question.slices.size());
  policy::AutoWorkspace workspace;
  const policy::AutoDecision decision =
      auto_hints(question.input(ratios, options), workspace, hint_of, written);
  json::object answer = to_json(decision, tally(question, hint_of, written));
  answer["slicesWritten"] = written_names(question, written);
  return answer;
}

}  // namespace proxima::conformance
