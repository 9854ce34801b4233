// SPDX-License-Identifier: Apache-2.0
#include "cli/file_guard.h"

#include <sys/stat.h>

#include "kube/cancellable_wait.h"

namespace proxima::cli {

std::string file_mark(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return {};
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino) + ":" +
         std::to_string(file.st_size) + ":" + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

FileGuard::FileGuard(std::string path, std::string mark, Clock& clock,
                     std::function<void()> on_change)
    : thread_([this, path = std::move(path), mark = std::move(mark), &clock,
               on_change = std::move(on_change)] {
        while (file_mark(path) == mark) {
          if (kube::wait_for(clock, kEvery, stopping_) == kube::Waited::Cancelled) return;
        }
        on_change();
      }) {}

FileGuard::~FileGuard() {
  stopping_.cancel();
  thread_.join();
}

}  // namespace proxima::cli
