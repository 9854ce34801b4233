// as: src/manifest/pattern.cc
// breaks: no-std-regex
// ---
// SPDX-License-Identifier: Apache-2.0
#include <regex>
const std::regex kName("[a-z]+");
