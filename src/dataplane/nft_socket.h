// SPDX-License-Identifier: Apache-2.0
// Changes and reads the nftables of the network namespace that the thread was in when it was
// opened. One thread at a time; nothing waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dataplane/netlink_socket.h"
#include "dataplane/nft_model.h"
#include "dataplane/nft_table.h"
#include "dataplane/nft_table_reader.h"

namespace proxima::dataplane {

// A point in the history of a namespace's rules.
struct NftMoment {
  std::uint32_t generation = 0;
  std::uint32_t commits = 0;  // of the socket that was asked, until then
  std::uint32_t unclear = 0;  // those of which it does not know whether they changed anything
};

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

  // Of one moment, or Retry when the table changes faster than it is read. Rules come in their
  // order, chains and sets by name, elements by key. What rules have learnt is not read, and sets
  // that belong to a rule are not told. Nothing when there is no such table.
  Result<std::optional<NftTableContent>> read_table(IpFamily family, std::string_view table);

  // Which chains lead where: of a table that is not ours and may hold anything. Empty when there is
  // no such table.
  Result<std::vector<NftChainJumps>> jumps(IpFamily family, std::string_view table);

  // Names, in their order.
  Result<std::vector<std::string>> tables(IpFamily family);
  // Changes whenever anybody changes any rule of the namespace.
  Result<std::uint32_t> generation();

  // Whether only this socket has changed rules of the namespace since a moment, of any table. Costs
  // microseconds, where reading a large table to find out takes seconds. False also when it cannot
  // be told, or when something was sent that was there already.
  Result<NftMoment> now();
  bool is_alone_since(const NftMoment& moment);

 private:
  NftSocket(NetlinkSocket socket, NetlinkSocket news)
      : socket_(std::move(socket)), news_(std::move(news)) {}
  Result<NftTableContent> read_once(NftTableReader& reader);

  NetlinkSocket socket_;
  std::uint32_t commits_ = 0;
  std::uint32_t unclear_ = 0;
  NetlinkSocket news_;  // of what changes, while a table is read
};

}  // namespace proxima::dataplane
