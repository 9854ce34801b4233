// as: src/core/plan/late.cc
// breaks: no-clock-in-core
// ---
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
auto now() { return std::chrono::system_clock::now(); }
