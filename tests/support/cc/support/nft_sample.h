// SPDX-License-Identifier: Apache-2.0
// A table with every expression, every kind of set and every kind of element of the model, shaped
// as the node proxy uses them.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/ip_address.h"
#include "dataplane/nft_model.h"

namespace proxima::test {

using dataplane::NftBytes;
using dataplane::NftElement;
using dataplane::NftRegister;
using dataplane::NftRule;
using dataplane::NftType;
using dataplane::NftVerdict;

inline NftBytes host_u32(std::uint32_t value) {
  NftBytes bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

inline NftBytes address_bytes(std::string_view text) {
  const IpAddress address = IpAddress::parse(text).value();
  NftBytes bytes;
  const std::size_t length = address.family() == IpFamily::V4 ? 4 : 16;
  for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(address.bytes()[i]);
  return bytes;
}

inline NftBytes protocol_bytes(int number) { return {static_cast<char>(number), 0, 0, 0}; }

inline NftBytes port_bytes(int port) {
  return {static_cast<char>(port >> 8 & 0xff), static_cast<char>(port & 0xff), 0, 0};
}

// The same world in both families: addresses differ, and where they end in registers.
struct NftSample {
  IpFamily family = IpFamily::V4;

  bool v4() const { return family == IpFamily::V4; }
  NftRegister behind_address() const { return v4() ? 1 : 4; }
  NftBytes address(int last) const {
    return address_bytes((v4() ? "10.96.0." : "fd00:96::") + std::to_string(last));
  }
  NftBytes frontend(int last, int port) const {
    return address(last) + protocol_bytes(6) + port_bytes(port);
  }

  dataplane::NftLoadPayload load_source(NftRegister to) const {
    return {.offset = v4() ? 12U : 8U, .length = v4() ? 4U : 16U, .to = to};
  }
  dataplane::NftLoadPayload load_destination(NftRegister to) const {
    return {.offset = v4() ? 16U : 24U, .length = v4() ? 4U : 16U, .to = to};
  }
  static dataplane::NftLoadMeta load_priority(NftRegister to) {
    return {.key = dataplane::NftMetaKey::Priority, .to = to};
  }
  static dataplane::NftLoadPayload load_port(NftRegister to) {
    return {.header = dataplane::NftHeader::Transport, .offset = 2, .length = 2, .to = to};
  }
  static dataplane::NftBitwise mask(NftRegister at, std::uint32_t bits, std::uint32_t flip = 0) {
    return {.from = at, .to = at, .mask = host_u32(bits), .flip = host_u32(flip)};
  }

  dataplane::NftTransaction transaction() const;

 private:
  void add_sets(dataplane::NftTransaction& to) const;
  void add_chains(dataplane::NftTransaction& to) const;
  void add_rules(dataplane::NftTransaction& to) const;
  void add_elements(dataplane::NftTransaction& to) const;
};

inline void NftSample::add_sets(dataplane::NftTransaction& to) const {
  using dataplane::NftSet;
  using enum dataplane::NftType;
  using enum NftSet::Holds;
  const std::vector<NftSet> sets = {
      {.name = "affinity",
       .key = {Address, Priority},
       .holds = Data,
       .data = {Priority},
       .learns = true,
       .size_limit = 65536},
      {.name = "allowed", .key = {Address, Protocol, Port, Address}, .intervals = true},
      {.name = "backends", .key = {Priority}, .holds = Data, .data = {Address, Port}},
      {.name = "cluster-ips", .key = {Address}},
      {.name = "from-pod", .key = {Address, Protocol, Port}, .holds = Data, .data = {Priority}},
      {.name = "node-ports", .key = {Protocol, Port}, .holds = Data, .data = {Priority}},
      {.name = "sizes", .key = {Priority}, .holds = Verdicts},
      {.name = "slots", .key = {Priority, Random}, .holds = Data, .data = {Address, Port}},
      {.name = "sticky-slots", .key = {Priority, Random}, .holds = Data, .data = {Priority}},
  };
  for (const NftSet& set : sets) to.operations.emplace_back(dataplane::NftAddSet{set});
}

inline void NftSample::add_chains(dataplane::NftTransaction& to) const {
  using dataplane::NftHook;
  using enum NftHook::Type;
  using enum NftHook::Where;
  const std::vector<dataplane::NftAddChain> chains = {
      {"after", NftHook{.type = Nat, .where = Postrouting, .priority = 100}},
      {"before", NftHook{.type = Filter, .where = Prerouting, .priority = -110}},
      {"far", NftHook{.type = Filter, .where = Forward, .priority = 0}},
      {"in", NftHook{.type = Filter, .where = Input, .priority = -1}},
      {"local", NftHook{.type = Nat, .where = Output, .priority = -100}},
      {"pick-3", {}},
      {"stick", {}},
  };
  for (const auto& chain : chains) to.operations.emplace_back(chain);
}

inline void NftSample::add_rules(dataplane::NftTransaction& to) const {
  using namespace dataplane;  // NOLINT: a test reads better without
  const NftRegister next = behind_address();
  const auto second = static_cast<NftRegister>(next + 1);
  const auto rule = [&](const char* chain, std::vector<NftExpression> steps,
                        const char* comment = "") {
    to.operations.emplace_back(NftAddRule{chain, {.steps = std::move(steps), .comment = comment}});
  };
  rule("after",
       {NftLoadMeta{NftMetaKey::Mark, 0}, mask(0, 0x4000), NftCompare{0, true, host_u32(0x4000)},
        NftLoadMeta{NftMetaKey::Mark, 0}, mask(0, 0xffffffff, 0x4000),
        NftSetMeta{NftMetaKey::Mark, 0}, NftLoadConstant{0, host_u32(0)},
        NftSetMeta{NftMetaKey::Priority, 0}, NftMasquerade{}},
       "marked for masquerading");
  rule("before", {NftLoadCt{NftCtKey::State, 0}, mask(0, 8), NftCompare{0, false, host_u32(0)},
                  load_destination(0), NftLookup{.set = "cluster-ips", .key = 0}, NftReject{}});
  rule("before", {NftLoadAddressType{NftLoadAddressType::Of::Destination, 0},
                  NftCompare{0, true, host_u32(2)}, NftLoadMeta{NftMetaKey::Protocol, 0},
                  load_port(1), NftLookup{.set = "node-ports", .key = 0, .to = 0},
                  NftSetMeta{NftMetaKey::Priority, 0}, NftVerdict{NftVerdict::Kind::Accept, {}}});
  rule("far", {load_destination(0), NftLoadMeta{NftMetaKey::Protocol, next}, load_port(second),
               load_source(static_cast<NftRegister>(next + 2)),
               NftLookup{.set = "allowed", .key = 0, .inverted = true},
               NftVerdict{NftVerdict::Kind::Drop, {}}});
  rule("in", {NftLoadCt{NftCtKey::Status, 0}, mask(0, 0x20), NftCompare{0, false, host_u32(0)},
              NftLoadAddressType{NftLoadAddressType::Of::Source, 0},
              NftCompare{0, true, host_u32(2)}, NftVerdict{NftVerdict::Kind::Return, {}}});
  rule("in", {NftLoadMeta{NftMetaKey::InputName, 0}, NftCompare{0, true, "cni"},
              NftVerdict{NftVerdict::Kind::Accept, {}}});
  rule("local", {load_destination(0), NftLoadMeta{NftMetaKey::Protocol, next}, load_port(second),
                 NftLookup{.set = "from-pod", .key = 0, .to = 0},
                 NftSetMeta{NftMetaKey::Priority, 0}, NftVerdict{NftVerdict::Kind::Goto, "stick"}});
  rule("local",
       {load_priority(0), mask(0, 0xff), NftLookup{.set = "sizes", .key = 0, .verdict = true}});
  rule("pick-3", {load_priority(0), NftRandom{.below = 3, .to = 1},
                  NftLookup{.set = "slots", .key = 0, .to = 0},
                  NftDestinationNat{.address = 0, .port = next}});
  rule("stick", {load_source(0), load_priority(next), mask(next, 0xffffe000), load_priority(8),
                 NftLearn{NftLearn::Kind::Update, "affinity", 0, 8, std::chrono::seconds(10800)}});
  rule("stick", {load_source(0), load_priority(next), mask(next, 0xffffe000), load_priority(8),
                 NftLearn{NftLearn::Kind::Delete, "affinity", 0, 8, {}}});
}

inline void NftSample::add_elements(dataplane::NftTransaction& to) const {
  const auto add = [&](const char* set, std::vector<NftElement> elements) {
    to.operations.emplace_back(dataplane::NftAddElements{set, std::move(elements)});
  };
  const NftBytes ends_before = frontend(1, 80);
  add("allowed", {{ends_before + address_bytes(v4() ? "10.0.0.0" : "fd00::"),
                   ends_before + address_bytes(v4() ? "10.255.255.255" : "fd00::ffff"),
                   {}},
                  {ends_before + address_bytes(v4() ? "192.168.0.1" : "fd01::1"),
                   ends_before + address_bytes(v4() ? "192.168.0.1" : "fd01::1"),
                   {}}});
  add("backends", {{host_u32(0x12001), {}, address(7) + port_bytes(8080)}});
  add("cluster-ips", {{address(1), {}, {}}, {address(2), {}, {}}});
  add("from-pod",
      {{frontend(1, 80), {}, host_u32(0x10003)}, {frontend(2, 443), {}, host_u32(0x12203)}});
  add("node-ports", {{protocol_bytes(17) + port_bytes(30053), {}, host_u32(0x10103)}});
  add("sizes", {{host_u32(3), {}, NftVerdict{NftVerdict::Kind::Goto, "pick-3"}},
                {host_u32(4), {}, NftVerdict{NftVerdict::Kind::Drop, {}}}});
  add("slots", {{host_u32(0x10003) + host_u32(0), {}, address(7) + port_bytes(8080)},
                {host_u32(0x10003) + host_u32(1), {}, address(8) + port_bytes(8080)}});
  add("sticky-slots", {{host_u32(0x12203) + host_u32(0), {}, host_u32(0x12001)}});
}

inline dataplane::NftTransaction NftSample::transaction() const {
  dataplane::NftTransaction made{.family = family, .table = "sample"};
  made.operations.emplace_back(dataplane::NftAddTable{});
  add_sets(made);
  add_chains(made);
  add_rules(made);
  add_elements(made);
  return made;
}

}  // namespace proxima::test
