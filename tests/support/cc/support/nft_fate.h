// SPDX-License-Identifier: Apache-2.0
// Rendered rules held against routes: the same packet through both, and what differs in words.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "dataplane/nft_trace.h"
#include "proxy/nft_adoption.h"
#include "proxy/nft_renderer.h"
#include "proxy/packet_trace.h"
#include "proxy/slot_assignment.h"

namespace proxima::test {

using proxy::PacketFate;

// Into `table`, as a data plane would write it.
inline Status load(const proxy::NftRenderer& renderer, dataplane::NftTable& table,
                   std::size_t elements = 100) {
  const auto found = table.exists() ? proxy::NftFound::Foreign : proxy::NftFound::Nothing;
  return proxy::load_nft_table(
      renderer, found, elements,
      [&](const dataplane::NftTransaction& transaction) { return table.apply(transaction); });
}

inline dataplane::NftPacket nft_packet(const proxy::Packet& packet,
                                       std::span<const IpAddress> local_addresses) {
  return {.source = packet.source,
          .destination = packet.destination,
          .protocol = proxy::protocol_number(packet.protocol),
          .port = packet.port,
          .input_interface = std::string(packet.input_interface),
          .mark = 0x10,
          .local_addresses = local_addresses};
}

inline std::string to_text(const dataplane::NftOutcome& outcome) {
  using Kind = dataplane::NftOutcome::Kind;
  if (outcome.kind == Kind::Pass) return outcome.masquerade ? "pass masqueraded" : "pass";
  if (outcome.kind == Kind::Reject) return "reject";
  if (outcome.kind == Kind::Drop) return "drop";
  return proxy::to_text(PacketFate{
      .kind = PacketFate::Kind::Deliver,
      .targets = {{.at = {outcome.address, outcome.port}, .masquerade = outcome.masquerade}}});
}

// Each fate with its part of all packets, by text.
using Shares = std::vector<std::pair<std::string, double>>;

inline Shares summed(Shares shares) {
  std::sort(shares.begin(), shares.end());
  Shares sums;
  for (auto& [text, share] : shares) {
    if (sums.empty() || sums.back().first != text) sums.emplace_back(text, 0);
    sums.back().second += share;
  }
  return sums;
}

inline Shares shares_of(const PacketFate& fate) {
  if (fate.kind != PacketFate::Kind::Deliver) return {{proxy::to_text(fate), 1}};
  double total = 0;
  for (const auto& target : fate.targets) total += target.weight;
  Shares shares;
  for (const auto& target : fate.targets)
    shares.emplace_back(proxy::to_text(PacketFate{.kind = fate.kind, .targets = {target}}),
                        target.weight / total);
  return summed(std::move(shares));
}

inline Shares shares_of(const std::vector<dataplane::NftOutcome>& outcomes) {
  Shares shares;
  for (const auto& outcome : outcomes) shares.emplace_back(to_text(outcome), outcome.probability);
  return summed(std::move(shares));
}

inline bool same_shares(const Shares& a, const Shares& b) {
  const proxy::SlotError error;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    const double bound = std::max(error.relative * x.second, error.absolute) + 1e-9;
    return x.first == y.first && std::abs(x.second - y.second) <= bound;
  });
}

inline std::string to_text(const Shares& shares) {
  std::string text;
  for (const auto& [what, share] : shares)
    text += (text.empty() ? "" : ", ") + what + " " + std::to_string(share);
  return text;
}

// A backend that is itself a cluster address is refused after the translation, as kube-proxy does
// it; routes do not say so.
inline bool leads_to_services(const proxy::RouteTable& table, const PacketFate& fate) {
  return std::any_of(fate.targets.begin(), fate.targets.end(), [&](const auto& target) {
    const auto& ranges = table.rules.service_ranges;
    return table.is_cluster_ip(target.at.address) ||
           std::any_of(ranges.begin(), ranges.end(),
                       [&](const IpPrefix& range) { return range.contains(target.at.address); });
  });
}

// "" when rules and routes agree about the packet. Clients must not be known to the rules.
inline std::string difference(const dataplane::NftTable& rules, const proxy::RouteTable& routes,
                              std::span<const IpAddress> local_addresses,
                              const proxy::Packet& packet) {
  const PacketFate fate = proxy::trace(routes, local_addresses, packet);
  if (leads_to_services(routes, fate)) return "";
  const Shares expected = shares_of(fate);
  for (const bool sent_here : {false, true}) {
    if (sent_here && !packet.input_interface.empty()) continue;
    dataplane::NftPacket sent = nft_packet(packet, local_addresses);
    sent.sent_here = sent_here;
    const auto outcomes = dataplane::nft_trace(rules, sent);
    if (!outcomes) return outcomes.error().message;
    const Shares seen = shares_of(*outcomes);
    if (!same_shares(expected, seen))
      return "routes say " + to_text(expected) + "; rules say " + to_text(seen);
    for (const auto& outcome : *outcomes) {
      using Kind = dataplane::NftOutcome::Kind;
      const bool goes_on = outcome.kind == Kind::Pass || outcome.kind == Kind::Deliver;
      if (goes_on && (outcome.mark != sent.mark || outcome.priority != 0))
        return "mark or priority is left behind";
    }
  }
  return "";
}

}  // namespace proxima::test
