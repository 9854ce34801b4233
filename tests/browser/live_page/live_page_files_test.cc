// SPDX-License-Identifier: Apache-2.0
// The files of the live page as a program carries them.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "web/page_assets.h"

namespace proxima {
namespace {

std::map<std::string, std::string> names() {
  std::istringstream lines{std::string(embedded::kLivePageNames)};
  std::map<std::string, std::string> names;
  for (std::string plain, hashed; lines >> plain >> hashed;) names[plain] = hashed;
  return names;
}

TEST(LivePageFiles, TheIndexAsksForEveryOtherFileByItsHashedName) {
  ASSERT_EQ(names().size(), 3u);
  for (const auto& [plain, hashed] : names()) {
    EXPECT_NE(plain, hashed);
    EXPECT_NE(embedded::kLiveIndexHtml.find("\"/assets/" + hashed + "\""), std::string_view::npos)
        << hashed;
  }
  EXPECT_EQ(embedded::kLiveIndexHtml.find("{{"), std::string_view::npos);
}

TEST(LivePageFiles, TheIndexHasNothingThatThePolicyForbids) {
  for (const char* const forbidden : {"style=", "<style", "onclick", "src=\"http", "href=\"http"}) {
    EXPECT_EQ(embedded::kLiveIndexHtml.find(forbidden), std::string_view::npos) << forbidden;
  }
}

TEST(LivePageFiles, TheBundleIsSmallAndCarriesTheLicencesOfItsLibraries) {
  EXPECT_LT(embedded::kLiveAppJs.size(), 260'000u);
  EXPECT_LT(embedded::kLiveAppCss.size(), 40'000u);
  EXPECT_NE(embedded::kLiveIconSvg.find("<svg"), std::string_view::npos);
  for (const char* const library : {"preact 10", "uplot 1", "d3-shape 3", "@preact/signals 2"}) {
    EXPECT_NE(embedded::kLiveAppJs.substr(0, 20'000).find(library), std::string_view::npos)
        << library;
  }
}

}  // namespace
}  // namespace proxima
