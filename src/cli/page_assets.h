// SPDX-License-Identifier: Apache-2.0
// The parts of the comparison page, put into the program at build time by cmake/EmbedFile.cmake
// from ui/compare/.
#pragma once

#include <string_view>

namespace proxima::embedded {

extern const std::string_view kCompareHtml;
extern const std::string_view kCompareCss;
extern const std::string_view kCompareJs;

}  // namespace proxima::embedded
