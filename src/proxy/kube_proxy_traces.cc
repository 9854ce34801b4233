// SPDX-License-Identifier: Apache-2.0
#include "proxy/kube_proxy_traces.h"

#include <fstream>
#include <string_view>

namespace proxima::proxy {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Its chains cannot be seen without loading modules of the kernel, so what it holds is not known.
void look_at_legacy(const std::string& path, const std::string& program,
                    std::vector<std::string>& found) {
  std::string tables;
  for (const std::string& table : lines_of(path)) {
    if (table == "nat" || table == "filter") tables += (tables.empty() ? "" : ", ") + table;
  }
  if (!tables.empty())
    found.push_back(program + "-legacy has rules here (" + tables +
                    "), which may be kube-proxy's: `" + program +
                    "-legacy-save | grep KUBE-` shows them");
}

std::size_t count_virtual_servers(const std::string& path) {
  std::size_t count = 0;
  for (const std::string& line : lines_of(path)) {
    for (const std::string_view kind : {"TCP ", "UDP ", "SCTP ", "FWM "}) {
      if (line.starts_with(kind)) ++count;
    }
  }
  return count;
}

bool has_device(const std::string& path, std::string_view name) {
  for (const std::string& line : lines_of(path)) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    const std::string_view word = std::string_view(line).substr(begin);
    if (word.starts_with(name) && word.substr(name.size()).starts_with(':')) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> find_kube_proxy_traces(const std::string& root) {
  std::vector<std::string> found;
  look_at_legacy(root + "/proc/net/ip_tables_names", "iptables", found);
  look_at_legacy(root + "/proc/net/ip6_tables_names", "ip6tables", found);
  if (const std::size_t count = count_virtual_servers(root + "/proc/net/ip_vs"); count > 0)
    found.push_back("IPVS has " + std::to_string(count) + " virtual servers");
  if (has_device(root + "/proc/net/dev", "kube-ipvs0"))
    found.push_back("the device kube-ipvs0 makes Service addresses local ones");
  return found;
}

}  // namespace proxima::proxy
