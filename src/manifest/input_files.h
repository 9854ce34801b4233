// SPDX-License-Identifier: Apache-2.0
// Which files a list of files and directories means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::manifest {

inline constexpr std::string_view kStandardInput = "-";

// Whether a file in a directory or an archive is read: *.json, *.yaml and *.yml are.
bool is_manifest_name(std::string_view path);

struct InputFile {
  std::string path;
  std::uint64_t bytes = 0;  // 0 when it cannot be known before reading
  bool from_directory = false;
};

// A directory stands for all *.json, *.yaml and *.yml in it and below it, sorted by path. An error:
// an input that does not exist, a directory with no such file, or nothing given.
Result<std::vector<InputFile>> find_input_files(const std::vector<std::string>& inputs);

}  // namespace proxima::manifest
