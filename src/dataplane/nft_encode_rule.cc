// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_encode_rule.h"

#include <string_view>
#include <variant>

#include "dataplane/nft_numbers.h"

namespace proxima::dataplane {
namespace {

// One `nft` expression: its name, and what `put` puts between.
template <class Put>
void expression(NetlinkWriter& out, std::string_view name, Put put) {
  const std::size_t element = out.open_nest(NFTA_LIST_ELEM);
  out.put_text(NFTA_EXPR_NAME, name);
  const std::size_t data = out.open_nest(NFTA_EXPR_DATA);
  put();
  out.close_nest(data);
  out.close_nest(element);
}

struct ExpressionEncoder {
  NetlinkWriter& out;
  IpFamily family;

  void put_register(std::uint16_t type, NftRegister place) const {
    out.put_u32(type, register_number(place));
  }

  void operator()(const NftLoadPayload& load) const {
    expression(out, "payload", [&] {
      put_register(NFTA_PAYLOAD_DREG, load.to);
      out.put_u32(NFTA_PAYLOAD_BASE, number_of(kHeaderNumbers, load.header));
      out.put_u32(NFTA_PAYLOAD_OFFSET, load.offset);
      out.put_u32(NFTA_PAYLOAD_LEN, load.length);
    });
  }

  void operator()(const NftLoadMeta& load) const {
    expression(out, "meta", [&] {
      out.put_u32(NFTA_META_KEY, number_of(kMetaNumbers, load.key));
      put_register(NFTA_META_DREG, load.to);
    });
  }

  void operator()(const NftSetMeta& set) const {
    expression(out, "meta", [&] {
      out.put_u32(NFTA_META_KEY, number_of(kMetaNumbers, set.key));
      put_register(NFTA_META_SREG, set.from);
    });
  }

  void operator()(const NftLoadCt& load) const {
    expression(out, "ct", [&] {
      out.put_u32(NFTA_CT_KEY, number_of(kCtNumbers, load.key));
      put_register(NFTA_CT_DREG, load.to);
    });
  }

  void operator()(const NftLoadAddressType& load) const {
    expression(out, "fib", [&] {
      out.put_u32(NFTA_FIB_FLAGS, number_of(kAddressOfNumbers, load.of));
      out.put_u32(NFTA_FIB_RESULT, NFT_FIB_RESULT_ADDRTYPE);
      put_register(NFTA_FIB_DREG, load.to);
    });
  }

  void operator()(const NftLoadConstant& load) const {
    expression(out, "immediate", [&] {
      put_register(NFTA_IMMEDIATE_DREG, load.to);
      encode_value(out, NFTA_IMMEDIATE_DATA, load.value);
    });
  }

  void operator()(const NftBitwise& bits) const {
    expression(out, "bitwise", [&] {
      put_register(NFTA_BITWISE_SREG, bits.from);
      put_register(NFTA_BITWISE_DREG, bits.to);
      out.put_u32(NFTA_BITWISE_OP, NFT_BITWISE_BOOL);
      out.put_u32(NFTA_BITWISE_LEN, static_cast<std::uint32_t>(bits.mask.size()));
      encode_value(out, NFTA_BITWISE_MASK, bits.mask);
      encode_value(out, NFTA_BITWISE_XOR, bits.flip);
    });
  }

  void operator()(const NftCompare& compare) const {
    expression(out, "cmp", [&] {
      put_register(NFTA_CMP_SREG, compare.from);
      out.put_u32(NFTA_CMP_OP, compare.equal ? NFT_CMP_EQ : NFT_CMP_NEQ);
      encode_value(out, NFTA_CMP_DATA, compare.value);
    });
  }

  void operator()(const NftLookup& lookup) const {
    expression(out, "lookup", [&] {
      out.put_text(NFTA_LOOKUP_SET, lookup.set);
      put_register(NFTA_LOOKUP_SREG, lookup.key);
      if (lookup.to) put_register(NFTA_LOOKUP_DREG, *lookup.to);
      if (lookup.verdict) out.put_u32(NFTA_LOOKUP_DREG, NFT_REG_VERDICT);
      if (lookup.inverted) out.put_u32(NFTA_LOOKUP_FLAGS, NFT_LOOKUP_F_INV);
    });
  }

