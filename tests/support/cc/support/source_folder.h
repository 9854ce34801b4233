// SPDX-License-Identifier: Apache-2.0
// Where the project's files are, for tests that read some. One file knows it, so that clones in
// different folders compile all others alike.
#pragma once

#include <string>

namespace proxima::test {

// "/…/proxima"
std::string source_folder();

}  // namespace proxima::test
