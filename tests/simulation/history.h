// SPDX-License-Identifier: Apache-2.0
// What happened, one line each, for whoever has to understand a failure. Kept only when asked for;
// its hash is always kept, so that two runs can be compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/scheduler.h"

namespace proxima::simulation {

class History {
 public:
  // Print: to standard output at once, so that an abort shows them.
  enum class Keep { Hash, Lines, Print };
  History(const Scheduler& scheduler, Keep keep) : scheduler_(scheduler), keep_(keep) {}

  bool keeps_lines() const { return keep_ != Keep::Hash; }
  // `who`: a process, or "world".
  void note(std::string_view who, std::string_view what);

  const std::vector<std::string>& lines() const { return lines_; }
  std::uint64_t hash() const { return hash_; }

 private:
  void add_to_hash(std::string_view text);

  const Scheduler& scheduler_;
  Keep keep_;
  std::vector<std::string> lines_;
  std::uint64_t hash_ = 14695981039346656037U;  // FNV-1a
};

}  // namespace proxima::simulation
