// as: src/core/policy/heavy.cc
// breaks: header
// ---
// SPDX-License-Identifier: Apache-2.0
#include <boost/unordered/unordered_flat_map.hpp>
