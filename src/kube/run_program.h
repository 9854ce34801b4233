// SPDX-License-Identifier: Apache-2.0
// Runs another program and takes what it prints. Time and size are bounded, and a Cancellation ends
// it; then its whole process group is killed.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/environment.h"
#include "net/cancellation.h"

namespace proxima::kube {

enum class Terminal { None, Inherited };

struct Program {
  std::string command;  // with a slash: a path; without: looked up in the environment's PATH
  std::vector<std::string> arguments;
  Environment environment;             // all of it: nothing else is inherited
  Terminal terminal = Terminal::None;  // whether it may ask the user; its stderr is ours either way
  std::chrono::milliseconds timeout{60'000};
  std::size_t max_output = 1U << 20U;
};

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal when it was killed
  std::string output;
};

// NotFound: there is no such program. Retry: it took too long or was cancelled. Otherwise an error
// only when it could not be run; a failing program is a result.
Result<ProgramResult> run_program(const Program& program, const net::Cancellation& cancellation);

}  // namespace proxima::kube
