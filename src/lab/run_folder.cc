// SPDX-License-Identifier: Apache-2.0
#include "lab/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "lab/network_namespace.h"
#include "lab/system_error.h"

namespace proxima::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "px-";
constexpr std::string_view kClaim = ".claim";

// A folder below one in which others write: whoever guesses the name may have made it before.
bool is_own(const fs::path& folder) {
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool can_write(const fs::path& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; }

bool is_run_name(std::string_view run) {
  return !run.empty() && run.size() <= 32 && std::all_of(run.begin(), run.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  if (error) return Error{ErrorCode::NotFound, "list " + folder + ": " + error.message()};
  std::sort(names.begin(), names.end());
  return names;
}

void remove_leftover(const std::string& path) {
  std::error_code ignored;
  // Not through a link: what it points to is somebody else's.
  if (fs::is_directory(fs::symlink_status(path, ignored)))
    fs::remove_all(path, ignored);
  else
    remove_namespace_file(path);
}

// Removes what belongs to the claim `name` if nobody holds it.
std::size_t sweep_run(const std::string& folder, const std::string& name,
                      const std::vector<std::string>& all) {
  const std::string claim = folder + "/" + name;
  const int descriptor = open(claim.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return 0;
  std::size_t removed = 0;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    const std::string prefix = name.substr(0, name.size() - kClaim.size()) + "-";
    for (const std::string& other : all) {
      if (!other.starts_with(prefix)) continue;
      remove_leftover(std::string(folder).append("/").append(other));
      ++removed;
    }
    unlink(claim.c_str());
  }
  close(descriptor);
  return removed;
}

}  // namespace

Result<std::string> namespace_folder() {
  const fs::path usual = "/run/netns";
  std::error_code ignored;
  fs::create_directories(usual, ignored);
  if (can_write(usual)) return usual.string();
  return own_namespace_folder(fs::temp_directory_path());
}

Result<std::string> own_namespace_folder(const fs::path& below) {
  const fs::path own = below / ("px-netns-" + std::to_string(getuid()));
  if (mkdir(own.c_str(), 0700) != 0 && errno != EEXIST) return system_error("make " + own.string());
  if (!is_own(own)) return Error{ErrorCode::Denied, own.string() + " belongs to another user"};
  return own.string();
}

RunClaim::RunClaim(std::string prefix, int descriptor)
    : prefix_(std::move(prefix)), descriptor_(descriptor) {}

RunClaim::RunClaim(RunClaim&& other) noexcept
    : prefix_(std::move(other.prefix_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      folders_(std::move(other.folders_)) {}

RunClaim::~RunClaim() {
  if (descriptor_ < 0) return;
  for (const std::string& folder : folders_) remove_leftover(folder);
  unlink((prefix_ + std::string(kClaim)).c_str());
  close(descriptor_);
}

Result<RunClaim> RunClaim::take(const std::string& folder, const std::string& run) {
  if (!is_run_name(run))
    return Error{ErrorCode::InvalidInput, "a run is named by small letters and digits"};
  const std::string prefix = folder + "/" + std::string(kPrefix) + run;
  const std::string file = prefix + std::string(kClaim);
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_error("claim " + file);
  RunClaim claim(prefix, descriptor);
  // A sweeper may have come between; then it has taken the name away, too.
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::Retry, "a sweeper holds " + file};
  return claim;
}

Result<std::string> RunClaim::make_folder(const std::string& name) {
  std::string folder = file_of(name);
  if (mkdir(folder.c_str(), 0700) != 0) return system_error("make " + folder);
  folders_.push_back(folder);
  return folder;
}

Result<std::size_t> sweep(const std::string& folder) {
  PROXIMA_TRY(const std::vector<std::string> names, names_in(folder), "sweep");
  std::size_t removed = 0;
  for (const std::string& name : names)
    if (name.starts_with(kPrefix) && name.ends_with(kClaim))
      removed += sweep_run(folder, name, names);
  return removed;
}

}  // namespace proxima::lab
