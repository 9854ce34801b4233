// SPDX-License-Identifier: Apache-2.0
// Reads what a table holds, one kind of thing after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dataplane/netlink_socket.h"
#include "dataplane/nft_question.h"
#include "dataplane/nft_table.h"

namespace proxima::dataplane {

// A chain and where its rules jump or go, in their order. All else in them is passed over.
struct NftChainJumps {
  struct Jump {
    std::uint64_t handle = 0;  // of the rule
    std::string target;
  };
  std::string chain;
  std::vector<Jump> jumps;
};

class NftTableReader {
 public:
  NftTableReader(NetlinkSocket& socket, IpFamily family, std::string_view table)
      : socket_(socket), family_(family), table_(table) {}

  // Some error, or Retry: the lists of chains, rules or sets changed with every attempt.
  // By name, with their rules.
  Result<std::vector<NftChain>> chains();
  // By name.
  Result<std::vector<NftChainJumps>> jumps();
  // By name, with their elements by key.
  Result<std::vector<NftSetContent>> sets();
  // Whether some table changed while elements were read. Those are whole if it was another one.
  bool interrupted() const { return interrupted_; }

 private:
  Status read_list(std::uint16_t message, const NftAnswer& answer,
                   const std::function<void()>& forget);
  Status read_elements(NftSetContent& set);

  NetlinkSocket& socket_;
  IpFamily family_;
  std::string table_;
  bool interrupted_ = false;
};

}  // namespace proxima::dataplane
