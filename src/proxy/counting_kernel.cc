// SPDX-License-Identifier: Apache-2.0
#include "proxy/counting_kernel.h"

namespace proxima::proxy {
namespace {

struct Elements {
  std::size_t operator()(const dataplane::NftAddElements& operation) const {
    return operation.elements.size();
  }
  std::size_t operator()(const dataplane::NftDeleteElements& operation) const {
    return operation.elements.size();
  }
  template <class Other>
  std::size_t operator()(const Other&) const {
    return 0;
  }
};

}  // namespace

KernelOperations count_operations(const dataplane::NftTransaction& transaction) {
  KernelOperations counts;
  for (const dataplane::NftOperation& operation : transaction.operations) {
    const std::size_t elements = std::visit(Elements{}, operation);
    counts.elements += elements;
    counts.others += elements == 0 ? 1 : 0;
  }
  return counts;
}

}  // namespace proxima::proxy
