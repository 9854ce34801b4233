// SPDX-License-Identifier: Apache-2.0
// sysdump.json, the file that says what else is in a sysdump, and what is not. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/timestamp.h"

namespace proxima::sysdump {

struct CollectedFile {
  std::string path;
  std::size_t bytes = 0;
  std::size_t objects = 0;  // 0 also for what has no objects
};

struct NotCollected {
  std::string what;  // "pods", or a page: "proxy/metrics.txt"
  std::string why;
};

struct Summary {
  std::string version;  // of Proxima
  WallTime time;
  std::string command;     // without the paths of files on this machine
  std::string kubernetes;  // the version of the API server; "": not known
  std::string ns;          // "": all namespaces
  std::vector<CollectedFile> files;
  std::vector<NotCollected> not_collected;
};

std::string render_summary(const Summary& summary);

// "proxima-sysdump-20261119-041500", in UTC: the folder in the archive, and the archive's name.
std::string sysdump_name(WallTime time);

}  // namespace proxima::sysdump
