// SPDX-License-Identifier: Apache-2.0
#include "conformance/balanced_answer.h"

#include "conformance/balanced_question.h"
#include "core/policy/balanced.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

json::object row_of(const BalancedQuestion& question, std::span<const double> shares) {
  json::object row;
  for (std::size_t zone = 0; zone < question.zones.size(); ++zone) {
    if (question.serves[zone]) row[question.zones[zone]] = shares[zone] * question.demand_total;
  }
  return row;
}

}  // namespace

Result<json::object> answer_balanced(const json::object& object) {
  PROXIMA_TRY(const BalancedQuestion question, read_balanced_question(object), "balanced");
  const std::size_t zones = question.zones.size();
  std::vector<double> split(zones * zones);
  policy::BalancedWorkspace workspace;
  const policy::BalancedInput input{.demand = question.demand,
                                    .capacity = question.capacity,
                                    .overload = question.overload,
                                    .price = question.price,
                                    .may_stay = {},
                                    .taken = {}};
  const auto outcome = policy::balanced_split(input, workspace, split);
  json::object rows;
  for (std::size_t zone = 0; zone < zones; ++zone) {
    if (!question.asks[zone]) continue;
    rows[question.zones[zone]] = row_of(question, std::span(split).subspan(zone * zones, zones));
  }
  return json::object{{"split", std::move(rows)},
                      {"localShare", outcome.local_share},
                      {"worstOverload", outcome.worst_overload},
                      {"cost", outcome.cost * question.demand_total}};
}

}  // namespace proxima::conformance
