// SPDX-License-Identifier: Apache-2.0
// Runs a shell command and keeps what it says.
#pragma once

#include <cstdio>
#include <string>

namespace proxima::test {

struct ProgramOutput {
  int status = -1;
  std::string text;  // standard output and standard error
};

// In the network namespace of the calling thread.
inline ProgramOutput run_program(const std::string& command) {
  ProgramOutput output;
  FILE* pipe = ::popen(("(" + command + ") 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t length = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    output.text.append(buffer, length);
  }
  output.status = ::pclose(pipe);
  return output;
}

}  // namespace proxima::test
