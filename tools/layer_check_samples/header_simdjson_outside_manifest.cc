// as: src/cli/read_twice.cc
// breaks: header
// ---
// SPDX-License-Identifier: Apache-2.0
#include <simdjson.h>
