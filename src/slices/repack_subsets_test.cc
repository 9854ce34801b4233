// SPDX-License-Identifier: Apache-2.0
#include "slices/repack_subsets.h"

#include <gtest/gtest.h>

#include "support/mirror_notation.h"

namespace proxima::slices {
namespace {

std::string render(const std::vector<RepackedSubset>& subsets) {
  std::string out;
  for (const RepackedSubset& subset : subsets) {
    if (!out.empty()) out += " | ";
    for (const auto* address : subset.ready) out += address_text(*address) + " ";
    for (const auto* address : subset.not_ready) out += "!" + address_text(*address) + " ";
    out += render_ports(subset.ports);
  }
  return out;
}

TEST(RepackSubsets, BringsWhatBelongsTogetherTogether) {
  struct Row {
    const char* name;
    const char* given;
    const char* repacked;
  };
  const Row rows[] = {
      {"one subset stays", "1 2 :80", "1 2 :80"},
      {"addresses are put in order, as texts", "2 10 1 :80", "1 10 2 :80"},
      {"ports are put in order", "1 :80,443", "1 :443,80"},
      {"equal addresses join their ports", "1 2 :80 | 2 1 :443", "1 2 :443,80"},
      {"equal ports join their addresses", "1 :80 | 2 :80", "1 2 :80"},
      {"an address with a port more stands apart", "1 2 :80 | 2 :443", "2 :443 | 1 2 :80"},
      {"the same twice is once", "1 1 :80,80 | 1 :80", "1 :80"},
      {"not ready anywhere is not ready", "1 :80 | !1 2 :80", "2 !1 :80"},
      {"whichever comes first", "!1 2 :80 | 1 :80", "2 !1 :80"},
      {"readiness is a port's own", "1 :80 | !1 :443", "!1 :443 | 1 :80"},
      {"no ports are kept", "1 :", "1 :"},
      {"no ports join others' ports", "1 : | 1 :80", "1 :80"},
      {"no addresses, no subset", ":80", ""},
      {"nothing", "", ""},
      {"targets tell equal addresses apart", "1@b 1@a 1 :80", "1 1@a 1@b :80"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(render(repack_subsets(endpoints_of(row.given).subsets)), row.repacked) << row.name;
}

TEST(RepackSubsets, OfAnAddressThatSaysTwoThingsTheFirstCounts) {
  auto endpoints = endpoints_of("1 :80 | 1 :443");
  endpoints.subsets[0].ready[0].node = Text("first");
  endpoints.subsets[1].ready[0].node = Text("second");
  const auto repacked = repack_subsets(endpoints.subsets);
  ASSERT_EQ(repacked.size(), 1U);
  EXPECT_EQ(repacked[0].ready[0]->node, Text("first"));
}

TEST(RepackSubsets, PortsAreEqualWhenTheySayTheSame) {
  auto endpoints = endpoints_of("1 :80 | 1 2 :80 | 3 :80");
  for (auto& subset : endpoints.subsets) subset.ports[0].app_protocol = Text("h2c");
  EXPECT_EQ(render(repack_subsets(endpoints.subsets)), "1 2 3 :80");
  endpoints.subsets[2].ports[0].app_protocol = Text("other");
  EXPECT_EQ(render(repack_subsets(endpoints.subsets)), "1 2 :80 | 3 :80");
}

// A port that no server lets pass is none: its addresses are kept.
TEST(RepackSubsets, APortWithoutANumberIsNoPort) {
  auto endpoints = endpoints_of("1 :80");
  endpoints.subsets[0].ports[0].port = std::nullopt;
  EXPECT_EQ(render(repack_subsets(endpoints.subsets)), "1 :");
}

}  // namespace
}  // namespace proxima::slices
