// SPDX-License-Identifier: Apache-2.0
#include "core/route/slice_routing.h"

#include <gtest/gtest.h>

namespace proxima::route {
namespace {

SliceRouting example() {
  SliceRouting routing;
  routing.weights = {8, 1, 1, 0.5};
  routing.kept = {0.5, 0, 0, 0};
  routing.inflow = {0.7, 0.15, 0.15, 0};
  routing.labels = {{"example.com/rack", {"7", "8", "8", std::nullopt}},
                    {"region", {"", "r1", "r1", "r1"}}};
  routing.ignores_health = true;
  routing.keys = {"example.com/rack", "*"};
  routing.requires_zone = true;
  routing.failing = {{"b", *parse_time("2026-03-01T12:00:00Z"), false},
                     {"c", *parse_time("2026-03-01T11:00:00Z"), true},
                     {"d", *parse_time("2026-03-01T12:00:01Z"), false}};
  routing.rest = {{"a", {{"a", 930}, {"b", 70}}}, {"b", {}}};
  return routing;
}

TEST(SliceRouting, IsReadAsItWasWritten) {
  const std::string text = render(example());
  EXPECT_EQ(text,
            "v1|weight=8,1*2,0.5|kept=500,0*3|inflow=70000,15000*2,0"
            "|label:example.com/rack=7,8*2,-|label:region=,r1*3|panic=all"
            "|keys=example.com/rack,*|zone=required"
            "|failover=b@2026-03-01T12:00:00Z,d@2026-03-01T12:00:01Z"
            "|spent=c@2026-03-01T11:00:00Z|rest=a=a:930,b:70;b=none");
  const auto read = parse_slice_routing(text, 4);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, example());
}

TEST(SliceRouting, SaysNothingWhereThereIsNothingToSay) {
  EXPECT_EQ(render(SliceRouting()), "");
  EXPECT_TRUE(SliceRouting().empty());
}

TEST(SliceRouting, RefusesWhatDoesNotFitTheSlice) {
  const struct {
    const char* name;
    const char* text;
    const char* error;
  } rows[] = {
      {"a version from the future", "v2|weight=1*2", "version \"v2\" is not known"},
      {"no version", "weight=1*2", "is not known"},
      {"nothing", "", "is not known"},
      {"too few", "v1|weight=1", "one number in range for each endpoint"},
      {"too many", "v1|weight=1*3", "one number in range for each endpoint"},
      {"far too many", "v1|weight=1*99999999999999999999", "one number"},
      {"repeated not at all", "v1|weight=1*0,1*2", "one number"},
      {"a weight of nothing", "v1|weight=0*2", "one number in range"},
      {"a weight below nothing", "v1|weight=-1,1", "one number in range"},
      {"not a number", "v1|weight=nan*2", "one number in range"},
      {"no end", "v1|weight=inf*2", "one number in range"},
      {"more kept than there is", "v1|kept=1001,0", "one number in range"},
      {"an entry is missing", "v1|kept=1,,1", "one number in range"},
      {"labels of some", "v1|label:rack=7", "one value for each endpoint"},
      {"a label without a name", "v1|label:=7*2", "one value for each endpoint"},
      {"some other panic", "v1|panic=none", "is not \"all\""},
      {"some other zone", "v1|zone=preferred", "is not \"required\""},
      {"a failover without a time", "v1|failover=b", "is not a list of ZONE@TIME"},
      {"a failover of no zone", "v1|spent=@2026-03-01T12:00:00Z", "is not a list of ZONE@TIME"},
      {"a failover since some day", "v1|failover=b@monday", "is not a list of ZONE@TIME"},
      {"a split that does not sum up", "v1|rest=a=a:1", "does not sum to 1000"},
  };
  for (const auto& row : rows) {
    const auto read = parse_slice_routing(row.text, 2);
    ASSERT_FALSE(read) << row.name;
    EXPECT_NE(read.error().message.find(row.error), std::string::npos)
        << row.name << ": " << read.error().message;
  }
}

TEST(SliceRouting, RefusesAFewBytesThatStandForMillions) {
  const auto columns = [](std::size_t count, const std::string& value) {
    std::string text = "v1";
    for (std::size_t i = 0; i < count; ++i)
      text += "|label:k" + std::to_string(i) + "=" + value + "*1000";
    return text;
  };
  const auto keys = [](std::size_t count) {
    std::string text = "v1|keys=a";
    for (std::size_t i = 1; i < count; ++i) text += ",a";
    return text;
  };
  const auto failing = [](std::size_t count) {
    std::string text = "v1";
    for (std::size_t i = 0; i < count; ++i) text += "|failover=b@2026-03-01T12:00:00Z";
    return text;
  };
  constexpr const char* kNone = "";
  const struct {
    const char* name;
    std::string text;
    const char* error;
  } rows[] = {
      {"as many columns as topology keys", columns(16, "-"), kNone},
      {"one more", columns(17, "-"), "more than 16 labels"},
      {"as many as fit", columns(13'000, "-"), "more than 16 labels"},
      {"the longest value of a label", columns(16, std::string(63, 'x')), kNone},
      {"a longer one", columns(1, std::string(64, 'x')), "one value for each endpoint"},
      {"as many keys as a Service may have", keys(16), kNone},
      {"one more key", keys(17), "more than 16 keys"},
      {"as many zones as a cluster may have", failing(1'000), kNone},
      {"one more zone", failing(1'001), "more than 1,000 zones that fail over"},
      {"more than annotations of an object have", "v1|moon=" + std::string(262'144, 'x'),
       "more than 262,144 bytes"},
  };
  for (const auto& row : rows) {
    const auto read = parse_slice_routing(row.text, 1000);
    EXPECT_EQ(read.has_value(), row.error == std::string_view(kNone)) << row.name;
    if (read) continue;
    EXPECT_NE(read.error().message.find(row.error), std::string::npos)
        << row.name << ": " << read.error().message;
  }
}

TEST(SliceRouting, PassesOverSectionsOfLaterVersions) {
  const auto read = parse_slice_routing("v1|moon=full|weight=2*2", 2);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->weights, (std::vector<double>{2, 2}));
}

TEST(SliceRouting, IsWorthAWriteWhenAShareMovesByMoreThanOnePercent) {
  const auto moved = [](auto change) {
    SliceRouting wanted = example();
    change(wanted);
    return has_moved(example(), wanted);
  };
  EXPECT_FALSE(moved([](SliceRouting&) {}));
  EXPECT_FALSE(moved([](SliceRouting& r) { r.kept[0] += 0.009; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.kept[0] += 0.02; }));
  EXPECT_FALSE(moved([](SliceRouting& r) { r.inflow[0] -= 0.009; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.inflow[0] -= 0.02; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.weights[0] = 7.99; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.labels[0].values[0] = "9"; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.ignores_health = false; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.keys.pop_back(); }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.requires_zone = false; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.failing[0].spent = true; }));
  EXPECT_TRUE(moved([](SliceRouting& r) { r.rest.pop_back(); }));
}

TEST(SliceRouting, LeavesOutLabelsThatDoNotFit) {
  SliceRouting routing;
  routing.weights.assign(1000, 2);
  for (const char* key : {"a", "b", "c"}) {
    LabelColumn column{key, {}};
    for (int i = 0; i < 1000; ++i)
      column.values.emplace_back(std::string(57, 'x') + std::to_string(100000 + i));
    routing.labels.push_back(std::move(column));
  }
  const std::string text = render(routing);
  EXPECT_LE(text.size(), kMaxRoutingText);
  const auto read = parse_slice_routing(text, 1000);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->labels.size(), 2U);
  EXPECT_EQ(read->labels[1].key, "b");
}

}  // namespace
}  // namespace proxima::route
