// as: src/core/policy/dice_test.cc
// breaks: no-hidden-randomness
// ---
// SPDX-License-Identifier: Apache-2.0
#include <random>
std::mt19937 generator(std::random_device{}());
