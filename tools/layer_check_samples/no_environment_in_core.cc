// as: src/core/plan/ambient.cc
// breaks: no-environment-in-core
// ---
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
bool enabled() { return std::getenv("GATE") != nullptr; }
