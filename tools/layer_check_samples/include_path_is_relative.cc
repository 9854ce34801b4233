// as: src/core/plan/relative.cc
// breaks: include-path
// ---
// SPDX-License-Identifier: Apache-2.0
#include "cluster_plan.h"
