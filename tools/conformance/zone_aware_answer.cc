// SPDX-License-Identifier: Apache-2.0
#include "conformance/zone_aware_answer.h"

#include <optional>

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::HostList;
using policy::LocalityBasis;
using policy::ZoneState;

Fraction exact(policy::Ratio ratio) { return {ratio.part, ratio.whole}; }

// Adds a share of the requests to the zones of a list's hosts.
void spread(const policy::HostSet& upstream, const HostList& list, LocalityBasis basis,
            const Fraction& share, RequestShares& shares) {
  const std::uint64_t total = policy::list_size({&upstream, 1}, list, basis);
  if (total == 0) {
    shares.no_host = shares.no_host + share;
    return;
  }
  for (std::size_t i = 0; i < upstream.buckets.size(); ++i) {
    if (list.bucket && *list.bucket != i) continue;
    const std::uint64_t own = policy::members(upstream.buckets[i].hosts.in(basis), list.view);
    shares.by_bucket[i] = shares.by_bucket[i] + share * Fraction(own, total);
  }
}

json::object answer_for(const ZoneAwareQuestion& question, LocalityBasis basis) {
  const ZoneAwareCase solved(question, basis);
  const policy::ZoneRouting& routing = solved.routing();
  json::object answer{{"state", state_name(routing.state)},
                      {"local_share", nullptr},
                      {"cumulative_residual", nullptr}};
  if (routing.state == ZoneState::Residual) {
    answer["local_share"] = routing.local_share;
    answer["cumulative_residual"] =
        json::array(routing.cumulative.begin(), routing.cumulative.end());
  }
  const RequestShares shares = request_shares(solved);
  json::object probability;
  for (std::size_t i = 0; i < shares.by_bucket.size(); ++i) {
    probability[question.zone_of(question.upstream.buckets[i])] = shares.by_bucket[i].text();
  }
  answer["probability"] = std::move(probability);
  return answer;
}

}  // namespace

std::string_view state_name(ZoneState state) {
  if (state == ZoneState::None) return "none";
  return state == ZoneState::Direct ? "direct" : "residual";
}

RequestShares request_shares(const ZoneAwareCase& solved) {
  const policy::ZoneAwareBalancer balancer = solved.balancer();
  const policy::HostSet& upstream = balancer.upstream.front();
  RequestShares shares{std::vector<Fraction>(upstream.buckets.size()), {}};
  policy::visit_ways(balancer, [&](const std::optional<HostList>& list, policy::Ratio share) {
    if (list) return spread(upstream, *list, solved.config().basis, exact(share), shares);
    shares.no_host = shares.no_host + exact(share);
  });
  return shares;
}

Result<json::object> answer_zone_aware(const json::object& object) {
  PROXIMA_TRY(const ZoneAwareQuestion question, read_zone_aware_question(object), "zone-aware");
  json::object by_basis{
      {"HEALTHY_HOSTS_NUM", answer_for(question, LocalityBasis::HealthyHostsNum)},
      {"HEALTHY_HOSTS_WEIGHT", answer_for(question, LocalityBasis::HealthyHostsWeight)}};
  // Recorded entries keep their answers under "expect"; here they are at the top too.
  json::object answer = by_basis;
  answer["expect"] = std::move(by_basis);
  return answer;
}

}  // namespace proxima::conformance
