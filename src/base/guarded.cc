// SPDX-License-Identifier: Apache-2.0
#include "base/guarded.h"

#include <exception>

namespace proxima {
namespace {

struct BrokenInvariant {
  const char* condition;
  const char* file;
  int line;
};

}  // namespace

thread_local int GuardedScope::depth = 0;

void break_down(const char* condition, const char* file, int line) {
  throw BrokenInvariant{condition, file, line};
}

Breakdown current_breakdown() {
  try {
    throw;
  } catch (const BrokenInvariant& broken) {
    return {std::string("broken invariant: ") + broken.condition + " (" + broken.file + ":" +
            std::to_string(broken.line) + ")"};
  } catch (const std::exception& error) {
    return {std::string("exception: ") + error.what()};
  } catch (...) {
    return {"exception of an unknown type"};
  }
}

}  // namespace proxima
