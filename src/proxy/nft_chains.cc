// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_chains.h"

#include <algorithm>
#include <optional>

#include "proxy/nft_rule_writer.h"

namespace proxima::proxy {
namespace {

using dataplane::NftChain;
using dataplane::NftHook;
using dataplane::NftRule;
using Where = NftHook::Where;

constexpr std::size_t kLongestInterfaceName = 15;
constexpr std::string_view kClasses[kSources] = {"pod", "node", "outside"};

std::string named(std::string_view prefix, std::string_view rest) {
  return std::string(prefix) + "-" + std::string(rest);
}

class Chains {
 public:
  Chains(const RoutingRules& rules, const NftOptions& options) : rules_(rules), options_(options) {}

  std::vector<NftChain> all() {
    add_base();
    add_checks();
    add_picking();
    add_sticking();
    add_leaving();
    add(nft_layout_chain(), {});
    std::sort(chains_.begin(), chains_.end(),
              [](const NftChain& a, const NftChain& b) { return a.name < b.name; });
    return std::move(chains_);
  }

 private:
  NftRuleWriter when() const { return NftRuleWriter(rules_.family); }
  void add(std::string name, std::vector<NftRule> rules) {
    chains_.push_back({.name = std::move(name), .hook = {}, .rules = std::move(rules)});
  }
  void add_base(std::string name, const NftHook& hook, NftRule rule) {
    chains_.push_back({.name = std::move(name), .hook = hook, .rules = {std::move(rule)}});
  }

  void add_base() {
    const auto hook = [](NftHook::Type type, Where where, std::int32_t priority) {
      return NftHook{.type = type, .where = where, .priority = priority};
    };
    constexpr auto kFilter = NftHook::Type::Filter;
    constexpr auto kNat = NftHook::Type::Nat;
    const NftRule check = when().new_connection().jump("check").rule();
    const NftRule translate = when().jump("services").rule();
    const NftRule after = when().new_connection().jump("not-translated").rule();
    add_base("filter-prerouting", hook(kFilter, Where::Prerouting, -110), check);
    add_base("filter-output", hook(kFilter, Where::Output, -110), check);
    add_base("nat-prerouting", hook(kNat, Where::Prerouting, -100), translate);
    add_base("nat-output", hook(kNat, Where::Output, -100), translate);
    add_base("filter-prerouting-after", hook(kFilter, Where::Prerouting, -99), after);
    add_base("filter-output-after", hook(kFilter, Where::Output, -99), after);
    add_base("nat-postrouting", hook(kNat, Where::Postrouting, 100),
             when().jump("masquerading").rule());
  }

  // Refuses before anything is translated, while a packet still says where it was sent to. Most
  // ports are refused to nobody, so whether an address is this node's is asked last.
  void add_checks() {
    add("check",
        {when().priority_of_service(nft_set::kRefused).go("refuse").rule(),
         when().priority_of_node_port(nft_set::kRefusedNodePorts).go("check-node-port").rule()});
    // A service's address that is refused to nobody stands before the node port of another.
    add("check-node-port",
        {when().priority_of_service(nft_set::kFrom[2]).give_back().rule(),
         node_port_address(when()).go("refuse").rule(), when().clear_priority().rule()});
    add("firewall", {when().service_and_source_in(nft_set::kAllowedSources).give_back().rule(),
                     when().drop().rule()});
    std::vector<NftRule> refuse = by_source("refuse");
    refuse.insert(refuse.begin(),
                  when().priority_is(kFirewallBit, kFirewallBit).jump("firewall").rule());
    add("refuse", std::move(refuse));
    for (std::uint32_t source = 0; source < kSources; ++source) {
      const std::uint32_t shift = 2 * source;
      add(named("refuse", kClasses[source]),
          {when().priority_is(kRefusalMask << shift, kRejectBit << shift).reject().rule(),
           when().priority_is(kRefusalMask << shift, kDropBit << shift).drop().rule()});
    }
  }

  void add_picking() {
    add("services", by_source("from"));
    for (std::size_t source = 0; source < kSources; ++source)
      add(named("from", kClasses[source]), find_pool(source, "pick"));
    // What is neither sticky nor masqueraded, as most is, has its answer with the first.
    const NftRule plain = when().go_by_priority(nft_set::kSizes, kPickMask).rule();
    add("pick", {plain,
                 when()
                     .priority_is(kMasqueradeBit, kMasqueradeBit)
                     .set_mark(options_.masquerade_mark)
                     .keep_of_priority(~kMasqueradeBit)
                     .rule(),
                 when().priority_is(kStickyBit, kStickyBit).go("sticky").rule(), plain});
  }

