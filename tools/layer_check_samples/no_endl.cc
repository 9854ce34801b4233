// as: src/app/flushing.cc
// breaks: no-endl
// ---
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
void line() { std::cout << std::endl; }
