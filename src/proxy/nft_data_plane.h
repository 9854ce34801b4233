// SPDX-License-Identifier: Apache-2.0
// Routes of one family in a table of nftables. What a kernel holds is read at a start and when it
// is checked, and never for a change. For one thread.
#pragma once

#include <cstddef>
#include <optional>

#include "proxy/data_plane.h"
#include "proxy/nft_adoption.h"
#include "proxy/nft_kernel.h"
#include "proxy/nft_renderer.h"

namespace proxima::proxy {

class NftDataPlane final : public DataPlane {
 public:
  // The kernel must outlive it; one kernel may serve both families.
  NftDataPlane(IpFamily family, NftOptions options, NftKernel& kernel)
      : kernel_(kernel), renderer_(family, std::move(options)) {}

  Status adopt(const RouteTable& table) override;
  Status apply(const RouteTable& table, const RouteChanges& changes) override;
  Result<std::size_t> repair() override;
  Status remove() override;

  // Service ports that have no number because there are no more; adopt() and apply() fail as long
  // as there are any, though all others are written.
  const std::set<ServicePortKey>& unwritten() const { return renderer_.unwritten(); }

 private:
  // The error of a table that could not be made from nothing.
  Error not_made(Error error);
  // Once, from a fresh look.
  Status adopt_once(const RouteTable& table);
  Result<std::size_t> repair_once();
  Status send(const dataplane::NftTransaction& transaction);
  Status complete() const;

  NftKernel& kernel_;
  NftRenderer renderer_;
  NftFound found_ = NftFound::Nothing;           // when it was last looked
  bool in_step_ = false;                         // the kernel holds what the renderer believes
  std::optional<dataplane::NftMoment> checked_;  // when all of it was last compared, and put right
};

}  // namespace proxima::proxy
