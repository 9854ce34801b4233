// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_trace.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace proxima::dataplane {
namespace {

constexpr std::size_t kRegisterBytes = 4;
constexpr std::size_t kRegisters = 16;
constexpr std::size_t kInterfaceNameBytes = 16;
constexpr std::uint32_t kStateNew = 8;          // NF_CT_STATE_BIT(IP_CT_NEW)
constexpr std::uint32_t kTranslated = 1U << 5;  // IPS_DST_NAT
constexpr std::uint32_t kUnicast = 1;           // RTN_UNICAST
constexpr std::uint32_t kLocal = 2;             // RTN_LOCAL

NftBytes number(std::uint32_t value) {
  NftBytes bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}
NftBytes big_endian(std::uint16_t value) {
  return {static_cast<char>(value >> 8), static_cast<char>(value & 0xff)};
}
NftBytes bytes_of(const IpAddress& address) {
  const std::size_t size = address.family() == IpFamily::V4 ? 4 : 16;
  return {reinterpret_cast<const char*>(address.bytes().data()), size};
}

NftBytes network_header(const NftPacket& packet) {
  const bool is_v4 = packet.destination.family() == IpFamily::V4;
  NftBytes header(is_v4 ? 12 : 8, '\0');
  header[0] = is_v4 ? '\x45' : '\x60';
  header[is_v4 ? 9 : 6] = static_cast<char>(packet.protocol);
  return header + bytes_of(packet.source) + bytes_of(packet.destination);
}

// The numbers that were drawn on one way through the rules, and which comes next.
class Draws {
 public:
  std::uint32_t draw(std::uint32_t below) {
    if (at_ == drawn_.size()) drawn_.push_back({0, below});
    return drawn_[at_++].value;
  }
  double probability() const {
    double probability = 1;
    for (const Draw& draw : drawn_) probability /= draw.below;
    return probability;
  }
  // False: all ways have been gone.
  bool next() {
    at_ = 0;
    while (!drawn_.empty() && ++drawn_.back().value == drawn_.back().below) drawn_.pop_back();
    return !drawn_.empty();
  }

 private:
  struct Draw {
    std::uint32_t value;
    std::uint32_t below;
  };
  std::vector<Draw> drawn_;
  std::size_t at_ = 0;
};

// What a step, a rule or a chain says about going on.
struct Next {
  enum class Kind : std::uint8_t {
    Continue,  // with the next step
    Break,     // with the next rule
    Return,    // behind where this chain was called
    Accept,
    Drop,
    Reject,
    Jump,
    Goto,
  };
  Kind kind = Kind::Continue;
  std::string chain = {};
};

Next next_of(const NftVerdict& verdict) {
  switch (verdict.kind) {
    case NftVerdict::Kind::Accept:
      return {Next::Kind::Accept};
    case NftVerdict::Kind::Drop:
      return {Next::Kind::Drop};
    case NftVerdict::Kind::Return:
      return {Next::Kind::Return};
    case NftVerdict::Kind::Jump:
      return {Next::Kind::Jump, verdict.chain};
    case NftVerdict::Kind::Goto:
      return {Next::Kind::Goto, verdict.chain};
  }
  return {Next::Kind::Accept};
}

class Machine {
 public:
  Machine(const NftTable& table, const NftPacket& packet, Draws& draws)
      : table_(table), packet_(packet), draws_(draws) {}

  Result<NftOutcome> run() {
    const auto first = packet_.sent_here ? NftHook::Where::Output : NftHook::Where::Prerouting;
    for (const NftHook::Where where : {first, NftHook::Where::Postrouting}) {
      const Next next = run_hook(where);
      if (!problem_.empty()) return Error{ErrorCode::InvalidInput, problem_};
      if (next.kind == Next::Kind::Drop) outcome_.kind = NftOutcome::Kind::Drop;
      if (next.kind == Next::Kind::Reject) outcome_.kind = NftOutcome::Kind::Reject;
      if (next.kind != Next::Kind::Accept) break;
    }
    outcome_.mark = packet_.mark;
    outcome_.priority = packet_.priority;
    outcome_.probability = draws_.probability();
    return outcome_;
  }

