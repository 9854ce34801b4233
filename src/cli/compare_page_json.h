// SPDX-License-Identifier: Apache-2.0
// The figures of the comparison page as JSON that may stand inside a <script> element. Everything
// that is a judgement (who is dominated, which settings have no effect) is made here; the page only
// draws.
//
// Compact, because a cluster of 10,000 services has half a million figures: services are columns,
// not objects; a column whose values are all equal is that one value; shares are whole numbers of
// 1/10,000; sentences are listed once and referred to by number.
#pragma once

#include <string>

#include "cli/compare_page.h"

namespace proxima::cli {

std::string compare_page_json(const plan::Comparison& comparison, const ComparePageInfo& info);

}  // namespace proxima::cli
