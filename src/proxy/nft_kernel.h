// SPDX-License-Identifier: Apache-2.0
// What a data plane asks of nftables: to change a table, and to read it.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "dataplane/nft_socket.h"
#include "dataplane/nft_table.h"

namespace proxima::proxy {

class NftKernel {
 public:
  virtual ~NftKernel() = default;
  // Codes of errors as dataplane::NftSocket has them.
  virtual Status send(const dataplane::NftTransaction& transaction) = 0;
  // Nothing when there is no such table. Learned elements need not be told.
  virtual Result<std::optional<dataplane::NftTableContent>> read(IpFamily family,
                                                                 std::string_view table) = 0;
  // A moment, and whether nobody but us has changed any rule since one. Where that cannot be told
  // there is no moment, and somebody may always have.
  virtual std::optional<dataplane::NftMoment> now() { return std::nullopt; }
  virtual bool is_alone_since(const dataplane::NftMoment& /*moment*/) { return false; }
};

// Of the network namespace that the socket was opened in.
class NftSocketKernel final : public NftKernel {
 public:
  explicit NftSocketKernel(dataplane::NftSocket socket) : socket_(std::move(socket)) {}

  Status send(const dataplane::NftTransaction& transaction) override {
    return socket_.send(transaction);
  }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily family,
                                                         std::string_view table) override {
    return socket_.read_table(family, table);
  }
  std::optional<dataplane::NftMoment> now() override {
    Result<dataplane::NftMoment> moment = socket_.now();
    return moment ? std::optional(*moment) : std::nullopt;
  }
  bool is_alone_since(const dataplane::NftMoment& moment) override {
    return socket_.is_alone_since(moment);
  }

 private:
  dataplane::NftSocket socket_;
};

}  // namespace proxima::proxy
