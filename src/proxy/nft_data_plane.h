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
  NftDataPlane(IpFamily family, NftOptions options, NftKernel& kernel,
               PlanNftPort plan = plan_nft_port)
      : kernel_(kernel), renderer_(family, std::move(options), std::move(plan)) {}

  Status adopt(const RouteTable& table) override;
  Status apply(const RouteTable& table, const RouteChanges& changes) override;
  Result<std::size_t> repair() override;
  Status remove() override;
  BrokenServices broken() const override { return broken_; }

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
  std::set<ServiceName> broken_names() const;
  // Notes the Service when an invariant breaks.
  void try_out(const PortRoutes& routes, const RouteTable& table, const NftPort* previous);
  // `table`, but with what is there instead where something breaks. Adds to the memory what is
  // kept.
  RouteTable renderable(const RouteTable& table, NftMemory& memory);
  dataplane::NftTransaction render_change(const RouteTable& table, const RouteChanges& changes);
  Status complete() const;

  NftKernel& kernel_;
  NftRenderer renderer_;
  NftFound found_ = NftFound::Nothing;  // when it was last looked
  BrokenServices broken_;
  bool in_step_ = false;                         // the kernel holds what the renderer believes
  std::optional<dataplane::NftMoment> checked_;  // when all of it was last compared, and put right
};

}  // namespace proxima::proxy
