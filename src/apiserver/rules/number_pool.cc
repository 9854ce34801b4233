// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/number_pool.h"

namespace proxima::apiserver::rules {

std::optional<std::uint64_t> NumberPool::find_in(std::uint64_t first, std::uint64_t count,
                                                 std::uint64_t random,
                                                 const std::set<std::uint64_t>& besides) const {
  if (count == 0) return std::nullopt;
  std::uint64_t number = first + random % count;
  // Among so many numbers in a row one is free, or all of them are taken.
  const std::uint64_t enough = taken_.size() + besides.size() + 1;
  for (std::uint64_t tries = 0; tries < enough && tries < count; ++tries) {
    if (!taken_.contains(number) && !besides.contains(number)) return number;
    number = number + 1 == first + count ? first : number + 1;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> NumberPool::find_free(std::uint64_t random,
                                                   const std::set<std::uint64_t>& besides) const {
  if (auto number = find_in(band_, size_ - band_, random, besides)) return number;
  return find_in(0, band_, random, besides);
}

}  // namespace proxima::apiserver::rules
