// SPDX-License-Identifier: Apache-2.0
// Pods of one namespace in the order of their names: eight bytes each.
#pragma once

#include <string_view>
#include <vector>

#include "kube/pod_record.h"

namespace proxima::controller {

using PodRef = Ref<const kube::PodRecord>;

class PodSet {
 public:
  // In place of one with the same name.
  void put(PodRef pod);
  void erase(std::string_view name);
  bool empty() const { return pods_.empty(); }
  const std::vector<PodRef>& all() const { return pods_; }

 private:
  std::vector<PodRef> pods_;
};

}  // namespace proxima::controller
