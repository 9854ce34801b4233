// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_rule_writer.h"

#include <array>

#include "proxy/nft_layout.h"

namespace proxima::proxy {
namespace {

using dataplane::NftBytes;
using dataplane::NftVerdict;

constexpr std::size_t kInterfaceNameBytes = 16;
constexpr std::uint32_t kStateNew = 8;          // NF_CT_STATE_BIT(IP_CT_NEW)
constexpr std::uint32_t kTranslated = 1U << 5;  // IPS_DST_NAT
constexpr std::uint32_t kLocal = 2;             // RTN_LOCAL

NftBytes mask_of(const IpPrefix& range) {
  NftBytes mask(range.family() == IpFamily::V4 ? 4 : 16, '\0');
  for (std::size_t bit = 0; bit < range.length(); ++bit)
    mask[bit / 8] = static_cast<char>(mask[bit / 8] | 0x80 >> bit % 8);
  return mask;
}

}  // namespace

NftRuleWriter::Register NftRuleWriter::load_address(PacketEnd end, Register to) {
  const bool is_v4 = family_ == IpFamily::V4;
  const bool is_source = end == PacketEnd::Source;
  const std::uint32_t length = is_v4 ? 4 : 16;
  const std::uint32_t first = is_v4 ? 12 : 8;
  add(dataplane::NftLoadPayload{.header = dataplane::NftHeader::Network,
                                .offset = is_source ? first : first + length,
                                .length = length,
                                .to = to});
  return static_cast<Register>(to + address_width());
}

NftRuleWriter::Register NftRuleWriter::load_node_port(Register to) {
  add(dataplane::NftLoadMeta{.key = dataplane::NftMetaKey::Protocol, .to = to});
  add(dataplane::NftLoadPayload{.header = dataplane::NftHeader::Transport,
                                .offset = 2,
                                .length = 2,
                                .to = static_cast<Register>(to + 1)});
  return static_cast<Register>(to + 2);
}

NftRuleWriter::Register NftRuleWriter::load_service(Register to) {
  return load_node_port(load_address(PacketEnd::Destination, to));
}

NftRuleWriter::Register NftRuleWriter::load_priority(Register to) {
  add(dataplane::NftLoadMeta{.key = dataplane::NftMetaKey::Priority, .to = to});
  return static_cast<Register>(to + 1);
}

void NftRuleWriter::keep(Register of, std::uint32_t mask, std::uint32_t flip) {
  add(dataplane::NftBitwise{
      .from = of, .to = of, .mask = nft_number(mask), .flip = nft_number(flip)});
}

NftRuleWriter& NftRuleWriter::new_connection() {
  add(dataplane::NftLoadCt{.key = dataplane::NftCtKey::State, .to = 0});
  keep(0, kStateNew);
  return add(dataplane::NftCompare{.from = 0, .equal = false, .value = nft_number(0)});
}

NftRuleWriter& NftRuleWriter::translated() {
  add(dataplane::NftLoadCt{.key = dataplane::NftCtKey::Status, .to = 0});
  keep(0, kTranslated);
  return add(dataplane::NftCompare{.from = 0, .equal = false, .value = nft_number(0)});
}

NftRuleWriter& NftRuleWriter::range_steps(PacketEnd end, const IpPrefix& range, bool inside) {
  load_address(end, 0);
  const NftBytes mask = mask_of(range);
  if (mask != NftBytes(mask.size(), '\xff'))
    add(dataplane::NftBitwise{
        .from = 0, .to = 0, .mask = mask, .flip = NftBytes(mask.size(), '\0')});
  return add(dataplane::NftCompare{.from = 0, .equal = inside, .value = nft_bytes(range.first())});
}

NftRuleWriter& NftRuleWriter::in_range(PacketEnd end, const IpPrefix& range) {
  return range_steps(end, range, true);
}

NftRuleWriter& NftRuleWriter::outside_range(PacketEnd end, const IpPrefix& range) {
  return range_steps(end, range, false);
}

NftRuleWriter& NftRuleWriter::is_local(PacketEnd end) {
  using Type = dataplane::NftLoadAddressType;
  add(Type{.of = end == PacketEnd::Source ? Type::Of::Source : Type::Of::Destination, .to = 0});
  return add(dataplane::NftCompare{.from = 0, .value = nft_number(kLocal)});
}

NftRuleWriter& NftRuleWriter::found_in(std::string_view set) {
  return add(dataplane::NftLookup{.set = std::string(set), .key = 0, .to = {}});
}

NftRuleWriter& NftRuleWriter::destination_in(std::string_view set) {
  load_address(PacketEnd::Destination, 0);
  return found_in(set);
}

NftRuleWriter& NftRuleWriter::service_and_source_in(std::string_view set) {
  load_address(PacketEnd::Source, load_service(0));
  return found_in(set);
}

NftRuleWriter& NftRuleWriter::connection_in(std::string_view set) {
  load_address(PacketEnd::Destination, load_node_port(load_address(PacketEnd::Source, 0)));
  return found_in(set);
}

NftRuleWriter& NftRuleWriter::interface_is(std::string_view name) {
  NftBytes whole(name);
  whole.resize(kInterfaceNameBytes, '\0');
  return interface_begins(whole);
}

NftRuleWriter& NftRuleWriter::interface_begins(std::string_view prefix) {
  add(dataplane::NftLoadMeta{.key = dataplane::NftMetaKey::InputName, .to = 0});
  return add(dataplane::NftCompare{.from = 0, .value = NftBytes(prefix)});
}

NftRuleWriter& NftRuleWriter::mark_has(std::uint32_t bits) {
  add(dataplane::NftLoadMeta{.key = dataplane::NftMetaKey::Mark, .to = 0});
  keep(0, bits);
  return add(dataplane::NftCompare{.from = 0, .value = nft_number(bits)});
}

NftRuleWriter& NftRuleWriter::priority_is(std::uint32_t mask, std::uint32_t value) {
  load_priority(0);
  keep(0, mask);
  return add(dataplane::NftCompare{.from = 0, .value = nft_number(value)});
}

void NftRuleWriter::look_up(std::string_view map) {
  add(dataplane::NftLookup{.set = std::string(map), .key = 0, .to = Register{0}});
}

NftRuleWriter& NftRuleWriter::priority_from(std::string_view map) {
  look_up(map);
  return add(dataplane::NftSetMeta{.key = dataplane::NftMetaKey::Priority, .from = 0});
}

NftRuleWriter& NftRuleWriter::priority_of_service(std::string_view map) {
  load_service(0);
  return priority_from(map);
}

NftRuleWriter& NftRuleWriter::priority_of_node_port(std::string_view map) {
  load_node_port(0);
  return priority_from(map);
}

NftRuleWriter& NftRuleWriter::priority_of_client(std::string_view map) {
  load_address(PacketEnd::Source, 0);
  return priority_from(map);
}

NftRuleWriter& NftRuleWriter::priority_of_slot(std::string_view map, std::uint32_t slots) {
  add(dataplane::NftRandom{.below = slots, .to = load_priority(0)});
  return priority_from(map);
}

NftRuleWriter& NftRuleWriter::keep_of_priority(std::uint32_t mask) {
  load_priority(0);
  keep(0, mask);
  return add(dataplane::NftSetMeta{.key = dataplane::NftMetaKey::Priority, .from = 0});
}

NftRuleWriter& NftRuleWriter::clear_priority() {
  add(dataplane::NftLoadConstant{.to = 0, .value = nft_number(0)});
  return add(dataplane::NftSetMeta{.key = dataplane::NftMetaKey::Priority, .from = 0});
}

NftRuleWriter& NftRuleWriter::set_mark(std::uint32_t bits) {
  add(dataplane::NftLoadMeta{.key = dataplane::NftMetaKey::Mark, .to = 0});
  keep(0, ~bits, bits);
  return add(dataplane::NftSetMeta{.key = dataplane::NftMetaKey::Mark, .from = 0});
}

NftRuleWriter& NftRuleWriter::clear_mark(std::uint32_t bits) {
  add(dataplane::NftLoadMeta{.key = dataplane::NftMetaKey::Mark, .to = 0});
  keep(0, ~bits);
  return add(dataplane::NftSetMeta{.key = dataplane::NftMetaKey::Mark, .from = 0});
}

NftRuleWriter& NftRuleWriter::go_by_priority(std::string_view map, std::uint32_t mask) {
  load_priority(0);
  keep(0, mask);
  return add(dataplane::NftLookup{.set = std::string(map), .key = 0, .to = {}, .verdict = true});
}

// The data stand behind the key.
void NftRuleWriter::load_client() { load_priority(load_address(PacketEnd::Source, 0)); }

NftRuleWriter& NftRuleWriter::learn_client(std::string_view map, std::chrono::seconds timeout) {
  load_client();
  return add(dataplane::NftLearn{.kind = dataplane::NftLearn::Kind::Update,
                                 .set = std::string(map),
                                 .key = 0,
                                 .data = address_width(),
                                 .timeout = timeout});
}

NftRuleWriter& NftRuleWriter::forget_client(std::string_view map) {
  load_client();
  return add(dataplane::NftLearn{.kind = dataplane::NftLearn::Kind::Delete,
                                 .set = std::string(map),
                                 .key = 0,
                                 .data = address_width()});
}

NftRuleWriter& NftRuleWriter::translate_by_slot(std::string_view map, std::uint32_t slots) {
  add(dataplane::NftRandom{.below = slots, .to = load_priority(0)});
  look_up(map);
  return add(dataplane::NftDestinationNat{.address = 0, .port = address_width()});
}

NftRuleWriter& NftRuleWriter::translate_by_priority(std::string_view map) {
  load_priority(0);
  look_up(map);
  return add(dataplane::NftDestinationNat{.address = 0, .port = address_width()});
}

NftRuleWriter& NftRuleWriter::masquerade() { return add(dataplane::NftMasquerade{}); }
NftRuleWriter& NftRuleWriter::reject() { return add(dataplane::NftReject{}); }
NftRuleWriter& NftRuleWriter::drop() {
  return add(NftVerdict{.kind = NftVerdict::Kind::Drop, .chain = {}});
}
NftRuleWriter& NftRuleWriter::give_back() {
  return add(NftVerdict{.kind = NftVerdict::Kind::Return, .chain = {}});
}
NftRuleWriter& NftRuleWriter::jump(std::string_view chain) {
  return add(NftVerdict{.kind = NftVerdict::Kind::Jump, .chain = std::string(chain)});
}
NftRuleWriter& NftRuleWriter::go(std::string_view chain) {
  return add(NftVerdict{.kind = NftVerdict::Kind::Goto, .chain = std::string(chain)});
}

}  // namespace proxima::proxy
