// SPDX-License-Identifier: Apache-2.0
#include "checks/ebpf_traces.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

namespace proxima::checks {
namespace {

namespace fs = std::filesystem;

struct Trace {
  std::string_view plugin;
  std::string_view beginning;  // of the name of a device or of a pinned map
};
constexpr Trace kTraces[] = {
    {"Cilium", "cilium"}, {"Calico", "bpfin.cali"}, {"Calico", "cali_v4_"}};

std::vector<std::string> file_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> device_names(const std::string& root) {
  std::vector<std::string> names;
  std::ifstream file(root + "/proc/net/dev");
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t colon = line.find(':');
    if (begin != std::string::npos && colon != std::string::npos && begin < colon)
      names.push_back(line.substr(begin, colon - begin));
  }
  return names;
}

std::optional<std::string> first_trace(const std::vector<std::string>& names,
                                       std::string_view place) {
  for (const std::string& name : names) {
    const auto* const trace = std::ranges::find_if(
        kTraces, [&](const Trace& row) { return name.starts_with(row.beginning); });
    if (trace != std::ranges::end(kTraces))
      return std::string(trace->plugin) + ": " + std::string(place) + name;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> find_ebpf_traces(const std::string& root) {
  std::vector<std::string> found;
  if (auto trace = first_trace(device_names(root), "the device "))
    found.push_back(std::move(*trace));
  for (const std::string folder : {"/sys/fs/bpf/", "/sys/fs/bpf/tc/globals/"}) {
    if (auto trace = first_trace(file_names(root + folder), folder))
      found.push_back(std::move(*trace));
  }
  return found;
}

}  // namespace proxima::checks
