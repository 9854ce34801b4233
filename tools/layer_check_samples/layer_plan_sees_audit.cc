// as: src/core/plan/leaning.cc
// breaks: layer
// ---
// SPDX-License-Identifier: Apache-2.0
#include "core/audit/audit_plan.h"
