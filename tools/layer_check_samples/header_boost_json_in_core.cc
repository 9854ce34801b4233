// as: src/core/plan/report.cc
// breaks: header
// ---
// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>
