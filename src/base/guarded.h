// SPDX-License-Identifier: Apache-2.0
// Work that may break down without taking the program with it: one Service's plan, routes or
// slices. A broken invariant (PROXIMA_CHECK) or an exception inside it ends that work alone.
//
// The work is unwound wherever it was, so it must make values and hand them over at its end; what
// it changes in place has to be thrown away after a breakdown. Threads that it starts are not
// guarded.
#pragma once

#include <optional>
#include <string>

namespace proxima {

// What ended the work: "broken invariant: capacity > 0 (balanced.cc:37)".
struct Breakdown {
  std::string what;
};

// While one exists on this thread, a broken invariant is an exception.
class GuardedScope {
 public:
  GuardedScope() { ++depth; }
  ~GuardedScope() { --depth; }
  GuardedScope(const GuardedScope&) = delete;
  GuardedScope& operator=(const GuardedScope&) = delete;

  static bool is_active() { return depth > 0; }

 private:
  static thread_local int depth;
};

// For check_failed() alone: leaves the innermost run_guarded().
[[noreturn]] void break_down(const char* condition, const char* file, int line);
// Of the exception that is being handled.
Breakdown current_breakdown();

// nullopt: work() came to its end.
template <class Work>
std::optional<Breakdown> run_guarded(Work&& work) {
  const GuardedScope scope;
  try {
    work();
    return std::nullopt;
  } catch (...) {
    return current_breakdown();
  }
}

}  // namespace proxima
