// SPDX-License-Identifier: Apache-2.0
// Where a running lab keeps its things, and how others find it: a user has one lab at a time. The
// locks are the system's, so that a lab that was killed holds none; what it left is swept by the
// next one.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "cli/terminal.h"

namespace proxima::cli {

// $XDG_STATE_HOME/proxima, ~/.local/state/proxima, or a folder of this user in the temporary one.
std::string state_folder(const Environment& environment);

// What `proxima lab` needs to know about the lab that runs.
struct RunFile {
  long process = 0;
  std::string url;  // of the page, without the token
  std::string token;
  std::string kubeconfig;
};
std::string render_run_file(const RunFile& run);
Result<RunFile> parse_run_file(const std::string& text);

// A file that one process at a time may hold.
class FileLock {
 public:
  // Conflict: another process holds it.
  static Result<FileLock> take(const std::string& path);

  // What others read who do not get it.
  Status write(const std::string& text) const;

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

class RunPlace {
 public:
  // Both locks, and a data directory that is ready. Without `data_directory` it is a new one, which
  // goes away with this. An error says which lab is running, and where.
  static Result<RunPlace> take(const std::string& state, const std::string& data_directory);
  RunPlace(RunPlace&& other) noexcept;
  RunPlace& operator=(RunPlace&&) = delete;
  RunPlace(const RunPlace&) = delete;
  RunPlace& operator=(const RunPlace&) = delete;
  ~RunPlace();

  const std::string& data() const { return data_; }
  // For log files.
  std::string logs() const { return data_ + "/logs"; }
  // From here on `proxima lab` finds it.
  Status publish(const RunFile& run) const;
  bool kept() const { return kept_; }

 private:
  RunPlace(FileLock user, FileLock data, std::string folder, bool kept)
      : user_(std::move(user)),
        data_lock_(std::move(data)),
        data_(std::move(folder)),
        kept_(kept) {}

  FileLock user_;
  FileLock data_lock_;
  std::string data_;  // "" when moved from
  bool kept_;
};

// The lab that runs: of `data_directory`, or of this user when that is empty. An error tells one
// that was killed from none at all.
Result<RunFile> find_run(const std::string& state, const std::string& data_directory);

}  // namespace proxima::cli