  void add_sticking() {
    // What leads to "pick-anew" stands here and not in the chains of ports, because a kernel that
    // looks for loops walks all that a chain leads to, for every chain that leads there.
    add("sticky", {when().keep_of_priority(kPoolMask).rule(),
                   when().go_by_priority(nft_set::kRecallClients, kPoolMask).rule(),
                   when().go("pick-anew").rule()});
    // A backend that has left the list is not found; the client is then as if it were new.
    add("stuck", {when().translate_by_priority(nft_set::kBackends).rule()});
    // The priority has been overwritten by now, and the pool must be found again.
    add("pick-anew", by_source("anew"));
    for (std::size_t source = 0; source < kSources; ++source)
      add(named("anew", kClasses[source]), find_pool(source, "anew"));
    add("anew", {when().keep_of_priority(~kMasqueradeBit).rule(),
                 when().go_by_priority(nft_set::kStickySizes, kSizeMask).rule()});
    add("stick", {when().go_by_priority(nft_set::kLearnClients, kPoolMask).rule(),
                  when().translate_by_priority(nft_set::kBackends).rule()});
  }

  void add_leaving() {
    std::vector<NftRule> rules = {when().destination_in(nft_set::kClusterIps).reject().rule()};
    for (const IpPrefix& range : rules_.service_ranges) {
      if (range.family() == rules_.family)
        rules.push_back(when().in_range(PacketEnd::Destination, range).drop().rule());
    }
    add("not-translated", std::move(rules));
    const std::uint32_t mark = options_.masquerade_mark;
    add("masquerading",
        {when().mark_has(mark).clear_mark(mark).clear_priority().masquerade().rule(),
         when()
             .translated()
             .clear_priority()
             .connection_in(nft_set::kHairpin)
             .masquerade()
             .rule()});
  }

  std::vector<NftRule> find_pool(std::size_t source, std::string_view then) const {
    return {when().priority_of_service(nft_set::kFrom[source]).go(then).rule(),
            node_port_address(when())
                .priority_of_node_port(nft_set::kNodePortsFrom[source])
                .go(then)
                .rule()};
  }

  std::vector<NftRule> by_source(std::string_view prefix) const {
    std::vector<NftRule> rules;
    if (auto pod = from_pod()) rules.push_back(pod->go(named(prefix, kClasses[0])).rule());
    rules.push_back(when().is_local(PacketEnd::Source).go(named(prefix, kClasses[1])).rule());
    rules.push_back(when().go(named(prefix, kClasses[2])).rule());
    return rules;
  }

  // None when no packet can be a Pod's.
  std::optional<NftRuleWriter> from_pod() const {
    if (!rules_.detector) return std::nullopt;
    const LocalDetector& detector = *rules_.detector;
    if (detector.by == LocalDetector::By::SourceRange) {
      if (detector.range.family() != rules_.family) return std::nullopt;
      return when().in_range(PacketEnd::Source, detector.range);
    }
    if (detector.interface.size() > kLongestInterfaceName) return std::nullopt;
    if (detector.by == LocalDetector::By::Interface) return when().interface_is(detector.interface);
    // Every name begins with nothing.
    return detector.interface.empty() ? when() : when().interface_begins(detector.interface);
  }

  NftRuleWriter node_port_address(NftRuleWriter rule) const {
    if (rules_.node_ports.restricted) return rule.destination_in(nft_set::kNodePortIps);
    const bool is_v4 = rules_.family == IpFamily::V4;
    const IpPrefix loopback = IpPrefix::parse(is_v4 ? "127.0.0.0/8" : "::1/128").value();
    return rule.is_local(PacketEnd::Destination).outside_range(PacketEnd::Destination, loopback);
  }

  const RoutingRules& rules_;
  const NftOptions& options_;
  std::vector<NftChain> chains_;
};

NftChain one_rule(std::string name, NftRule rule) {
  return {.name = std::move(name), .hook = {}, .rules = {std::move(rule)}};
}

}  // namespace

std::string nft_layout_chain() { return named("layout", std::to_string(kNftLayoutVersion)); }

std::vector<NftChain> nft_fixed_chains(const RoutingRules& rules, const NftOptions& options) {
  return Chains(rules, options).all();
}

NftChain nft_pick_chain(IpFamily family, std::uint32_t slots) {
  return one_rule(named("pick", std::to_string(slots)),
                  NftRuleWriter(family).translate_by_slot(nft_set::kSlots, slots).rule());
}

NftChain nft_sticky_pick_chain(IpFamily family, std::uint32_t slots) {
  return one_rule(
      named("sticky-pick", std::to_string(slots)),
      NftRuleWriter(family).priority_of_slot(nft_set::kStickySlots, slots).go("stick").rule());
}

}  // namespace proxima::proxy
