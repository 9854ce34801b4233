// SPDX-License-Identifier: Apache-2.0
// A program is started in a network namespace, in a process group of its own, with its words in a
// log file and the promise that it ends with whoever started it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/network_namespace.h"

namespace proxima::lab {

struct ChildProgram {
  std::vector<std::string> words;              // the program's file, then its arguments
  std::shared_ptr<const NetworkNamespace> at;  // null: where the caller is
  std::string log_file;  // what it prints is appended; made with mode 0600 where it is not there
};

// Its number. The system kills the child when the calling *thread* ends, however that comes about.
Result<int> start_child(const ChildProgram& program);

}  // namespace proxima::lab
