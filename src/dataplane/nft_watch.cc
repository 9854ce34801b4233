// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_watch.h"

#include <linux/netfilter/nfnetlink.h>

#include <utility>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_numbers.h"

namespace proxima::dataplane {
namespace {

// Every kind of thing has its table's name at the same number.
static_assert(NFTA_TABLE_NAME == 1 && NFTA_CHAIN_TABLE == 1 && NFTA_RULE_TABLE == 1);
static_assert(NFTA_SET_TABLE == 1 && NFTA_SET_ELEM_LIST_TABLE == 1 && NFTA_OBJ_TABLE == 1);

// A table that changes faster than its news is read is not untouched.
constexpr int kMostPieces = 1 << 16;

}  // namespace

Result<NftWatch> NftWatch::begin(NetlinkSocket& socket, IpFamily family, std::string_view table) {
  socket.drain();
  PROXIMA_TRY(const Unit joined, socket.join(NFNLGRP_NFTABLES), "watch nftables");
  static_cast<void>(joined);
  return NftWatch(socket, family, table);
}

NftWatch::NftWatch(NftWatch&& other) noexcept
    : socket_(std::exchange(other.socket_, nullptr)),
      family_(other.family_),
      table_(std::move(other.table_)),
      touched_(other.touched_),
      generation_(other.generation_) {}

NftWatch::~NftWatch() {
  if (socket_ != nullptr) socket_->leave(NFNLGRP_NFTABLES);
}

bool NftWatch::is_untouched(std::uint32_t generation) {
  hear();
  // Generations are counted in a circle; later news than needed is as good.
  return !touched_ && generation_ && static_cast<std::int32_t>(*generation_ - generation) >= 0;
}

void NftWatch::hear() {
  for (int i = 0; i < kMostPieces; ++i) {
    const Result<std::string_view> piece = socket_->receive();
    if (piece && piece->empty()) return;
    if (piece) {
      hear(*piece);
    } else {
      touched_ = true;
    }
  }
  touched_ = true;
}

void NftWatch::hear(std::string_view bytes) {
  while (const auto message = next_message(bytes)) {
    const std::string_view attributes = attributes_of(*message);
    if (message->type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWGEN)) {
      generation_ = find_u32(attributes, NFTA_GEN_ID);
      continue;
    }
    const bool same_family =
        !message->payload.empty() &&
        static_cast<std::uint8_t>(message->payload[0]) == family_number(family_);
    if (same_family && find_text(attributes, NFTA_TABLE_NAME) == table_) touched_ = true;
  }
}

}  // namespace proxima::dataplane
