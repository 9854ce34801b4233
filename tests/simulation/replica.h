// SPDX-License-Identifier: Apache-2.0
// A replica of the controller, put together as `proxima controller` does it.
#pragma once

#include <map>

#include "simulation/member.h"

namespace proxima::simulation {

class Replica final : public Member {
 public:
  using Member::Member;

  static constexpr std::size_t kEndpointsPerSlice = 4;  // so that Services have several slices
  static constexpr const char* kLease = "kube-system/proxima-controller";

  // Keys that want work now or later, and Services that it knows; nothing: it does not run yet.
  struct Load {
    std::size_t keys = 0;
    std::size_t services = 0;
  };
  std::optional<Load> load() const;

 protected:
  std::unique_ptr<Parts> make(Process& process) override;

 private:
  class Running;
};

}  // namespace proxima::simulation
