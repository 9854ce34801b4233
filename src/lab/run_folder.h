// SPDX-License-Identifier: Apache-2.0
// Where the namespaces of lab runs have their names and their logs a place, whose they are, and
// what becomes of those whose owner died.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::lab {

// The usual folder of named namespaces where it can be written, else one of the user's own: a user
// namespace has no rights in the first.
Result<std::string> namespace_folder();
// The user's own, in a folder where others may write as well. Refused: a link, or a folder that
// another user owns or can write.
Result<std::string> own_namespace_folder(const std::filesystem::path& below);

// A run's claim to the names that begin with "px-RUN-" in a folder. While it is held the sweeper
// leaves them alone; the system lets go of it when the process ends, however it ends.
class RunClaim {
 public:
  // `run`: small letters and digits.
  static Result<RunClaim> take(const std::string& folder, const std::string& run);
  RunClaim(RunClaim&& other) noexcept;
  RunClaim& operator=(RunClaim&&) = delete;
  RunClaim(const RunClaim&) = delete;
  RunClaim& operator=(const RunClaim&) = delete;
  ~RunClaim();

  // The file for the namespace of `host`.
  std::string file_of(const std::string& host) const { return prefix_ + "-" + host; }
  // A new folder that only this user can read; removed with what is in it when the claim ends.
  Result<std::string> make_folder(const std::string& name);

 private:
  RunClaim(std::string prefix, int descriptor);

  std::string prefix_;  // FOLDER/px-RUN
  int descriptor_;
  std::vector<std::string> folders_;
};

// Removes the namespaces and folders of runs that nobody claims any more; how many.
Result<std::size_t> sweep(const std::string& folder);

}  // namespace proxima::lab