 private:
  Next run_hook(NftHook::Where where) {
    for (const NftChain* chain : table_.at(where)) {
      const bool is_nat = chain->hook->type == NftHook::Type::Nat;
      // A connection is translated once in a direction.
      if (is_nat && (where == NftHook::Where::Postrouting ? masqueraded_ : translated_)) continue;
      is_nat_ = is_nat;
      registers_.fill('\0');
      Next next = run_chain(*chain, 0);
      if (!problem_.empty()) return next;
      if (next.kind == Next::Kind::Drop || next.kind == Next::Kind::Reject) return next;
    }
    return {Next::Kind::Accept};
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as chains are, which the table limits
  Next run_chain(const NftChain& chain, std::size_t depth) {
    for (const NftRule& rule : chain.rules) {
      Next next = run_rule(rule);
      if (next.kind == Next::Kind::Continue || next.kind == Next::Kind::Break) continue;
      if (next.kind != Next::Kind::Jump && next.kind != Next::Kind::Goto) return next;
      const NftChain* target = table_.chain(next.chain);
      if (target == nullptr) return broken("no chain " + next.chain);
      Next inner = run_chain(*target, depth + 1);
      if (inner.kind != Next::Kind::Return) return inner;
      if (next.kind == Next::Kind::Goto) return inner;
    }
    return {depth == 0 ? Next::Kind::Accept : Next::Kind::Return};
  }

  Next run_rule(const NftRule& rule) {
    for (const NftExpression& step : rule.steps) {
      Next next = std::visit([&](const auto& one) { return run_step(one); }, step);
      if (next.kind != Next::Kind::Continue) return next;
    }
    return {};
  }

  Next run_step(const NftLoadPayload& step) {
    const bool network = step.header == NftHeader::Network;
    const NftBytes header =
        network ? network_header(packet_)
                : big_endian(packet_.source_port) + big_endian(packet_.port) + NftBytes(4, '\0');
    if (step.offset + std::size_t{step.length} > header.size()) return {Next::Kind::Break};
    return store(step.to, header.substr(step.offset, step.length));
  }

  Next run_step(const NftLoadMeta& step) {
    switch (step.key) {
      case NftMetaKey::Protocol:
        return store(step.to, NftBytes(1, static_cast<char>(packet_.protocol)));
      case NftMetaKey::Mark:
        return store(step.to, number(packet_.mark));
      case NftMetaKey::Priority:
        return store(step.to, number(packet_.priority));
      case NftMetaKey::InputName:
        break;
    }
    NftBytes name = packet_.input_interface.substr(0, kInterfaceNameBytes - 1);
    name.resize(kInterfaceNameBytes, '\0');
    return store(step.to, name);
  }

  Next run_step(const NftSetMeta& step) {
    std::uint32_t value = 0;
    std::memcpy(&value, load(step.from, sizeof value).data(), sizeof value);
    if (step.key == NftMetaKey::Mark)
      packet_.mark = value;
    else if (step.key == NftMetaKey::Priority)
      packet_.priority = value;
    else
      return broken("what cannot be set is set");
    return {};
  }

  Next run_step(const NftLoadCt& step) {
    const std::uint32_t status = translated_ ? kTranslated : 0;
    return store(step.to, number(step.key == NftCtKey::State ? kStateNew : status));
  }

  Next run_step(const NftLoadAddressType& step) {
    const bool of_source = step.of == NftLoadAddressType::Of::Source;
    const IpAddress& address = of_source ? packet_.source : packet_.destination;
    const auto& local = packet_.local_addresses;
    const bool is_local = std::find(local.begin(), local.end(), address) != local.end();
    return store(step.to, number(is_local ? kLocal : kUnicast));
  }

  Next run_step(const NftLoadConstant& step) { return store(step.to, step.value); }

  Next run_step(const NftBitwise& step) {
    if (step.mask.size() != step.flip.size()) return broken("a mask of another width");
    NftBytes value = load(step.from, step.mask.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      value[i] = static_cast<char>((value[i] & step.mask[i]) ^ step.flip[i]);
    return store(step.to, value);
  }

  Next run_step(const NftCompare& step) {
    const bool same = load(step.from, step.value.size()) == step.value;
    return {same == step.equal ? Next::Kind::Continue : Next::Kind::Break};
  }

  Next run_step(const NftLookup& step) {
    const NftSet* set = table_.set(step.set);
    if (set == nullptr) return broken("no set " + step.set);
    if ((set->holds == NftSet::Holds::Data) != step.to.has_value() ||
        (set->holds == NftSet::Holds::Verdicts) != step.verdict)
      return broken("set " + step.set + " holds something else");
    const auto found = find(*set, load(step.key, nft_width(set->key, table_.family())));
    if (found.has_value() == step.inverted) return {Next::Kind::Break};
    if (!found) return {};
    if (const auto* verdict = std::get_if<NftVerdict>(&*found)) return next_of(*verdict);
    if (step.to) return store(*step.to, std::get<NftBytes>(*found));
    return {};
  }

  Next run_step(const NftRandom& step) { return store(step.to, number(draws_.draw(step.below))); }

  Next run_step(const NftLearn& step) {
    const NftSet* set = table_.set(step.set);
    if (set == nullptr || !set->learns) return broken("set " + step.set + " does not learn");
    const IpFamily family = table_.family();
    NftLearned learned{.kind = step.kind,
                       .set = step.set,
                       .key = load(step.key, nft_width(set->key, family)),
                       .data = load(step.data, nft_width(set->data, family)),
                       .timeout = step.timeout};
    const auto known = find(*set, learned.key);
    if (step.kind == NftLearn::Kind::Update && known) learned.data = std::get<NftBytes>(*known);
    // What was deleted on the way has left its place to the same client.
    const bool has_place =
        known || !table_.is_full(step.set) || table_.find(step.set, learned.key) != nullptr;
    if (step.kind == NftLearn::Kind::Update && !has_place) return {Next::Kind::Break};
    outcome_.learned.push_back(std::move(learned));
    return {};
  }

  Next run_step(const NftDestinationNat& step) {
    if (!is_nat_) return broken("a translation outside of a nat chain");
    const bool is_v4 = table_.family() == IpFamily::V4;
    std::array<std::uint8_t, 16> bytes{};
    const NftBytes address = load(step.address, is_v4 ? 4 : 16);
    std::memcpy(bytes.data(), address.data(), address.size());
    const NftBytes port = load(step.port, 2);
    packet_.destination = IpAddress::from_bytes(table_.family(), bytes);
    packet_.port = static_cast<std::uint16_t>(static_cast<std::uint8_t>(port[0]) << 8 |
                                              static_cast<std::uint8_t>(port[1]));
    // A kernel notes no translation when the packet went there anyway; here it counts as one.
    translated_ = true;
    outcome_.kind = NftOutcome::Kind::Deliver;
    outcome_.address = packet_.destination;
    outcome_.port = packet_.port;
    return {Next::Kind::Accept};
  }

  Next run_step(const NftMasquerade& /*step*/) {
    if (!is_nat_) return broken("masquerading outside of a nat chain");
    masqueraded_ = true;
    outcome_.masquerade = true;
    return {Next::Kind::Accept};
  }

  Next run_step(const NftReject& /*step*/) {
    if (is_nat_) return broken("rejecting in a nat chain");
    return {Next::Kind::Reject};
  }

  Next run_step(const NftVerdict& step) { return next_of(step); }
  Next run_step(const NftUnknown& step) { return broken("unknown: " + step.name); }

  using Found = std::variant<std::monostate, NftBytes, NftVerdict>;
  std::optional<Found> find(const NftSet& set, const NftBytes& key) const {
    for (auto at = outcome_.learned.rbegin(); at != outcome_.learned.rend(); ++at) {
      if (at->set != set.name || at->key != key) continue;
      if (at->kind == NftLearn::Kind::Delete) return std::nullopt;
      return at->data;
    }
    const NftElement* element = table_.find(set.name, key);
    return element == nullptr ? std::nullopt : std::optional<Found>(element->value);
  }

  Next store(NftRegister to, const NftBytes& value) {
    const std::size_t filled =
        (value.size() + kRegisterBytes - 1) / kRegisterBytes * kRegisterBytes;
    const std::size_t at = to * kRegisterBytes;
    if (at + filled > registers_.size()) return broken("a value beyond the last register");
    std::fill_n(registers_.begin() + at, filled, '\0');
    std::copy(value.begin(), value.end(), registers_.begin() + at);
    return {};
  }

  NftBytes load(NftRegister from, std::size_t size) {
    const std::size_t at = from * kRegisterBytes;
    if (at + size > registers_.size()) {
      broken("a value beyond the last register");
      return NftBytes(size, '\0');
    }
    return {registers_.data() + at, size};
  }

  Next broken(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return {Next::Kind::Drop};
  }

  const NftTable& table_;
  NftPacket packet_;
  Draws& draws_;
  std::array<char, kRegisters * kRegisterBytes> registers_{};
  bool is_nat_ = false;
  bool translated_ = false;
  bool masqueraded_ = false;
  NftOutcome outcome_;
  std::string problem_;
};

bool same_but_probability(const NftOutcome& a, const NftOutcome& b) {
  return a.kind == b.kind && a.address == b.address && a.port == b.port &&
         a.masquerade == b.masquerade && a.mark == b.mark && a.priority == b.priority &&
         a.learned == b.learned;
}

}  // namespace

Result<std::vector<NftOutcome>> nft_trace(const NftTable& table, const NftPacket& packet) {
  std::vector<NftOutcome> outcomes;
  Draws draws;
  do {
    PROXIMA_TRY(NftOutcome outcome, Machine(table, packet, draws).run(), "run rules");
    const auto known = std::find_if(outcomes.begin(), outcomes.end(), [&](const NftOutcome& one) {
      return same_but_probability(one, outcome);
    });
    if (known == outcomes.end())
      outcomes.push_back(std::move(outcome));
    else
      known->probability += outcome.probability;
  } while (draws.next());
  return outcomes;
}

void remember(NftTable& table, const NftOutcome& outcome) {
  for (const NftLearned& learned : outcome.learned) {
    if (learned.kind == NftLearn::Kind::Update)
      table.learn(learned.set, learned.key, learned.data);
    else
      table.forget(learned.set, learned.key);
  }
}

}  // namespace proxima::dataplane
