// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_changes.h"

#include <gtest/gtest.h>

#include "support/mirror_notation.h"

namespace proxima::controller {
namespace {

using EndpointsChange = kube::Change<kube::EndpointsRecord>;
using ServiceChange = kube::Change<kube::ServiceRecord>;
using SliceChange = kube::Change<kube::EndpointSliceRecord>;

enum class Is { Gone, Allowed, Skipped };

Ref<const kube::EndpointsRecord> endpoints(Is state) {
  if (state == Is::Gone) return {};
  auto record = make_ref<kube::EndpointsRecord>(slices::endpoints_of("1 :80"));
  if (state == Is::Skipped)
    record->labels = kube::LabelSetRef(
        new kube::LabelSet({{Text("endpointslice.kubernetes.io/skip-mirror"), Text("true")}}));
  return record;
}

TEST(WantsMirroring, EndpointsThatAreOrWereToBeMirrored) {
  struct Row {
    const char* name;
    Is before;
    Is now;
    bool wants;
  };
  const Row rows[] = {
      {"added", Is::Gone, Is::Allowed, true},
      {"added, to be skipped", Is::Gone, Is::Skipped, false},
      {"changed", Is::Allowed, Is::Allowed, true},
      {"to be skipped from now on", Is::Allowed, Is::Skipped, true},
      {"no longer to be skipped", Is::Skipped, Is::Allowed, true},
      {"skipped all along", Is::Skipped, Is::Skipped, false},
      {"deleted", Is::Allowed, Is::Gone, true},
      {"deleted, was skipped", Is::Skipped, Is::Gone, false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(wants_mirroring(EndpointsChange{endpoints(row.before), endpoints(row.now)}),
              row.wants)
        << row.name;
}

enum class Selector { NoService, Null, Empty, Some };

Ref<const kube::ServiceRecord> service(Selector selector) {
  if (selector == Selector::NoService) return {};
  auto record = make_ref<kube::ServiceRecord>();
  record->meta.name = Text("db");
  std::vector<kube::LabelText> labels;
  if (selector == Selector::Some) labels.push_back({Text("app"), Text("db")});
  if (selector != Selector::Null)
    record->selector = kube::LabelSetRef(new kube::LabelSet(std::move(labels)));
  return record;
}

TEST(WantsMirroring, ServicesByWhetherTheyHaveASelector) {
  struct Row {
    const char* name;
    Selector before;
    Selector now;
    bool wants;
  };
  const Row rows[] = {
      {"added without", Selector::NoService, Selector::Null, true},
      {"added with one", Selector::NoService, Selector::Some, false},
      {"added with an empty one", Selector::NoService, Selector::Empty, false},
      {"gets one", Selector::Null, Selector::Some, true},
      {"gets an empty one", Selector::Null, Selector::Empty, true},
      {"loses it", Selector::Some, Selector::Null, true},
      {"another one", Selector::Some, Selector::Empty, false},
      {"none all along", Selector::Null, Selector::Null, false},
      {"deleted without", Selector::Null, Selector::NoService, true},
      {"deleted with one", Selector::Some, Selector::NoService, false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(wants_mirroring(ServiceChange{service(row.before), service(row.now)}), row.wants)
        << row.name;
}

class MirrorsToSync : public ::testing::Test {
 protected:
  SliceRef slice(std::int64_t generation, const char* service = "db", bool mirrored = true) {
    auto record =
        make_ref<kube::EndpointSliceRecord>(slices::slice_of(slices::endpoints_of(""), "s=1 :80"));
    record->generation = generation;
    record->service = Text(service);
    if (!mirrored) record->labels = {};
    return record;
  }
  std::string keys(const SliceChange& change) {
    std::string out;
    for (const std::string& key : mirrors_to_sync(change, tracker_)) out += key + " ";
    return out;
  }

  SliceTracker tracker_;
};

TEST_F(MirrorsToSync, SlicesThatNobodyHereWrote) {
  EXPECT_EQ(keys({{}, slice(1)}), "shop/db ");
  EXPECT_EQ(keys({{}, slice(1, "db", false)}), "") << "another controller's";
  EXPECT_EQ(keys({{}, slice(1, "")}), "") << "nobody's";
  EXPECT_EQ(keys({slice(1), slice(2)}), "shop/db ");
}

TEST_F(MirrorsToSync, OwnWritesAreNoNews) {
  tracker_.wrote("shop/db", "uid-s", 2);
  EXPECT_EQ(keys({{}, slice(2)}), "");
  EXPECT_EQ(keys({slice(1), slice(2)}), "");
  EXPECT_EQ(keys({slice(2), slice(3)}), "shop/db ");
  tracker_.deleted("shop/db", "uid-s");
  EXPECT_EQ(keys({slice(2), {}}), "");
}

TEST_F(MirrorsToSync, SlicesThatSomebodyElseTakesAway) {
  EXPECT_EQ(keys({slice(1), {}}), "shop/db ") << "an earlier leader wrote it";
  EXPECT_EQ(keys({slice(1, ""), {}}), "") << "nobody's";
  tracker_.wrote("shop/db", "uid-s", 1);
  EXPECT_EQ(keys({slice(1), {}}), "shop/db ");
  tracker_.wrote("shop/db", "uid-s", 1);
  EXPECT_EQ(keys({slice(1), slice(1, "db", false)}), "shop/db ") << "the label is changed";
  EXPECT_FALSE(tracker_.is_stale("shop/db", {})) << "it is not waited for";
  tracker_.wrote("shop/db", "uid-s", 1);
  EXPECT_EQ(keys({slice(1), slice(1, "other")}), "shop/other shop/db ");
  EXPECT_FALSE(tracker_.is_stale("shop/db", {}));
  EXPECT_EQ(keys({slice(1, "db", false), slice(1)}), "shop/db ") << "and given back";
}

}  // namespace
}  // namespace proxima::controller
