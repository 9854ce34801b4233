// SPDX-License-Identifier: Apache-2.0
// Changes and reads the nftables of the network namespace that the thread was in when it was
// opened. One thread at a time; nothing waits.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "dataplane/netlink_socket.h"
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

class NftSocket {
 public:
  static Result<NftSocket> open();

  // All of it or nothing; packets see the rules before or those after. With `generation`, also
  // nothing when anybody changed any rule since then (Retry). The error names what was refused.
  //   Denied    CAP_NET_ADMIN is lacking
  //   Retry     the same may work in a moment
  //   NotFound  something it needs, or should delete, is not there
  //   Conflict  something it adds is there and different
  Status send(const NftTransaction& transaction,
              std::optional<std::uint32_t> generation = std::nullopt);

 private:
  explicit NftSocket(NetlinkSocket socket) : socket_(std::move(socket)) {}

  NetlinkSocket socket_;
};

}  // namespace proxima::dataplane
