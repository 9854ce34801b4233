// as: src/core/policy/chatty.cc
// breaks: no-output-in-core
// ---
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
void speak() { std::cout << "hello\n"; }
