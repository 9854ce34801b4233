// SPDX-License-Identifier: Apache-2.0
// The comparison page as a browser sees it.
#include <gtest/gtest.h>

#include <iostream>

#include "browser/comparison_page/browser.h"
#include "cli/compare_page.h"
#include "support/example_comparison.h"

namespace proxima::testing {
namespace {

std::map<std::string, std::string> probe(const plan::Comparison& comparison, const Look& look,
                                         const cli::ComparePageInfo& info = example_page_info()) {
  return probe_page(cli::render_compare_page(comparison, info), look);
}

struct Row {
  const char* name;
  const char* value;
};

void expect(const std::map<std::string, std::string>& findings, std::span<const Row> rows) {
  ASSERT_FALSE(findings.empty()) << "the browser did not show the page";
  for (const auto& [name, value] : rows) {
    const auto found = findings.find(name);
    ASSERT_NE(found, findings.end()) << "nothing was found about: " << name;
    EXPECT_EQ(found->second, value) << name;
  }
}

// What holds at every width and in both themes.
constexpr Row kAlways[] = {
    {"state", "ready"},           {"errors", "none"},         {"sticks out by", "0"},
    {"elements outside", "none"}, {"faint texts", "none"},    {"fetched", "0"},
    {"clipped", "none"},          {"unlabelled points", "0"}, {"unnamed controls", "0"},
};

constexpr Row kExample[] = {
    {"points", "14"},
    {"points on the line", "8"},
    {"dominated points", "4"},  // as-configured, cluster-wide, auto, zone-aware
    {"cells", "9"},             // three zones; nothing is without a zone, so that place is hidden
    {"bars", "10"},
    {"policies", "14"},
    {"tiles", "4"},
    {"reasons", "3"},
    {"rows", "25"},
    {"heat map follows the choice", "true"},
    {"lede follows the choice", "true"},
    {"a key chooses a point", "true"},
    {"one point is pressed", "1"},
    {"focus shows the tooltip", "true"},
    {"escape hides it", "true"},
    {"heat map views differ", "3"},
    {"arrows move in the heat map", "1"},
    {"sorted by name", "true"},
    {"sorted the other way", "descending"},
    {"lines of a detail", "14"},
    {"reasons in a detail", "14"},
    {"sticks out with a row open by", "0"},
    {"filtered", "1–2 of 2 services"},
    {"filtered to nothing", "No service matches"},
    {"one reason", "1–3 of 3 services"},
    {"next page", "26–41 of 41 services"},
};

class AtEveryWidthAndTheme : public ::testing::TestWithParam<Look> {};

TEST_P(AtEveryWidthAndTheme, ShowsEveryChartAndAnswersEveryControl) {
  const auto findings = probe(example_comparison(), GetParam());
  expect(findings, kAlways);
  expect(findings, kExample);
  const std::string width = std::to_string(GetParam().width);
  const Row look[] = {{"width", width.c_str()}, {"theme", GetParam().dark ? "dark" : "light"}};
  expect(findings, look);
}

INSTANTIATE_TEST_SUITE_P(Page, AtEveryWidthAndTheme,
                         ::testing::Values(Look{1280, false}, Look{1280, true}, Look{1920, false},
                                           Look{820, false}, Look{400, false}, Look{400, true},
                                           Look{380, false}),
                         [](const auto& test) {
                           return std::to_string(test.param.width) +
                                  (test.param.dark ? "Dark" : "Light");
                         });

TEST(Page, ShowsNamesAsTextWhateverTheyHold) {
  auto services = example_services();
  services.front().name = "</script><script>window.smuggled=1</script><img src=x onerror=alert(1)>";
  services.front().gigabytes = 1e6;
  const auto findings = probe(compare_examples(services), {});
  expect(findings, kAlways);
  const Row rows[] = {{"smuggled", "undefined"},
                      {"first service",
                       "checkout/</script><script>window.smuggled=1</script>"
                       "<img src=x onerror=alert(1)>"}};
  expect(findings, rows);
}

TEST(Page, SpeaksOfGigabytesWhenNoPriceIsKnown) {
  cli::ComparePageInfo info = example_page_info();
  info.price_per_gb = 0;
  info.period.clear();
  const auto findings = probe(example_comparison(), {.width = 400}, info);
  expect(findings, kAlways);
  expect(findings, kExample);
}

TEST(Page, IsDrawnForAClusterWithoutServices) {
  const auto findings = probe(compare_examples({}), {});
  expect(findings, kAlways);
  const Row rows[] = {{"points", "14"}, {"bars", "0"}, {"rows", "0"}, {"reasons", "0"}};
  expect(findings, rows);
}

// Zones without services: what is looked at is the heat map alone.
plan::Comparison traffic_between(std::size_t zones) {
  plan::Comparison comparison = compare_examples({});
  model::Snapshot snapshot;
  for (std::size_t zone = 0; zone < zones; ++zone) {
    const std::string name = "europe-central2-" + std::string(1, static_cast<char>('a' + zone));
    snapshot.zones.push_back({snapshot.names.intern(name), {}});
  }
  comparison.snapshot = std::make_shared<const model::Snapshot>(std::move(snapshot));
  comparison.places = zones + 1;
  for (plan::VariantTotal& total : comparison.totals) {
    total = {.local = 0.5, .cross = 0.5, .gigabytes = 1e5, .place_to_place = {}};
    total.place_to_place.resize(comparison.places * comparison.places);
    for (std::size_t i = 0; i < zones * zones; ++i) {
      total.place_to_place[i / zones * comparison.places + i % zones] =
          123 + static_cast<double>(i);
    }
  }
  return comparison;
}

TEST(Page, ClipsNoCellHoweverManyZonesThereAre) {
  for (const std::size_t zones : {2U, 6U, 15U}) {
    const std::string cells = std::to_string(zones * zones);
    for (const int width : {1280, 400}) {
      const auto findings = probe(traffic_between(zones), {.width = width});
      expect(findings, kAlways);
      const Row rows[] = {{"cells", cells.c_str()}};
      expect(findings, rows);
    }
  }
}

TEST(Page, IsDrawnForOnePolicyAlone) {
  plan::Comparison comparison = example_comparison();
  comparison.variants.resize(1);
  comparison.totals.resize(1);
  for (auto& service : comparison.services) service.outcomes.resize(1);
  cli::ComparePageInfo info = example_page_info();
  info.recommended = 0;
  const auto findings = probe(comparison, {}, info);
  expect(findings, kAlways);
  const Row rows[] = {{"points", "1"}, {"dominated points", "0"}, {"bars", "0"}, {"cells", "9"}};
  expect(findings, rows);
}

TEST(Page, ShowsTenThousandServicesAPageAtATime) {
  auto services = example_services();
  const std::size_t once = services.size();
  while (services.size() < 10'000) services.push_back(services[services.size() % once]);
  const std::string html =
      cli::render_compare_page(compare_examples(services), example_page_info());
  EXPECT_LT(html.size(), 6'000'000U);
  const auto findings = probe_page(html, {});
  expect(findings, kAlways);
  const Row rows[] = {{"rows", "25"}, {"next page", "26–50 of 10,000 services"}};
  expect(findings, rows);
}

}  // namespace
}  // namespace proxima::testing

int main(int argc, char** argv) {
  if (!proxima::testing::find_browser()) {
    std::cout << "skipped: no chromium in the path, so the page cannot be opened\n";
    return 77;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
