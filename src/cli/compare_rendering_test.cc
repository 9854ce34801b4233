// SPDX-License-Identifier: Apache-2.0
// Which policies are compared, and a small comparison in every form it is printed in.
#include <gtest/gtest.h>

#include <limits>

#include "cli/compare_document.h"
#include "cli/compare_table.h"
#include "cli/compare_variants.h"
#include "support/cluster.h"
#include "support/golden.h"

namespace proxima::cli {
namespace {

std::string names(const std::vector<plan::Variant>& variants) {
  std::string out;
  for (const auto& variant : variants) out += (out.empty() ? "" : ", ") + variant.name;
  return out;
}

TEST(CompareVariants, AskedForOrAllThatMakeSense) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(names(choose_variants({}, {})),
            "as-configured, cluster-wide, auto, prefer-same-zone, prefer-same-node, zone-aware, "
            "balanced 0%, balanced 20%, balanced 50%");
  EXPECT_EQ(names(choose_variants({"auto", "as-configured", "auto"}, {})), "auto, as-configured");
  EXPECT_EQ(names(choose_variants({"balanced"}, {0.1, inf, 0.1})), "balanced 10%, balanced inf");
}

TEST(CompareVariants, APageGetsTheFrontierToo) {
  const auto variants = with_frontier(choose_variants({"auto", "balanced"}, {0.07}));
  EXPECT_EQ(variants[0].name, "auto");
  EXPECT_EQ(variants[1].name, "balanced 7%");
  EXPECT_EQ(variants[2].name, "as-configured");
  EXPECT_EQ(variants.back().name, "balanced inf");
  EXPECT_EQ(variants[recommended_variant(variants)].name, "balanced 20%");
  EXPECT_EQ(recommended_variant({{"auto", policy::PolicyKind::Auto, std::nullopt}}), 0U);
}

plan::Comparison comparison(const std::vector<plan::Variant>& variants) {
  plan::TrafficVolume volume;
  volume.gigabytes[{"shop", "web"}] = 3;
  const auto everything = [](const model::Service&) { return true; };
  return plan::compare_policies(
      test::cluster("node n1 a 4; node n2 b 4\n"
                    "service shop/cart; endpoint n1\n"
                    "service shop/web PreferSameZone; endpoint n1; endpoint n2\n"),
      {}, variants, volume, everything);
}

CompareFacts facts(std::size_t variants) {
  return {.variants_shown = variants,
          .money_per_unit = 0.02,
          .price = "$0.02 per GB",
          .traffic = "as in a file",
          .demand = "by CPU"};
}

TEST(CompareRendering, TotalsFirstThenTheServicesThatDifferMost) {
  const auto compared = comparison(choose_variants({"as-configured", "cluster-wide"}, {}));
  test::expect_golden("cli/golden/compare.txt",
                      compare_text(compared, facts(2), {.table = {}, .services_shown = 1}));
}

TEST(CompareRendering, WithoutHeadersThereAreOnlyRows) {
  const auto compared = comparison(choose_variants({"cluster-wide"}, {}));
  EXPECT_EQ(compare_text(compared, facts(1), {.table = {.headers = false}, .services_shown = 9}),
            "cluster-wide  50%  50%  0%  0%  $0.0400\n\n"
            "shop/cart  cluster-wide  50%  50%  0%  $0.0100  cluster_wide\n"
            "shop/web   cluster-wide  50%  50%  0%  $0.0300  cluster_wide\n");
}

TEST(CompareRendering, AsYaml) {
  const auto compared = comparison(choose_variants({"balanced", "auto"}, {0}));
  test::expect_golden("cli/golden/compare.yaml",
                      compare_document(compared, facts(1), report::DocumentFormat::Yaml));
}

}  // namespace
}  // namespace proxima::cli
