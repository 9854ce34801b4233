// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_page.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/compare_page_json.h"
#include "cli/page_assets.h"
#include "support/example_comparison.h"
#include "support/source_folder.h"

namespace proxima::cli {
namespace {

using testing::compare_examples;
using testing::example_comparison;
using testing::example_page_info;
using testing::example_services;

std::string source_file(const std::string& name) {
  std::ostringstream out;
  out << std::ifstream(std::filesystem::path(test::source_folder()) / "ui/compare" / name).rdbuf();
  return out.str();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ComparePage, CarriesTheBytesOfItsPartsUnchanged) {
  EXPECT_EQ(embedded::kCompareHtml, source_file("compare.html"));
  EXPECT_EQ(embedded::kCompareCss, source_file("compare.css"));
  EXPECT_TRUE(embedded::kCompareJs.starts_with(source_file("page.js")));
  EXPECT_TRUE(embedded::kCompareJs.ends_with(source_file("compare.js")));
}

TEST(ComparePage, IsOneFileWithNothingToFetch) {
  const std::string page = render_compare_page(example_comparison(), example_page_info());
  for (const char* part : {"src=", "@import", "url(http", "fetch(", "<iframe", "{{"}) {
    EXPECT_EQ(count(page, part), 0U) << part;
  }
  EXPECT_EQ(count(page, "<script"), 2U);
  EXPECT_EQ(count(page, "</script>"), 2U);
  EXPECT_EQ(count(page, "</style>"), 1U);
  EXPECT_NE(page.find("default-src 'none'"), page.npos);
}

TEST(ComparePage, IsTheSameForTheSameInput) {
  EXPECT_EQ(render_compare_page(example_comparison(), example_page_info()),
            render_compare_page(example_comparison(), example_page_info()));
}

TEST(ComparePage, LetsNoNameOrTextBecomeMarkup) {
  auto services = example_services();
  services[0].name = "</script><script>alert(1)</script>";
  services[1].name = "{{js}}";
  ComparePageInfo info = example_page_info();
  info.title = "<b>&{{data}}</b>";
  info.source = "<!--";
  const std::string page = render_compare_page(compare_examples(services), info);
  EXPECT_EQ(count(page, "alert(1)</script>"), 0U);
  EXPECT_EQ(count(page, "\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), 1U);
  EXPECT_EQ(count(page, "\"{{js}}\""), 1U);
  EXPECT_NE(page.find("<title>&lt;b&gt;&amp;{{data}}&lt;/b&gt;</title>"), page.npos);
  EXPECT_EQ(count(page, "<!--"), 1U);  // the licence line of the template
}

TEST(ComparePageJson, SaysWhatAComparisonSays) {
  const std::string json = compare_page_json(example_comparison(), example_page_info());
  struct Row {
    const char* name;
    const char* part;
  };
  const Row rows[] = {
      {"what is compared with what", R"("now":0,"recommended":9)"},
      {"zones, and the place for nodes without one",
       R"("places":["eu-west-1a","eu-west-1b","eu-west-1c","no zone"])"},
      {"policies have no bound", R"({"name":"auto","theta":null)"},
      {"a bound is a number", R"({"name":"balanced 20%","theta":0.2)"},
      {"no bound is a word", R"({"name":"balanced inf","theta":"inf")"},
      {"nobody beats the recommended one", R"("dominatedBy":{"worst":-1,"mean":-1})"},
      {"settings without effect have a code", R"({"code":"too_few_endpoints")"},
      {"and a remedy", R"("remedy":"run at least one ready endpoint a zone)"},
      {"a column of equal values is one value", R"("family":4)"},
      {"nothing is rejected anywhere", R"("rejected":0,"overload")"},
      {"one price needs no column of costs", R"("costOfCross":1,)"},
      {"sentences come with their weight", R"(["Topology Aware Hints has been enabled","good"])"},
  };
  for (const Row& row : rows) EXPECT_NE(json.find(row.part), json.npos) << row.name;
  EXPECT_EQ(count(json, "Topology Aware Hints has been enabled"), 1U);
}

TEST(ComparePageJson, GivesCostsOfTheirOwnWherePricesDiffer) {
  plan::Comparison comparison = example_comparison();
  comparison.services[3].outcomes[1].cost *= 2;
  const std::string json = compare_page_json(comparison, example_page_info());
  EXPECT_NE(json.find(R"("costOfCross":null)"), json.npos);
  EXPECT_EQ(count(json, R"("cost":[)"), comparison.variants.size());
}

TEST(ComparePageJson, StaysSmallForTenThousandServices) {
  auto services = example_services();
  const std::size_t once = services.size();
  while (services.size() < 10'000) services.push_back(services[services.size() % once]);
  const std::string json = compare_page_json(compare_examples(services), example_page_info());
  EXPECT_LT(json.size(), 5'000'000U);
}

}  // namespace
}  // namespace proxima::cli
