// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_planner.h"

#include <gtest/gtest.h>

#include "support/planner_world.h"

namespace proxima::slices {
namespace {

using test::PlannerWorld;

constexpr const char* kEqual = "n1 a 4;n2 b 4;n3 c 4;n4 a 4;n5 b 4;n6 c 4;n9 - 4 !ready";

struct Row {
  const char* name;
  const char* service;
  std::vector<std::string> creates;
  std::vector<std::pair<std::string, std::string>> updates;
  std::vector<std::string> unchanged;
  const char* after;
};

void check(const std::vector<Row>& rows, const char* nodes = kEqual) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    PlannerWorld world(nodes);
    std::vector<FamilyDraft> drafts{world.draft(row.creates, row.updates, row.unchanged)};
    world.decide(row.service, drafts);
    EXPECT_EQ(world.show(drafts[0]), row.after);
  }
}

// name, service, creates, updates {before, now}, unchanged, after
TEST(SlicePlanner, HintsTheOwnPlaceOfEveryReadyEndpoint) {
  check({
      {"own zone where slices are written",
       "PreferClose",
       {"n1 n2"},
       {{"", "n3 n4"}},
       {},
       "create n1>a n2>b | update n3>c n4>a"},
      {"PreferSameZone is the same", "PreferSameZone", {"n1 n2"}, {}, {}, "create n1>a n2>b"},
      {"PreferSameNode names the node as well",
       "PreferSameNode",
       {"n1 n2"},
       {},
       {},
       "create n1>a@n1 n2>b@n2"},
      {"right hints stay unwritten", "PreferClose", {}, {}, {"n1>a n2>b"}, "keep n1>a n2>b"},
      {"a missing hint makes an update",
       "PreferClose",
       {},
       {},
       {"n1>a n2", "n3>c"},
       "update n1>a n2>b | keep n3>c"},
      {"so does a wrong one", "PreferClose", {}, {}, {"n1>b n2>b"}, "update n1>a n2>b"},
      {"so does one too many", "PreferClose", {}, {}, {"n1>a,b n2>b"}, "update n1>a n2>b"},
      {"a node hint that is not due goes", "PreferClose", {}, {}, {"n1>a@n1"}, "update n1>a"},
      {"an unready endpoint is not looked at",
       "PreferClose",
       {},
       {},
       {"n1>a n2! n3!>a"},
       "keep n1>a n2! n3!>a"},
      {"nor changed where its slice is written",
       "PreferClose",
       {},
       {{"", "n1 n3!>a"}},
       {},
       "update n1>a n3!>a"},
      {"no zone, no zone hint, and the others keep theirs",
       "PreferClose",
       {"n1 n9"},
       {},
       {},
       "create n1>a n9"},
      {"no zone under PreferSameNode: the node alone",
       "PreferSameNode",
       {"n9"},
       {},
       {},
       "create n9@n9"},
      {"nothing asked for removes all hints",
       "",
       {"n1>a"},
       {{"", "n2>b n3!>c"}},
       {"n4>a", "n5"},
       "create n1 | update n2 n3! | update n4 | keep n5"},
      {"so does a value that nobody knows",
       "distribution=PreferMoon",
       {},
       {},
       {"n4>a@n4", "n5!>b"},
       "update n4 | update n5!"},
      {"nobody ready: nothing to say", "PreferClose", {}, {}, {"n1! n2!>b"}, "keep n1! n2!>b"},
      {"no endpoint at all", "PreferClose", {}, {}, {""}, "keep"},
  });
}

TEST(SlicePlanner, HintsWholeEndpointsByCpu) {
  check({
      {"one a zone", "Auto", {"n1 n2 n3"}, {}, {}, "create n1>a n2>b n3>c"},
      {"lends where a zone has too many",
       "Auto",
       {"n1 n4 n2 n5 n3 n1/a"},
       {},
       {},
       "create n1>c n4>a n2>b n5>b n3>c n1>a"},
      {"two endpoints for three zones are refused",
       "Auto",
       {"n1 n2"},
       {},
       {"n3!>c"},
       "create n1 n2 | update n3!"},
      {"what is right stays", "Auto", {}, {}, {"n1>a n2>b n3>c"}, "keep n1>a n2>b n3>c"},
      {"created slices are hinted beside kept ones",
       "Auto",
       {"n1 n2 n3"},
       {},
       {"n4>a n5>b n6>c"},
       "create n1>a n2>b n3>c | keep n4>a n5>b n6>c"},
      {"an updated slice gets back what packing took away",
       "Auto",
       {},
       {{"n1>a n2>b n3>c n4>a", "n1 n2 n3"}},
       {},
       "update n1>a n2>b n3>c"},
      {"unready endpoints have none where a slice is written",
       "Auto",
       {},
       {{"", "n1 n2 n3 n4!>a"}},
       {},
       "update n1>a n2>b n3>c n4!"},
      {"and are not looked at where it is not",
       "Auto",
       {},
       {},
       {"n1>a n2>b n3>c n4!>a"},
       "keep n1>a n2>b n3>c n4!>a"},
      {"node hints of another policy go",
       "Auto",
       {},
       {},
       {"n1>a@n1 n2>b n3>c"},
       "update n1>a n2>b n3>c"},
      {"an endpoint without a zone ends it for all",
       "Auto",
       {},
       {},
       {"n1>a n2>b n3>c", "n9"},
       "update n1 n2 n3 | keep n9"},
      {"the annotation is stronger than the field, even if it cannot",
       "Auto PreferClose",
       {},
       {},
       {"n1>a"},
       "update n1"},
  });
}

TEST(SlicePlanner, HoldsHintsUpToTheSecondThreshold) {
  // Two zones of 4 cores and five endpoints: the best allotment overloads one by 25 %.
  check({{"not begun at 25 %", "Auto", {"n1 n2 n3 n4 n5"}, {}, {}, "create n1 n2 n3 n4 n5"}},
        "n1 a 4;n2 b 4;n3 a 4 !ready;n4 b 4 !ready;n5 a 4 !ready");
  check({{"kept at 25 %",
          "Auto",
          {},
          {},
          {"n1>a n2>b n3>a n4>b n5>a"},
          "keep n1>a n2>b n3>a n4>b n5>a"},
         {"also when the slice is written and packing took the hints away",
          "Auto",
          {},
          {{"n1>a n2>b n3>a n4>b n6>a", "n1 n2 n3 n4 n5"}},
          {},
          "update n1>a n2>b n3>a n4>b n5>a"},
         {"not begun where some had none",
          "Auto",
          {},
          {{"n1>a n2>b n3>a n4", "n1 n2 n3 n4 n5"}},
          {},
          "update n1 n2 n3 n4 n5"}},
        "n1 a 4;n2 b 4;n3 a 4 !ready;n4 b 4 !ready;n5 a 4 !ready");
}

}  // namespace
}  // namespace proxima::slices
