// as: src/cli/nap_test.cc
// breaks: no-sleep
// ---
// SPDX-License-Identifier: Apache-2.0
#include <thread>
void nap() { std::this_thread::sleep_for(std::chrono::seconds(1)); }
