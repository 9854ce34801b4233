// SPDX-License-Identifier: Apache-2.0
// Runs many simulations, and says of the first that fails what happened, as shortly as it can.
//
//   simulate [--seeds N] [--seed FIRST] [--history] [--no-shrink]
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "simulation/shrink.h"
#include "simulation/simulation.h"

namespace {

using namespace proxima::simulation;

struct Arguments {
  std::uint64_t first = 1;
  std::uint64_t count = 1;
  bool history = false;
  bool shrinks = true;
};

constexpr unsigned kSecondsMax = 300;  // real ones, of one simulation

char running_seed[64];

// A broken invariant of the product ends the program: say at least in which simulation.
void tell_seed(int signal) {
  static_cast<void>(!write(STDERR_FILENO, running_seed, std::strlen(running_seed)));
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void set_running_seed(std::uint64_t seed) {
  std::snprintf(running_seed, sizeof running_seed, "in the simulation with --seed %llu\n",
                static_cast<unsigned long long>(seed));
}

std::uint64_t number_in(const char* text) {
  std::uint64_t value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--history") arguments.history = true;
    if (word == "--no-shrink") arguments.shrinks = false;
    if (word == "--seed" && i + 1 < count) arguments.first = number_in(words[++i]);
    if (word == "--seeds" && i + 1 < count) arguments.count = number_in(words[++i]);
  }
  return arguments;
}

void print_history(const Outcome& outcome) {
  for (const std::string& line : outcome.history) std::printf("%s\n", line.c_str());
}

void explain(const Scenario& scenario, const Outcome& outcome, bool shrinks) {
  std::printf("\nseed %llu fails: %s\n", static_cast<unsigned long long>(scenario.seed),
              outcome.violation.c_str());
  Scenario shortest = scenario;
  if (shrinks)
    shortest = shrink(
        scenario, [](const Scenario& one) { return !simulate(one).violation.empty(); }, 400);
  const Outcome replayed = simulate(shortest, History::Keep::Lines);
  std::printf("\nWhat happened:\n");
  print_history(replayed);
  std::printf("\nThe shortest scenario that was found, of %zu things that happen %zu:\n%s",
              scenario.injections.size(), shortest.injections.size(), to_text(shortest).c_str());
  std::printf("\n%s\n", replayed.violation.c_str());
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = read_arguments(count, words);
  signal(SIGABRT, tell_seed);
  signal(SIGSEGV, tell_seed);
  signal(SIGALRM, tell_seed);  // a lock that is held across a wait stops everything
  std::uint64_t faults = 0;
  std::uint64_t steps = 0;
  double lasted = 0;
  double slowest = 0;
  for (std::uint64_t seed = arguments.first; seed < arguments.first + arguments.count; ++seed) {
    set_running_seed(seed);
    alarm(kSecondsMax);
    const Scenario scenario = draw_scenario(seed);
    const Outcome outcome =
        simulate(scenario, arguments.history ? History::Keep::Lines : History::Keep::Hash);
    if (arguments.history) print_history(outcome);
    faults += outcome.faults;
    steps += outcome.steps;
    lasted += std::chrono::duration<double>(outcome.lasted).count();
    slowest = std::max(slowest, std::chrono::duration<double>(outcome.settled_after).count());
    if (outcome.violation.empty()) continue;
    explain(scenario, outcome, arguments.shrinks);
    return 1;
  }
  // Of one processor, however many others use it.
  const double took = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  std::printf(
      "%llu simulations from seed %llu: %llu faults, %llu steps, %.0f s of virtual time in %.1f s "
      "of "
      "a processor (%.0f times as fast); settled after at most %.0f s; no violation\n",
      static_cast<unsigned long long>(arguments.count),
      static_cast<unsigned long long>(arguments.first), static_cast<unsigned long long>(faults),
      static_cast<unsigned long long>(steps), lasted, took, lasted / took, slowest);
  return 0;
}
