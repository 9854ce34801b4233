// as: src/core/plan/shuffled.cc
// breaks: no-unordered-in-core
// ---
// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>
std::unordered_map<int, int> shares;
