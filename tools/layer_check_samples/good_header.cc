// as: src/core/policy/nearest.h
// breaks: nothing
// ---
// SPDX-License-Identifier: Apache-2.0
// One more policy.
#pragma once

#include <span>
