// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/run.h"

int main(int argc, char** argv) {
  using namespace proxima;
  cli::Console console(stdout, stderr, cli::process_environment());
  return static_cast<int>(cli::run(std::vector<std::string>(argv + 1, argv + argc), console));
}
