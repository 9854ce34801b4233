// as: src/base/hopeful.cc
// breaks: no-assert
// ---
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
void hope(int x) { assert(x > 0); }
