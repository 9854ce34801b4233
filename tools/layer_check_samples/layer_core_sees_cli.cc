// as: src/core/plan/upward.cc
// breaks: layer
// ---
// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"
