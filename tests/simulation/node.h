// SPDX-License-Identifier: Apache-2.0
// The node proxy of one node, put together as `proxima proxy` does it, on the model of a kernel.
#pragma once

#include "simulation/member.h"
#include "simulation/model_kernel.h"

namespace proxima::simulation {

class Node final : public Member {
 public:
  // The kernel must outlive it; it is that of the node.
  Node(const MemberPorts& ports, ModelKernel& kernel, std::uint64_t seed)
      : Member(ports, "proxy-" + kernel.node(), seed), kernel_(kernel) {}

  ModelKernel& kernel() const { return kernel_; }
  static std::vector<IpAddress> addresses_of(const std::string& node);

 protected:
  std::unique_ptr<Parts> make(Process& process) override;

 private:
  class Running;

  ModelKernel& kernel_;
};

}  // namespace proxima::simulation
