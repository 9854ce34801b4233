// SPDX-License-Identifier: Apache-2.0
#include "apiserver/private_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace proxima::apiserver {
namespace {

Error file_error(const std::string& path) {
  return {ErrorCode::Denied, path + ": " + std::strerror(errno)};
}

Status make_one_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return Unit{};
  return file_error(path);
}

}  // namespace

Result<Descriptor> create_private_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return file_error(path);
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return file_error(path);
  return file;
}

Result<Descriptor> open_own_file(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open() && errno == ELOOP)
    return Error{ErrorCode::Denied, path + ": is a symbolic link"};
  if (!file.is_open()) return file_error(path);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return file_error(path);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::Denied, path + ": is not a plain file"};
  return file;
}

Status make_private_folder(const std::string& path) {
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!above.empty() && !std::filesystem::exists(above, ignored)) {
    auto made = make_private_folder(above.string());
    if (!made) return made;
  }
  auto made = make_one_folder(path);
  return made ? check_folder_owner(path) : made;
}

Status check_folder_owner(const std::string& path) {
  struct stat folder {};
  struct stat above {};
  if (::lstat(path.c_str(), &folder) != 0) return file_error(path);
  if (folder.st_uid == ::geteuid() || folder.st_uid == 0) return Unit{};
  const std::string parent = std::filesystem::path(path).parent_path().string();
  if (::stat(parent.empty() ? "." : parent.c_str(), &above) == 0 && above.st_uid == folder.st_uid)
    return Unit{};
  return Error{ErrorCode::Denied,
               path + ": belongs to another user (uid " + std::to_string(folder.st_uid) + ")"};
}

}  // namespace proxima::apiserver
