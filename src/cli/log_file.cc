// SPDX-License-Identifier: Apache-2.0
#include "cli/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace proxima::cli {

Result<LogFile> LogFile::open(const std::string& path) {
  const int descriptor = ::open(
      path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return Error{ErrorCode::Denied, "open " + path + ": " + std::strerror(errno)};
  return LogFile(descriptor);
}

LogFile::LogFile(LogFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

LogFile::~LogFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LogFile::write(std::string_view line) const {
  static_cast<void>(!::write(descriptor_, line.data(), line.size()));
}

}  // namespace proxima::cli
