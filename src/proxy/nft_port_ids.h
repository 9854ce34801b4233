// SPDX-License-Identifier: Apache-2.0
// Numbers for service ports, given in turn: a number that was given back rests as long as possible,
// so that it means one port in what people read of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace proxima::proxy {

class NftPortIds {
 public:
  // From 1 to below `end`.
  explicit NftPortIds(std::uint32_t end) : taken_(end), free_(end > 0 ? end - 1 : 0) {}

  // None: all are taken.
  std::optional<std::uint32_t> take() {
    if (free_ == 0) return std::nullopt;
    std::uint32_t id = next_;
    while (taken_[id]) id = behind(id);
    claim(id);
    next_ = behind(id);
    return id;
  }
  // False: it is taken already, or there is no such number.
  bool claim(std::uint32_t id) {
    if (id == 0 || id >= taken_.size() || taken_[id]) return false;
    taken_[id] = true;
    --free_;
    return true;
  }
  // One that was taken or claimed.
  void give_back(std::uint32_t id) {
    taken_[id] = false;
    ++free_;
  }
  // The next one is looked for behind `id`.
  void go_on_behind(std::uint32_t id) { next_ = behind(id); }

 private:
  std::uint32_t behind(std::uint32_t id) const { return id + 1 < taken_.size() ? id + 1 : 1; }

  std::vector<bool> taken_;
  std::uint32_t next_ = 1;
  std::size_t free_;  // whoever asks when all are taken gets the answer at once
};

}  // namespace proxima::proxy
