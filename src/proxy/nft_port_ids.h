// SPDX-License-Identifier: Apache-2.0
// Numbers for service ports, given in turn: a number that was given back rests as long as possible,
// because a kernel may still remember clients under it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace proxima::proxy {

class NftPortIds {
 public:
  // From 1 to below `end`.
  explicit NftPortIds(std::uint32_t end) : taken_(end) {}

  // None: all are taken.
  std::optional<std::uint32_t> take() {
    for (std::size_t tries = 1; tries < taken_.size(); ++tries) {
      const std::uint32_t id = next_;
      next_ = next_ + 1 < taken_.size() ? next_ + 1 : 1;
      if (claim(id)) return id;
    }
    return std::nullopt;
  }
  // False: it is taken already, or there is no such number.
  bool claim(std::uint32_t id) {
    if (id == 0 || id >= taken_.size() || taken_[id]) return false;
    taken_[id] = true;
    return true;
  }
  void give_back(std::uint32_t id) { taken_[id] = false; }
  // The next one is looked for behind `id`.
  void go_on_behind(std::uint32_t id) { next_ = id + 1 < taken_.size() ? id + 1 : 1; }

 private:
  std::vector<bool> taken_;
  std::uint32_t next_ = 1;
};

}  // namespace proxima::proxy
