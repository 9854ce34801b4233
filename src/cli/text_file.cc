// SPDX-License-Identifier: Apache-2.0
#include "cli/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace proxima::cli {
namespace {

constexpr std::size_t kSizeMax = 64 << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error system_error(const std::string& action, const std::string& path) {
  return {ErrorCode::InvalidInput, action + " " + path + ": " + std::strerror(errno)};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return system_error("read", path);
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, got);
    if (text.size() > kSizeMax)
      return Error{ErrorCode::InvalidInput, "read " + path + ": larger than 64 MB"};
  }
  if (std::ferror(file.get()) != 0) return system_error("read", path);
  return text;
}

Status write_text_file(const std::string& path, std::string_view text) {
  // The folder may be one in which others write: whatever they have put at the guessable name is
  // removed, and never written through.
  const std::string beside = path + ".partial";
  if (::unlink(beside.c_str()) != 0 && errno != ENOENT) return system_error("write", path);
  constexpr mode_t kModeLessUmask =
      S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;  // less the umask
  const int made =
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kModeLessUmask);
  File file(made < 0 ? nullptr : ::fdopen(made, "wb"));
  if (!file) return system_error("write", path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const bool closed = std::fclose(file.release()) == 0;
  if (!written || !closed || std::rename(beside.c_str(), path.c_str()) != 0) {
    Error error = system_error("write", path);
    (void)std::remove(beside.c_str());
    return error;
  }
  return Unit{};
}

Status write_new_file(const std::string& path, std::string_view bytes) {
  const int made =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  File file(made < 0 ? nullptr : ::fdopen(made, "wb"));
  if (!file) return system_error("write", path);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  const bool closed = std::fclose(file.release()) == 0;
  if (written && closed) return Unit{};
  Error error = system_error("write", path);
  (void)std::remove(path.c_str());
  return error;
}

}  // namespace proxima::cli
