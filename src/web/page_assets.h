// SPDX-License-Identifier: Apache-2.0
// The files of the live page, put into a program at build time by cmake/LivePage.cmake from
// ui/live/.
#pragma once

#include <string_view>

namespace proxima::embedded {

extern const std::string_view kLiveIndexHtml;
extern const std::string_view kLiveAppJs;
extern const std::string_view kLiveAppCss;
extern const std::string_view kLiveIconSvg;
// A line for each file but the index: its plain name, and the one with a hash that it is asked for
// by.
extern const std::string_view kLivePageNames;

}  // namespace proxima::embedded
