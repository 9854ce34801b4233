// as: src/core/policy/dice.cc
// breaks: no-hidden-randomness
// ---
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
int dice() { return std::rand() % 6; }
