// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_accounts.h"

#include <optional>
#include <string_view>

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;

// What came since. Fewer than before: somebody has set the kernel's counters to 0.
std::uint64_t growth(std::uint64_t before, std::uint64_t now) {
  return now >= before ? now - before : now;
}

void add_bytes(FlowTraffic& traffic, std::uint64_t sent, std::uint64_t answered) {
  traffic.sent_bytes += sent;
  traffic.answered_bytes += answered;
}

bool is_unanswered(const ConntrackEntry& entry) {
  return (entry.status & dataplane::kConntrackSeenReply) == 0;
}

std::size_t hash_of(const dataplane::ConntrackEnd& end) {
  const auto& bytes = end.address.bytes();
  const std::string_view view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::hash<std::string_view>{}(view)*31 + end.port;
}

}  // namespace

std::size_t FlowAccounts::KeyHash::operator()(const Key& key) const {
  const std::size_t ends =
      hash_of(key.original.source) * 1'000'003 + hash_of(key.original.destination);
  return ends * 31 + key.original.protocol + (static_cast<std::size_t>(key.zone) << 8);
}

// The connection itself, and not one that had its ports before.
FlowAccounts::Memory::iterator FlowAccounts::find_same(const Entry& entry) {
  const auto found = remembered_.find(Key{entry.original, entry.zone});
  if (found == remembered_.end() || found->second.id == entry.id) return found;
  forget(found);
  return remembered_.end();
}

bool FlowAccounts::find_accounts(const Entry& entry, Accounts& accounts) {
  const std::optional<FlowOwner> owner = views_.owner(entry);
  if (!owner) return false;
  accounts.series = &series_[{.ns = owner->port.ns,
                              .service = owner->port.service,
                              .source_zone = owner->source_zone,
                              .target_zone = owner->target_zone}];
  accounts.endpoint = &endpoints_[{.port = owner->port,
                                   .backend = owner->backend,
                                   .source_zone = owner->source_zone,
                                   .target_zone = owner->target_zone}];
  return true;
}

void FlowAccounts::remember(const Entry& entry, const Accounts& accounts) {
  remembered_[Key{entry.original, entry.zone}] = {.id = entry.id,
                                                  .sent_bytes = entry.sent.bytes,
                                                  .answered_bytes = entry.answered.bytes,
                                                  .look = look_,
                                                  .accounts = accounts};
  for (FlowAccount* account : {accounts.series, accounts.endpoint}) ++account->open;
}

void FlowAccounts::forget(Memory::iterator at) {
  for (FlowAccount* account : {at->second.accounts.series, at->second.accounts.endpoint}) {
    --account->open;
  }
  remembered_.erase(at);
}

void FlowAccounts::ended(const Entry& entry) {
  Accounts accounts;
  std::uint64_t sent = entry.sent.bytes;
  std::uint64_t answered = entry.answered.bytes;
  const auto known = find_same(entry);
  const bool is_known = known != remembered_.end();
  if (is_known) {
    accounts = known->second.accounts;
    sent = growth(known->second.sent_bytes, sent);
    answered = growth(known->second.answered_bytes, answered);
    forget(known);
  } else if (baseline_ || !find_accounts(entry, accounts)) {
    return;
  }
  for (FlowAccount* account : {accounts.series, accounts.endpoint}) {
    account->traffic.connections += is_known ? 0 : 1;
    account->traffic.unanswered += is_unanswered(entry) ? 1 : 0;
    add_bytes(account->traffic, sent, answered);
  }
}

void FlowAccounts::seen(const Entry& entry) {
  // Its end has been told, or will be.
  if ((entry.status & dataplane::kConntrackDying) != 0) return;
  const auto known = find_same(entry);
  if (known != remembered_.end()) {
    Remembered& flow = known->second;
    for (FlowAccount* account : {flow.accounts.series, flow.accounts.endpoint}) {
      add_bytes(account->traffic, growth(flow.sent_bytes, entry.sent.bytes),
                growth(flow.answered_bytes, entry.answered.bytes));
    }
    flow.sent_bytes = entry.sent.bytes;
    flow.answered_bytes = entry.answered.bytes;
    flow.look = look_;
    return;
  }
  Accounts accounts;
  if (remembered_.size() >= options_.remembered_most || !find_accounts(entry, accounts)) return;
  remember(entry, accounts);
  if (baseline_) return;
  for (FlowAccount* account : {accounts.series, accounts.endpoint}) {
    account->traffic.connections += 1;
    add_bytes(account->traffic, entry.sent.bytes, entry.answered.bytes);
  }
}

void FlowAccounts::end_look() {
  for (auto at = remembered_.begin(); at != remembered_.end();) {
    const auto flow = at++;
    // One look may miss a connection that the kernel moves meanwhile; counting it anew then would
    // count all of its bytes twice.
    if (look_ - flow->second.look >= 2) forget(flow);
  }
  forget_old_accounts();
}

void FlowAccounts::forget_old_accounts() {
  std::erase_if(endpoints_, [&](const auto& row) {
    return row.second.open == 0 && !views_.knows_backend(row.first.port, row.first.backend);
  });
  std::erase_if(series_, [&](const auto& row) {
    return row.second.open == 0 && !views_.knows_service(row.first.ns, row.first.service);
  });
}

}  // namespace proxima::proxy
