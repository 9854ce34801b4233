// SPDX-License-Identifier: Apache-2.0
#include "kube/config_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace proxima::kube {
namespace {

Error system_error(const std::string& path, int number) {
  const bool missing = number == ENOENT || number == ENOTDIR;
  return {missing ? ErrorCode::NotFound : ErrorCode::InvalidInput,
          path + ": " + std::strerror(number)};
}

Result<std::string> read_all(int descriptor, const std::string& path) {
  std::string text;
  std::array<char, 16384> piece{};
  for (;;) {
    const ssize_t size = ::read(descriptor, piece.data(), piece.size());
    if (size == 0) return text;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return system_error(path, errno);
    text.append(piece.data(), static_cast<std::size_t>(size));
    if (text.size() > kMaxConfigBytes)
      return Error{ErrorCode::InvalidInput, path + ": longer than 4 MiB"};
  }
}

}  // namespace

Result<std::string> read_config_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error(path, errno);
  auto text = read_all(descriptor, path);
  ::close(descriptor);
  return text;
}

}  // namespace proxima::kube
