// SPDX-License-Identifier: Apache-2.0
#include "net/connection_roster.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"

namespace proxima::net {

std::optional<ConnectionRoster::Id> ConnectionRoster::Queues::first_to_leave() const {
  for (const Standing standing : {Standing::Stranger, Standing::Idle}) {
    const Queue& queue = of(standing);
    if (!queue.empty()) return queue.front();
  }
  return std::nullopt;
}

ConnectionRoster::Room ConnectionRoster::room_for(const std::string& source) const {
  const auto known = by_source_.find(source);
  const bool address_full =
      known != by_source_.end() && known->second.size >= limits_.slots_per_address;
  const bool full = members_.size() >= limits_.slots;
  // Strangers leave first, so this is one of them when there are too many.
  const bool strange = all_.of(Standing::Stranger).size() >= limits_.stranger_slots;
  if (!address_full && !full && !strange) return {};
  const std::optional<Id> victim =
      address_full ? known->second.first_to_leave() : all_.first_to_leave();
  return {.available = victim.has_value(), .victim = victim};
}

void ConnectionRoster::add(Id id, const std::string& source) {
  Queues& queues = by_source_[source];
  Queue& all = all_.of(Standing::Stranger);
  Queue& own = queues.of(Standing::Stranger);
  const bool added = members_
                         .emplace(id, Member{.source = source,
                                             .in_all = all.insert(all.end(), id),
                                             .in_source = own.insert(own.end(), id)})
                         .second;
  PROXIMA_CHECK(added);
  ++queues.size;
}

std::optional<ConnectionRoster::Id> ConnectionRoster::begin_request(Id id,
                                                                    const std::string& holder) {
  const auto found = members_.find(id);
  if (found == members_.end()) return std::nullopt;
  Member& member = found->second;
  member.holder = holder.empty() ? member.source : holder;
  set_standing(id, Standing::Busy);
  const Queues& own = by_source_.at(member.source);
  if (own.requests() > requests_max(limits_.slots_per_address)) return longest_request(own);
  if (all_.requests() > requests_max(limits_.slots)) return longest_request(all_);
  return std::nullopt;
}

// The one that has just begun is the last of all, so it is never the one: its holder has another
// when it has the most, or else there is one that has as many and comes before.
std::optional<ConnectionRoster::Id> ConnectionRoster::longest_request(const Queues& queues) const {
  constexpr std::array kOrder = {Standing::Answering, Standing::Busy};
  std::unordered_map<std::string_view, std::size_t> requests;
  std::size_t most = 0;
  for (const Standing standing : kOrder)
    for (const Id id : queues.of(standing))
      most = std::max(most, ++requests[members_.at(id).holder]);
  for (const Standing standing : kOrder)
    for (const Id id : queues.of(standing))
      if (requests.at(members_.at(id).holder) == most) return id;
  return std::nullopt;
}

void ConnectionRoster::set_standing(Id id, Standing standing) {
  const auto found = members_.find(id);
  if (found == members_.end()) return;  // refused for want of a slot
  Member& member = found->second;
  if (standing == Standing::Stranger) return;
  // The answer to what was refused is none to a request of a holder, and does not count as one.
  if (standing == Standing::Answering && member.standing != Standing::Busy) return;
  Queues& queues = by_source_.at(member.source);
  Queue& all = all_.of(standing);
  Queue& own = queues.of(standing);
  all.splice(all.end(), all_.of(member.standing), member.in_all);
  own.splice(own.end(), queues.of(member.standing), member.in_source);
  member.standing = standing;
}

void ConnectionRoster::remove(Id id) {
  const auto found = members_.find(id);
  if (found == members_.end()) return;
  const Member& member = found->second;
  const auto source = by_source_.find(member.source);
  all_.of(member.standing).erase(member.in_all);
  source->second.of(member.standing).erase(member.in_source);
  if (--source->second.size == 0) by_source_.erase(source);
  members_.erase(found);
}

}  // namespace proxima::net
