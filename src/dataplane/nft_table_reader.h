// SPDX-License-Identifier: Apache-2.0
// Reads what a table holds, one kind of thing after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dataplane/netlink_socket.h"
#include "dataplane/nft_table.h"

namespace proxima::dataplane {

class NftTableReader {
 public:
  NftTableReader(NetlinkSocket& socket, IpFamily family, std::string_view table)
      : socket_(socket), family_(family), table_(table) {}

  // By name, with their rules.
  Result<std::vector<NftChain>> chains();
  // By name, with their elements by key.
  Result<std::vector<NftSetContent>> sets();

 private:
  Status read_elements(NftSetContent& set);

  NetlinkSocket& socket_;
  IpFamily family_;
  std::string table_;
};

}  // namespace proxima::dataplane
