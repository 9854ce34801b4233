// SPDX-License-Identifier: Apache-2.0
#include "cli/own_program.h"

#include <filesystem>

namespace proxima::cli {

namespace fs = std::filesystem;

std::string own_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

std::string callable_name(const std::string& path, const Environment& environment) {
  const fs::path file(path);
  const std::string folders = environment("PATH").value_or("");
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (fs::path(folders.substr(begin, end - begin)) == file.parent_path())
      return file.filename().string();
    begin = end + 1;
  }
  std::error_code error;
  const fs::path near = fs::relative(file, error);
  const bool below = !error && !near.empty() && *near.begin() != "..";
  return below ? near.string() : path;
}

}  // namespace proxima::cli
