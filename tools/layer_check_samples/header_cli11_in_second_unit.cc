// as: src/cli/plan_command.cc
// breaks: header
// ---
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
