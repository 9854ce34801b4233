// SPDX-License-Identifier: Apache-2.0
// A disk that fails, under SQLite: while one of these lives, databases that are opened use it.
// Writes, syncs and truncations fail at random, whole or half done, and a power loss takes what was
// not synced, in any order. After a sync that failed, a kernel may take what it has not written for
// written: no later sync brings it to the disk, and reads may still show it until the power loss,
// or no longer. Everything comes from the seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace proxima::test {

class FailingDisk {
 public:
  explicit FailingDisk(std::uint64_t seed);
  ~FailingDisk();
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;

  // From here on one call in `every` fails; 0: none does.
  void fail_one_in(std::uint64_t every);
  // Simulates a slow disk: syncs block until release_syncs().
  void hold_syncs();
  void release_syncs();
  // Whether a sync is held: what it is to sync has been written.
  bool holds_a_sync() const;
  // From here on there is no room for anything.
  void fill_up();
  // From here on everything fails, as for a process that is gone.
  void cut_power();
  // After cut_power(), once all databases are closed: makes files what a disk may have kept. Writes
  // that were synced are there; of the others some are, some are not, and some are torn.
  void lose_unsynced();
  // How many calls have failed.
  std::uint64_t failures() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace proxima::test
