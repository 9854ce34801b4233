// SPDX-License-Identifier: Apache-2.0
#include "manifest/input_files.h"

#include <algorithm>
#include <filesystem>

namespace proxima::manifest {
namespace {

namespace fs = std::filesystem;

std::uint64_t size_of(const fs::path& path) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  return error ? 0 : bytes;
}

Error failed(const std::string& path, const std::error_code& error) {
  const bool missing = error == std::errc::no_such_file_or_directory;
  return {missing ? ErrorCode::NotFound : ErrorCode::Denied, path + ": " + error.message()};
}

Result<std::vector<InputFile>> files_below(const std::string& directory) {
  std::vector<InputFile> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (is_manifest_name(entry->path().native()) && entry->is_regular_file(ignored))
      files.push_back({entry->path().string(), size_of(entry->path()), true});
  }
  if (error) return failed(directory, error);
  if (files.empty())
    return Error{ErrorCode::InvalidInput, directory + ": no *.json, *.yaml or *.yml in it"};
  std::ranges::sort(files, {}, &InputFile::path);
  return files;
}

}  // namespace

bool is_manifest_name(std::string_view path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

Result<std::vector<InputFile>> find_input_files(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return Error{ErrorCode::InvalidInput, "no file to read"};
  if (std::ranges::count(inputs, kStandardInput) > 1)
    return Error{ErrorCode::InvalidInput, "standard input can be read only once"};
  std::vector<InputFile> files;
  for (const std::string& input : inputs) {
    if (input == kStandardInput) {
      files.push_back({input, 0, false});
      continue;
    }
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (!fs::exists(status))
      return failed(input,
                    error ? error : std::make_error_code(std::errc::no_such_file_or_directory));
    if (!fs::is_directory(status)) {
      files.push_back({input, size_of(input), false});
      continue;
    }
    auto found = files_below(input);
    if (!found) return std::move(found).error();
    files.insert(files.end(), found->begin(), found->end());
  }
  return files;
}

}  // namespace proxima::manifest
