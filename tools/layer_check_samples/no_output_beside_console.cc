// as: src/cli/chatty_command.cc
// breaks: no-output-beside-console
// ---
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
void speak(const char* name) { std::fprintf(stdout, "%s\n", name); }
