// SPDX-License-Identifier: Apache-2.0
// Asks a kernel for all things of a kind. It may change between two pieces of an answer: who needs
// a whole compares generations.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dataplane/netlink_socket.h"

namespace proxima::dataplane {

struct NftQuestion {
  std::uint16_t message = 0;  // NFT_MSG_GET…
  std::uint8_t family = 0;    // NFPROTO_…
  std::string_view table;     // only of this table; the kinds have the same numbers for it,
  std::string_view name;      // and for the name of a set whose elements are asked for
  bool all = true;            // false: there is but one
};

// The attributes of each message of the answer.
using NftAnswer = std::function<void(std::string_view attributes)>;

// Whether any table changed while the answer was read. It then may lack what is there, or tell it
// twice, where the question was not about one thing that stayed as it was.
enum class NftWholeness : std::uint8_t { Whole, Interrupted };

Result<NftWholeness> ask_kernel(NetlinkSocket& socket, const NftQuestion& question,
                                const NftAnswer& answer);

}  // namespace proxima::dataplane
