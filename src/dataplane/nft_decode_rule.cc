// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_decode_rule.h"

#include <array>
#include <string>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_numbers.h"

namespace proxima::dataplane {
namespace {

using Decoded = std::optional<NftExpression>;

// Kernels set these by themselves when address and port are given.
constexpr std::uint32_t kAddressAndPortGiven = 3;

std::optional<NftRegister> find_register(std::string_view attributes, std::uint16_t type) {
  const auto number = find_u32(attributes, type);
  return number ? register_of(*number) : std::nullopt;
}

std::optional<NftBytes> find_value(std::string_view attributes, std::uint16_t type) {
  const auto data = find_bytes(attributes, type);
  return data ? decode_value(*data) : std::nullopt;
}

// Absent and zero are the same.
std::uint32_t find_flags(std::string_view attributes, std::uint16_t type) {
  return find_u32(attributes, type).value_or(0);
}

Decoded decode_payload(std::string_view attributes, IpFamily) {
  const auto to = find_register(attributes, NFTA_PAYLOAD_DREG);
  const auto base = find_u32(attributes, NFTA_PAYLOAD_BASE);
  const auto offset = find_u32(attributes, NFTA_PAYLOAD_OFFSET);
  const auto length = find_u32(attributes, NFTA_PAYLOAD_LEN);
  if (!to || !base || !offset || !length) return std::nullopt;
  const auto header = word_of(kHeaderNumbers, *base);
  if (!header) return std::nullopt;
  return NftLoadPayload{.header = *header, .offset = *offset, .length = *length, .to = *to};
}

Decoded decode_meta(std::string_view attributes, IpFamily) {
  const auto number = find_u32(attributes, NFTA_META_KEY);
  const auto key = number ? word_of(kMetaNumbers, *number) : std::nullopt;
  if (!key) return std::nullopt;
  if (const auto to = find_register(attributes, NFTA_META_DREG)) return NftLoadMeta{*key, *to};
  if (const auto from = find_register(attributes, NFTA_META_SREG)) return NftSetMeta{*key, *from};
  return std::nullopt;
}

Decoded decode_ct(std::string_view attributes, IpFamily) {
  const auto number = find_u32(attributes, NFTA_CT_KEY);
  const auto key = number ? word_of(kCtNumbers, *number) : std::nullopt;
  const auto to = find_register(attributes, NFTA_CT_DREG);
  if (!key || !to || find_bytes(attributes, NFTA_CT_DIRECTION)) return std::nullopt;
  return NftLoadCt{*key, *to};
}

Decoded decode_fib(std::string_view attributes, IpFamily) {
  const auto of = word_of(kAddressOfNumbers, find_flags(attributes, NFTA_FIB_FLAGS));
  const auto to = find_register(attributes, NFTA_FIB_DREG);
  if (!of || !to) return std::nullopt;
  if (find_u32(attributes, NFTA_FIB_RESULT) != NFT_FIB_RESULT_ADDRTYPE) return std::nullopt;
  return NftLoadAddressType{*of, *to};
}

Decoded decode_immediate(std::string_view attributes, IpFamily) {
  const auto number = find_u32(attributes, NFTA_IMMEDIATE_DREG);
  const auto data = find_bytes(attributes, NFTA_IMMEDIATE_DATA);
  if (!number || !data) return std::nullopt;
  if (*number == NFT_REG_VERDICT) {
    const auto verdict = decode_verdict(*data);
    return verdict ? Decoded(*verdict) : std::nullopt;
  }
  const auto to = register_of(*number);
  auto value = decode_value(*data);
  if (!to || !value) return std::nullopt;
  return NftLoadConstant{*to, *std::move(value)};
}

Decoded decode_bitwise(std::string_view attributes, IpFamily) {
  const auto from = find_register(attributes, NFTA_BITWISE_SREG);
  const auto to = find_register(attributes, NFTA_BITWISE_DREG);
  const auto mask = find_value(attributes, NFTA_BITWISE_MASK);
  const auto flip = find_value(attributes, NFTA_BITWISE_XOR);
  if (!from || !to || !mask || !flip) return std::nullopt;
  if (find_flags(attributes, NFTA_BITWISE_OP) != NFT_BITWISE_BOOL) return std::nullopt;
  return NftBitwise{*from, *to, *mask, *flip};
}

Decoded decode_compare(std::string_view attributes, IpFamily) {
  const auto from = find_register(attributes, NFTA_CMP_SREG);
  const auto how = find_u32(attributes, NFTA_CMP_OP);
  auto value = find_value(attributes, NFTA_CMP_DATA);
  const bool equal = how == NFT_CMP_EQ;
  const bool unequal = how == NFT_CMP_NEQ;
  if (!from || !value || !(equal || unequal)) return std::nullopt;
  return NftCompare{*from, equal, *std::move(value)};
}

Decoded decode_lookup(std::string_view attributes, IpFamily) {
  const auto key = find_register(attributes, NFTA_LOOKUP_SREG);
  if (!key) return std::nullopt;
  NftLookup lookup{.set = std::string(find_text(attributes, NFTA_LOOKUP_SET)), .key = *key};
  lookup.inverted = find_flags(attributes, NFTA_LOOKUP_FLAGS) == NFT_LOOKUP_F_INV;
  if (const auto to = find_u32(attributes, NFTA_LOOKUP_DREG)) {
    lookup.verdict = *to == NFT_REG_VERDICT;
    lookup.to = register_of(*to);
  }
  return lookup;
}

Decoded decode_numgen(std::string_view attributes, IpFamily) {
  const auto to = find_register(attributes, NFTA_NG_DREG);
  const auto below = find_u32(attributes, NFTA_NG_MODULUS);
  if (!to || !below || find_flags(attributes, NFTA_NG_OFFSET) != 0) return std::nullopt;
  if (find_u32(attributes, NFTA_NG_TYPE) != NFT_NG_RANDOM) return std::nullopt;
  return NftRandom{*below, *to};
}

Decoded decode_dynset(std::string_view attributes, IpFamily) {
  const auto number = find_u32(attributes, NFTA_DYNSET_OP);
  const auto kind = number ? word_of(kLearnNumbers, *number) : std::nullopt;
  const auto key = find_register(attributes, NFTA_DYNSET_SREG_KEY);
  const auto data = find_register(attributes, NFTA_DYNSET_SREG_DATA);
  const bool more = find_bytes(attributes, NFTA_DYNSET_EXPR) ||
                    find_bytes(attributes, NFTA_DYNSET_EXPRESSIONS) ||
                    find_flags(attributes, NFTA_DYNSET_FLAGS) != 0;
  if (!kind || !key || !data || more) return std::nullopt;
  const auto timeout = find_u64(attributes, NFTA_DYNSET_TIMEOUT).value_or(0);
  return NftLearn{.kind = *kind,
                  .set = std::string(find_text(attributes, NFTA_DYNSET_SET_NAME)),
                  .key = *key,
                  .data = *data,
                  .timeout = std::chrono::milliseconds(timeout)};
}

// A range of one is what kernels make of a single register.
std::optional<NftRegister> single_register(std::string_view attributes, std::uint16_t least,
                                           std::uint16_t most) {
  const auto place = find_register(attributes, least);
  const bool range = find_register(attributes, most).value_or(place.value_or(0)) != place;
  return range ? std::nullopt : place;
}

Decoded decode_nat(std::string_view attributes, IpFamily family) {
  const auto address = single_register(attributes, NFTA_NAT_REG_ADDR_MIN, NFTA_NAT_REG_ADDR_MAX);
  const auto port = single_register(attributes, NFTA_NAT_REG_PROTO_MIN, NFTA_NAT_REG_PROTO_MAX);
  const bool ours = find_u32(attributes, NFTA_NAT_TYPE) == NFT_NAT_DNAT &&
                    find_u32(attributes, NFTA_NAT_FAMILY) == family_number(family) &&
                    (find_flags(attributes, NFTA_NAT_FLAGS) & ~kAddressAndPortGiven) == 0;
  if (!address || !port || !ours) return std::nullopt;
  return NftDestinationNat{*address, *port};
}

Decoded decode_masquerade(std::string_view attributes, IpFamily) {
  if (find_flags(attributes, NFTA_MASQ_FLAGS) != kFullyRandom) return std::nullopt;
  if (find_bytes(attributes, NFTA_MASQ_REG_PROTO_MIN)) return std::nullopt;
  return NftMasquerade{};
}

Decoded decode_reject(std::string_view attributes, IpFamily family) {
  const char code = static_cast<char>(unreachable_code(family));
  if (find_u32(attributes, NFTA_REJECT_TYPE) != NFT_REJECT_ICMP_UNREACH) return std::nullopt;
  if (find_bytes(attributes, NFTA_REJECT_ICMP_CODE) != std::string_view(&code, 1)) {
    return std::nullopt;
  }
  return NftReject{};
}

struct ExpressionRow {
  std::string_view name;
  Decoded (*decode)(std::string_view attributes, IpFamily family);
};

constexpr std::array kExpressions = {
    ExpressionRow{"payload", decode_payload}, ExpressionRow{"meta", decode_meta},
    ExpressionRow{"ct", decode_ct},           ExpressionRow{"fib", decode_fib},
    ExpressionRow{"bitwise", decode_bitwise}, ExpressionRow{"immediate", decode_immediate},
    ExpressionRow{"cmp", decode_compare},     ExpressionRow{"lookup", decode_lookup},
    ExpressionRow{"numgen", decode_numgen},   ExpressionRow{"dynset", decode_dynset},
    ExpressionRow{"nat", decode_nat},         ExpressionRow{"masq", decode_masquerade},
    ExpressionRow{"reject", decode_reject},
};

NftExpression decode_expression(std::string_view attributes, IpFamily family) {
  const std::string_view name = find_text(attributes, NFTA_EXPR_NAME);
  const std::string_view data = find_bytes(attributes, NFTA_EXPR_DATA).value_or("");
  for (const ExpressionRow& row : kExpressions) {
    if (row.name != name) continue;
    if (Decoded decoded = row.decode(data, family)) return *std::move(decoded);
  }
  return NftUnknown{.name = std::string(name)};
}

// Type 0, one byte of length, the text with a zero at its end.
std::string decode_comment(std::string_view userdata) {
  if (userdata.size() < 2 || userdata[0] != '\0') return {};
  const std::string_view text = userdata.substr(2, static_cast<unsigned char>(userdata[1]));
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

std::optional<NftBytes> decode_value(std::string_view data) {
  const auto value = find_bytes(data, NFTA_DATA_VALUE);
  return value ? std::optional<NftBytes>(*value) : std::nullopt;
}

std::optional<NftVerdict> decode_verdict(std::string_view data) {
  const auto nest = find_bytes(data, NFTA_DATA_VERDICT);
  const auto number = nest ? find_u32(*nest, NFTA_VERDICT_CODE) : std::nullopt;
  const auto kind = number ? word_of(kVerdictNumbers, *number) : std::nullopt;
  if (!kind) return std::nullopt;
  return NftVerdict{.kind = *kind, .chain = std::string(find_text(*nest, NFTA_VERDICT_CHAIN))};
}

NftRule decode_rule(std::string_view attributes, IpFamily family) {
  NftRule rule;
  std::string_view steps = find_bytes(attributes, NFTA_RULE_EXPRESSIONS).value_or("");
  while (const auto step = next_attribute(steps)) {
    rule.steps.push_back(decode_expression(step->bytes, family));
  }
  rule.comment = decode_comment(find_bytes(attributes, NFTA_RULE_USERDATA).value_or(""));
  return rule;
}

}  // namespace proxima::dataplane
