// SPDX-License-Identifier: Apache-2.0
// Numbers 0…size-1, each free or taken. What is handed out comes from above a lower band, which
// stays for those who ask for a certain number, as long as there is something above.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

namespace proxima::apiserver::rules {

class NumberPool {
 public:
  NumberPool(std::uint64_t size, std::uint64_t band) : size_(size), band_(band) {}

  std::uint64_t size() const { return size_; }
  bool has(std::uint64_t number) const { return taken_.contains(number); }
  void take(std::uint64_t number) { taken_.insert(number); }
  void release(std::uint64_t number) { taken_.erase(number); }
  // A free number that is not in `besides` either, searched from `random` on; nullopt: none is
  // left.
  std::optional<std::uint64_t> find_free(std::uint64_t random,
                                         const std::set<std::uint64_t>& besides) const;

 private:
  std::optional<std::uint64_t> find_in(std::uint64_t first, std::uint64_t count,
                                       std::uint64_t random,
                                       const std::set<std::uint64_t>& besides) const;

  std::uint64_t size_;
  std::uint64_t band_;
  std::set<std::uint64_t> taken_;
};

}  // namespace proxima::apiserver::rules
