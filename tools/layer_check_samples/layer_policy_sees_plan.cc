// as: src/core/policy/upward.cc
// breaks: layer
// ---
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cluster_plan.h"