  void operator()(const NftRandom& random) const {
    expression(out, "numgen", [&] {
      put_register(NFTA_NG_DREG, random.to);
      out.put_u32(NFTA_NG_MODULUS, random.below);
      out.put_u32(NFTA_NG_TYPE, NFT_NG_RANDOM);
      out.put_u32(NFTA_NG_OFFSET, 0);
    });
  }

  void operator()(const NftLearn& learn) const {
    expression(out, "dynset", [&] {
      out.put_text(NFTA_DYNSET_SET_NAME, learn.set);
      out.put_u32(NFTA_DYNSET_OP, number_of(kLearnNumbers, learn.kind));
      put_register(NFTA_DYNSET_SREG_KEY, learn.key);
      put_register(NFTA_DYNSET_SREG_DATA, learn.data);
      const auto timeout = static_cast<std::uint64_t>(learn.timeout.count());
      if (timeout != 0) out.put_u64(NFTA_DYNSET_TIMEOUT, timeout);
    });
  }

  void operator()(const NftDestinationNat& nat) const {
    expression(out, "nat", [&] {
      out.put_u32(NFTA_NAT_TYPE, NFT_NAT_DNAT);
      out.put_u32(NFTA_NAT_FAMILY, family_number(family));
      put_register(NFTA_NAT_REG_ADDR_MIN, nat.address);
      put_register(NFTA_NAT_REG_PROTO_MIN, nat.port);
    });
  }

  void operator()(const NftMasquerade&) const {
    expression(out, "masq", [&] { out.put_u32(NFTA_MASQ_FLAGS, kFullyRandom); });
  }

  void operator()(const NftReject&) const {
    expression(out, "reject", [&] {
      out.put_u32(NFTA_REJECT_TYPE, NFT_REJECT_ICMP_UNREACH);
      const char code = static_cast<char>(unreachable_code(family));
      out.put(NFTA_REJECT_ICMP_CODE, {&code, 1});
    });
  }

  void operator()(const NftVerdict& verdict) const {
    expression(out, "immediate", [&] {
      out.put_u32(NFTA_IMMEDIATE_DREG, NFT_REG_VERDICT);
      encode_verdict(out, NFTA_IMMEDIATE_DATA, verdict);
    });
  }

  void operator()(const NftUnknown&) const { PROXIMA_CHECK(false); }
};

// As `nft` keeps it: type 0, one byte of length, the text with a zero at its end.
std::string comment_bytes(std::string_view comment) {
  comment = comment.substr(0, kMaxComment);
  std::string bytes = {'\0', static_cast<char>(comment.size() + 1)};
  return bytes.append(comment).append(1, '\0');
}

}  // namespace

void encode_value(NetlinkWriter& out, std::uint16_t type, std::string_view value) {
  const std::size_t nest = out.open_nest(type);
  out.put(NFTA_DATA_VALUE, value);
  out.close_nest(nest);
}

void encode_verdict(NetlinkWriter& out, std::uint16_t type, const NftVerdict& verdict) {
  const std::size_t nest = out.open_nest(type);
  const std::size_t inner = out.open_nest(NFTA_DATA_VERDICT);
  out.put_u32(NFTA_VERDICT_CODE, number_of(kVerdictNumbers, verdict.kind));
  if (!verdict.chain.empty()) out.put_text(NFTA_VERDICT_CHAIN, verdict.chain);
  out.close_nest(inner);
  out.close_nest(nest);
}

void encode_rule(NetlinkWriter& out, IpFamily family, const NftRule& rule) {
  const std::size_t nest = out.open_nest(NFTA_RULE_EXPRESSIONS);
  for (const NftExpression& step : rule.steps) {
    std::visit(ExpressionEncoder{.out = out, .family = family}, step);
  }
  out.close_nest(nest);
  if (!rule.comment.empty()) out.put(NFTA_RULE_USERDATA, comment_bytes(rule.comment));
}

}  // namespace proxima::dataplane
