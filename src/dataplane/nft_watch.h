// SPDX-License-Identifier: Apache-2.0
// Listens to what changes in the nftables of a network namespace. Kernels count changes of all
// tables together; only this tells whose it was. While anybody listens, every change costs its
// writer more, so listening is for as long as it is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dataplane/netlink_socket.h"
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

class NftWatch {
 public:
  // Of the socket's network namespace, from now on until this ends. Nobody else uses the socket.
  static Result<NftWatch> begin(NetlinkSocket& socket, IpFamily family, std::string_view table);
  NftWatch(NftWatch&& other) noexcept;
  NftWatch& operator=(NftWatch&&) = delete;
  ~NftWatch();

  // That the table did not change between the beginning and this generation. False also when it
  // cannot be told: news was lost, or that of the generation has not come yet.
  bool is_untouched(std::uint32_t generation);

 private:
  NftWatch(NetlinkSocket& socket, IpFamily family, std::string_view table)
      : socket_(&socket), family_(family), table_(table) {}
  void hear();
  void hear(std::string_view bytes);

  NetlinkSocket* socket_;  // null when another watch has taken it over
  IpFamily family_;
  std::string table_;
  bool touched_ = false;  // or it cannot be told any more
  std::optional<std::uint32_t> generation_;
};

}  // namespace proxima::dataplane
