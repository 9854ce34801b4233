// as: src/core/policy/nearest_test.cc
// breaks: nothing
// ---
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cluster_plan.h"
#include "support/clusters.h"

#include <gtest/gtest.h>

using namespace std::string_view_literals;

const unsigned seed = std::random_device{}();
