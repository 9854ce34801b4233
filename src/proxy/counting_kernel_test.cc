// SPDX-License-Identifier: Apache-2.0
#include "proxy/counting_kernel.h"

#include <gtest/gtest.h>

namespace proxima::proxy {
namespace {

using dataplane::NftTransaction;

class SilentKernel final : public NftKernel {
 public:
  Status send(const NftTransaction&) override {
    if (fails) return Error{ErrorCode::Retry, "as told"};
    return Unit{};
  }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily, std::string_view) override {
    return std::optional<dataplane::NftTableContent>();
  }
  bool fails = false;
};

NftTransaction sample() {
  return {.family = IpFamily::V6,
          .table = "t",
          .operations = {dataplane::NftAddTable{},
                         dataplane::NftAddElements{.set = "a", .elements = {{}, {}, {}}},
                         dataplane::NftDeleteElements{.set = "a", .elements = {{}}},
                         dataplane::NftFlushChain{.name = "c"}}};
}

TEST(CountingKernel, TellsElementsFromTheRest) {
  const KernelOperations counts = count_operations(sample());
  EXPECT_EQ(counts.elements, 4U);
  EXPECT_EQ(counts.others, 2U);
}

TEST(CountingKernel, CountsWhatTheKernelTook) {
  SilentKernel kernel;
  std::size_t elements = 0;
  CountingKernel counting(kernel, [&](IpFamily family, const KernelOperations& operations) {
    EXPECT_EQ(family, IpFamily::V6);
    elements += operations.elements;
  });
  EXPECT_TRUE(counting.send(sample()));
  kernel.fails = true;
  EXPECT_FALSE(counting.send(sample()));
  EXPECT_EQ(elements, 4U);
}

}  // namespace
}  // namespace proxima::proxy
