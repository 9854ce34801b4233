// SPDX-License-Identifier: Apache-2.0
// Counts what is sent to a kernel: whether a change cost the change, or more than that.
#pragma once

#include <functional>

#include "proxy/nft_kernel.h"

namespace proxima::proxy {

struct KernelOperations {
  std::size_t elements = 0;  // of sets and maps, that come or go
  std::size_t others = 0;    // chains, rules, sets, tables
};
KernelOperations count_operations(const dataplane::NftTransaction& transaction);

class CountingKernel final : public NftKernel {
 public:
  using OnSent = std::function<void(IpFamily, const KernelOperations&)>;
  // The kernel must outlive it. `on_sent` is told of what the kernel took.
  CountingKernel(NftKernel& kernel, OnSent on_sent)
      : kernel_(kernel), on_sent_(std::move(on_sent)) {}

  Status send(const dataplane::NftTransaction& transaction) override {
    Status sent = kernel_.send(transaction);
    if (sent) on_sent_(transaction.family, count_operations(transaction));
    return sent;
  }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily family,
                                                         std::string_view table) override {
    return kernel_.read(family, table);
  }

 private:
  NftKernel& kernel_;
  OnSent on_sent_;
};

}  // namespace proxima::proxy
