// as: src/core/policy/nearest.cc
// breaks: nothing
// ---
// SPDX-License-Identifier: Apache-2.0
// Why this passes: comments and literals may say assert(x), std::cout or "throw".
#include "core/policy/nearest.h"

#include <string_view>
#include <vector>

#include "base/check.h"
#include "core/model/endpoint.h"

static_assert(sizeof(int) >= 4);
constexpr std::string_view kText = "std::cout << rand() // throw";
constexpr int kMany = 1'000'000;
constexpr char kQuote = '"';
int operand(int brand) { return brand; }
