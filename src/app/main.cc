// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/run.h"

int main(int argc, char** argv) {
  using namespace proxima;
  cli::Console console(stdout, stderr, cli::process_environment());
  const cli::Invocation invocation = cli::invocation_of(argc > 0 ? argv[0] : "");
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(cli::run(invocation, arguments, console));
}
