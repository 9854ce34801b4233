// SPDX-License-Identifier: Apache-2.0
// Runs many simulations, and says of the first that fails what happened, as shortly as it can.
//
//   simulate [--seeds N] [--seed FIRST] [--only NUMBER,…] [--history] [--no-shrink] [--no-explain]
//
// --only leaves nothing of a scenario but the happenings with these numbers, as the shortest
// scenario of a failure tells them.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "simulation/shrink.h"
#include "simulation/simulation.h"

namespace {

using namespace proxima::simulation;

struct Arguments {
  std::uint64_t first = 1;
  std::uint64_t count = 1;
  std::set<std::size_t> only;  // empty: all
  bool history = false;
  bool shrinks = true;
  bool explains = true;
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

std::set<std::size_t> numbers_in(const std::string& text) {
  std::set<std::size_t> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) numbers.insert(number_in(word.c_str()));
  return numbers;
}

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--history") arguments.history = true;
    if (word == "--no-shrink") arguments.shrinks = false;
    if (word == "--no-explain") arguments.explains = false;
    if (word == "--only" && i + 1 < count) arguments.only = numbers_in(words[++i]);
    if (word == "--seed" && i + 1 < count) arguments.first = number_in(words[++i]);
    if (word == "--seeds" && i + 1 < count) arguments.count = number_in(words[++i]);
  }
  return arguments;
}

// 0.99: what 99 of 100 do not pass.
double part_of(std::vector<double> all, double part) {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  const auto at = static_cast<std::size_t>(part * static_cast<double>(all.size()));
  return all[std::min(at, all.size() - 1)];
}

std::string command_for(const Scenario& scenario) {
  std::string command =
      "build/release/bin/simulate --history --seed " + std::to_string(scenario.seed);
  for (std::size_t i = 0; i < scenario.injections.size(); ++i)
    command += (i == 0 ? " --only " : ",") + std::to_string(scenario.injections[i].number);
  return command;
}

// Another failure that shows on the way is not what is looked for.
void explain(const Scenario& scenario, const std::string& violation, bool shrinks) {
  Scenario shortest = scenario;
  if (shrinks)
    shortest = shrink(
        scenario,
        [&](const Scenario& one) { return is_same_violation(simulate(one).violation, violation); },
        400);
  std::printf("\nWhat happened:\n");
  const Outcome replayed = simulate(shortest, History::Keep::Print);
  std::printf("\nThe shortest scenario that was found, of %zu things that happen %zu:\n%s",
              scenario.injections.size(), shortest.injections.size(), to_text(shortest).c_str());
  std::printf("\n%s\n%s\n", replayed.violation.c_str(), command_for(shortest).c_str());
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = read_arguments(count, words);
  // Lines of a history are there when the program aborts.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  signal(SIGABRT, tell_seed);
  signal(SIGSEGV, tell_seed);
  signal(SIGALRM, tell_seed);  // a lock that is held across a wait stops everything
  std::uint64_t drawn = 0;
  std::uint64_t faults = 0;
  std::uint64_t steps = 0;
  double lasted = 0;
  std::vector<double> settled;  // seconds
  std::uint64_t excused = 0;
  double slowest = 0;
  std::uint64_t quiet_requests = 0;
  for (std::uint64_t seed = arguments.first; seed < arguments.first + arguments.count; ++seed) {
    set_running_seed(seed);
    alarm(kSecondsMax);
    Scenario scenario = draw_scenario(seed);
    if (!arguments.only.empty()) keep_only(scenario, arguments.only);
    const Outcome outcome =
        simulate(scenario, arguments.history ? History::Keep::Print : History::Keep::Hash);
    drawn += outcome.drawn;
    faults += outcome.faults;
    steps += outcome.steps;
    lasted += std::chrono::duration<double>(outcome.lasted).count();
    const double took_to_settle = std::chrono::duration<double>(outcome.settled_after).count();
    settled.push_back(took_to_settle);
    if (outcome.is_excused) ++excused;
    if (!outcome.is_excused) slowest = std::max(slowest, took_to_settle);
    quiet_requests = std::max(quiet_requests, outcome.quiet_requests);
    if (outcome.violation.empty()) continue;
    std::printf("\nseed %llu fails after %llu faults: %s\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(faults), outcome.violation.c_str());
    if (arguments.explains) explain(scenario, outcome.violation, arguments.shrinks);
    return 1;
  }
  // Of one processor, however many others use it.
  const double took = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  std::printf(
      "%llu simulations from seed %llu: %llu faults of %llu that were drawn had an effect, %llu "
      "steps, %.0f s of virtual time in %.1f s of a processor (%.0f times as fast); no violation\n",
      static_cast<unsigned long long>(arguments.count),
      static_cast<unsigned long long>(arguments.first), static_cast<unsigned long long>(faults),
      static_cast<unsigned long long>(drawn), static_cast<unsigned long long>(steps), lasted, took,
      lasted / took);
  std::printf(
      "Settled after %.0f s (p50), %.0f s (p99), %.0f s (at most); %llu had an excuse for more "
      "than "
      "300 s, and of the others none took longer than %.0f s. In the end at most %llu requests in "
      "90 "
      "s\n",
      part_of(settled, 0.5), part_of(settled, 0.99), part_of(settled, 1),
      static_cast<unsigned long long>(excused), slowest,
      static_cast<unsigned long long>(quiet_requests));
  return 0;
}
