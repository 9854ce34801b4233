// SPDX-License-Identifier: Apache-2.0
// px-traffic serve NAME PORT   a backend, until it is ended
// px-traffic dial              jobs from standard input, a line each; their results as JSON
#include <sys/prctl.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "packet_lab/traffic/backend.h"
#include "packet_lab/traffic/dialer.h"

namespace {

using namespace proxima::traffic;

int dial_from_input() {
  std::vector<DialJob> jobs;
  for (std::string line; std::getline(std::cin, line);) {
    auto job = parse_job(line);
    if (!job) {
      std::cerr << "not understood: " << line << '\n';
      return 2;
    }
    jobs.push_back(*std::move(job));
  }
  std::vector<DialResult> results = dial(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    std::cout << to_json(jobs[i], std::move(results[i])) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  // Whoever started it may be killed: nothing of it may stay in the namespaces.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "serve" && argc == 4)
    return serve(argv[2], static_cast<std::uint16_t>(std::atoi(argv[3])));
  if (command == "dial" && argc == 2) return dial_from_input();
  std::cerr << "px-traffic serve NAME PORT | px-traffic dial\n";
  return 2;
}
