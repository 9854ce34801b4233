// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_frontend.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

using dataplane::NftBytes;
using dataplane::NftElement;

bool delivers(const Handling& handling) {
  return handling.action == Action::Cluster || handling.action == Action::Local;
}

IpAddress last_of(const IpPrefix& range) {
  auto bytes = range.first().bytes();
  const std::size_t bits = range.family() == IpFamily::V4 ? 32 : 128;
  for (std::size_t bit = range.length(); bit < bits; ++bit)
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | 0x80 >> bit % 8);
  return IpAddress::from_bytes(range.family(), bytes);
}

// A kernel refuses intervals that overlap; ranges do so only when one is within another.
std::vector<IpPrefix> without_overlaps(const SharedList<IpPrefix>& list, IpFamily family) {
  std::vector<IpPrefix> ranges(list.begin(), list.end());
  std::sort(ranges.begin(), ranges.end());
  std::vector<IpPrefix> kept;
  for (const IpPrefix& range : ranges) {
    if (range.family() != family) continue;
    const bool within = !kept.empty() && kept.back().contains(range.first());
    if (!within) kept.push_back(range);
  }
  return kept;
}

NftElement datum(NftBytes key, std::uint32_t value) {
  return {.key = std::move(key), .key_end = {}, .value = nft_number(value)};
}

void add_allowed(const NftFrontendInput& input, const NftBytes& key,
                 std::vector<NftSetElement>& elements) {
  for (const IpPrefix& range : without_overlaps(input.routes.allowed_sources, input.family))
    elements.push_back({nft_set::kAllowedSources,
                        {.key = key + nft_bytes(range.first()),
                         .key_end = key + nft_bytes(last_of(range)),
                         .value = {}}});
}

}  // namespace

std::vector<NftSetElement> nft_frontend_elements(const NftFrontendInput& input) {
  std::vector<NftSetElement> elements;
  const Frontend& at = input.route.at;
  const bool has_address = at.scope == Frontend::Scope::Address;
  if (has_address && at.address.family() != input.family) return elements;
  const NftBytes key = nft_key(at);
  std::uint32_t refused = 0;
  for (std::uint32_t source = 0; source < kSources; ++source) {
    const Handling& handling = input.route.by_source[source];
    PoolValue value;
    if (input.port != nullptr) value = input.port->value(handling.action == Action::Local);
    if (delivers(handling) && value.size_code != 0) {
      value.masquerade = handling.masquerade;
      const auto& sets = has_address ? nft_set::kFrom : nft_set::kNodePortsFrom;
      elements.push_back({sets[source], datum(key, packed(value))});
    } else {
      refused |= (handling.action == Action::Drop ? kDropBit : kRejectBit) << 2 * source;
    }
  }
  const bool filtered = input.route.filtered && has_address;
  if (filtered) refused |= kFirewallBit;
  if (refused != 0)
    elements.push_back(
        {has_address ? nft_set::kRefused : nft_set::kRefusedNodePorts, datum(key, refused)});
  if (filtered) add_allowed(input, key, elements);
  return elements;
}

}  // namespace proxima::proxy
