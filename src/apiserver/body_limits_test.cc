// SPDX-License-Identifier: Apache-2.0
// Work that one request may cause is counted, not timed: what is kept, copied and moved stays
// within bounds, whatever a body brings.
#include "apiserver/body_limits.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <functional>

#include "apiserver/json_members.h"
#include "apiserver/json_patch.h"
#include "apiserver/list_body.h"
#include "apiserver/object_rules.h"
#include "apiserver/patch.h"

namespace proxima::apiserver {
namespace {

namespace json = boost::json;

json::object numbered(std::size_t count, const std::string& prefix) {
  json::object out;
  for (std::size_t i = 0; i < count; ++i) out[prefix + std::to_string(i)] = "v";
  return out;
}

TEST(BodyLimits, RefusesObjectsThatTakeTooLong) {
  const json::object many = {{"data", numbered(kMaxBodyValues, "k")}};
  const json::object large = {{"data", json::object{{"k", json::string(kMaxObjectBytes, 'x')}}}};
  const json::object escaped = {{"data", json::object{{"k", json::string(300'000, '\x01')}}}};
  const json::object fine = {{"data", numbered(20'000, "k")}};
  EXPECT_EQ(check_object_size(many).error().message,
            "Request entity too large: the object has more than 25000 values (fields and list "
            "items)");
  EXPECT_EQ(check_object_size(large).error().code, 413);
  EXPECT_EQ(check_object_size(escaped).error().code, 413) << "what counts is the stored text";
  EXPECT_TRUE(check_object_size(fine));
}

// Before, the text of each error was compared with all texts before it, and all were kept.
TEST(BodyLimits, ListsAHundredErrorsAndSaysThatThereAreMore) {
  const auto errors_of = [](std::size_t keys) {
    const json::object map = {
        {"metadata",
         json::object{{"name", "a"}, {"namespace", "default"}, {"labels", numbered(keys, "-")}}}};
    return validate_create(resource_of(Kind::ConfigMap), map);
  };
  EXPECT_EQ(errors_of(kMaxFieldErrors).size(), kMaxFieldErrors);
  const auto errors = errors_of(100'000);
  EXPECT_EQ(errors.size(), kMaxFieldErrors + 1);
  const StatusError refusal = invalid_object(resource_of(Kind::ConfigMap), "a", errors);
  EXPECT_EQ(refusal.causes.size(), kMaxFieldErrors);
  EXPECT_TRUE(refusal.message.ends_with("]; only the first 100 errors are listed"))
      << refusal.message.substr(refusal.message.size() - 60);
}

// Before, each of n owners that was one too many brought a copy of all n.
TEST(BodyLimits, ShowsTheSizeOfAListThatIsTooLongToShow) {
  json::array owners;
  for (int i = 0; i < 900; ++i)
    owners.push_back(json::object{
        {"apiVersion", "v1"}, {"kind", "Pod"}, {"name", "a"}, {"uid", "u"}, {"controller", true}});
  const json::object map = {
      {"metadata",
       json::object{{"name", "a"}, {"namespace", "default"}, {"ownerReferences", owners}}}};
  const auto errors = validate_create(resource_of(Kind::ConfigMap), map);
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors.front().value, json::value("(a list of 900)"));
}

json::array removals(std::size_t count, const std::function<std::string(std::size_t)>& path) {
  json::array out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(json::object{{"op", "remove"}, {"path", path(i)}});
  return out;
}

TEST(BodyLimits, RemovesManyMembersInFewSteps) {
  const auto patch = removals(5'000, [](std::size_t i) { return "/k" + std::to_string(i); });
  const auto done = patch_document(numbered(100'000, "k"), patch, 5'000 * (kOrderedMembers + 1));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->get_object().size(), 95'000U);
  EXPECT_FALSE(done->get_object().contains("k4999"));
  EXPECT_TRUE(done->get_object().contains("k5000"));
}

// Before, each removal moved all members behind it: 5,000 of 100,000 took 14 s.
TEST(BodyLimits, RemovesMembersWithoutMovingTheOthers) {
  json::object ordered = numbered(kOrderedMembers, "k");
  erase_member(ordered, "k0");
  EXPECT_EQ(ordered.begin()->key(), "k1");
  json::object large = numbered(kOrderedMembers + 1, "k");
  erase_member(large, "k0");
  EXPECT_EQ(large.begin()->key(), "k64") << "the last took its place";
  EXPECT_EQ(large.size(), kOrderedMembers);
}

TEST(BodyLimits, KeepsTheOrderOfMembersInObjectsOfOrdinarySize) {
  json::object labels = json::parse(R"({"a":1,"b":2,"c":3})").as_object();
  erase_member(labels, "a");
  erase_member(labels, "none");
  EXPECT_EQ(labels.begin()->key(), "b");
}

TEST(BodyLimits, RefusesPatchesThatMoveTooMuch) {
  const auto front = removals(5'000, [](std::size_t) { return "/0"; });
  const auto back = removals(5'000, [](std::size_t) { return "/-1"; });
  const json::array list(20'000, 0);
  EXPECT_EQ(patch_document(list, front).error().message,
            "the JSON patch takes more than 10000000 steps (list items moved or looked at)");
  EXPECT_TRUE(patch_document(list, back)) << "which moves nothing";
  const json::object object = {{"list", json::array(20'000, 0)}};
  const auto from_list = removals(5'000, [](std::size_t) { return "/list/0"; });
  const auto refused = apply_json_patch(object, from_list);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 413);
}

// Each of these moves makes the document seem deeper than it may be, so that it is measured again.
TEST(BodyLimits, CountsMeasuringTheDepthOfADocument) {
  json::value deep = json::object();
  for (int i = 0; i < 600; ++i) deep = json::object{{"d", std::move(deep)}};
  json::object document = {{"deep", std::move(deep)}, {"wide", json::array(20'000, 0)}};
  std::string bottom = "/deep";
  for (int i = 0; i < 590; ++i) bottom += "/d";
  json::array patch;
  for (int i = 0; i < 1'000; ++i)
    patch.push_back(json::object{{"op", "move"}, {"from", "/wide/0"}, {"path", bottom + "/x"}});
  const auto done = patch_document(document, patch);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Unsupported) << done.error().message;
}

// Items of one key are merged one after the other, and each time the whole list below them.
TEST(BodyLimits, RefusesStrategicPatchesThatMergeTooMuch) {
  json::array env;
  for (int i = 0; i < 1'000; ++i) env.push_back(json::object{{"name", "E" + std::to_string(i)}});
  const json::object pod = {
      {"spec",
       json::object{{"containers", json::array{json::object{{"name", "c"}, {"env", env}}}}}}};
  const auto repeated = [](std::size_t times) {
    json::array containers;
    for (std::size_t i = 0; i < times; ++i)
      containers.push_back(json::object{
          {"name", "c"}, {"env", json::array{json::object{{"name", "E1"}, {"value", "w"}}}}});
    return json::value(json::object{{"spec", json::object{{"containers", std::move(containers)}}}});
  };
  const TypeInfo& type = type_of(resource_of(Kind::Pod));
  EXPECT_TRUE(apply_strategic_patch(type, pod, repeated(2)));
  const auto refused = apply_strategic_patch(type, pod, repeated(1'000));
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "Request entity too large: the patch merges lists with more than 5000 items altogether");
}

TEST(BodyLimits, GivesOthersTheirTurnByWhatIsParsed) {
  const StoredObject small{1, std::string(100, 'x')};
  const StoredObject large{1, std::string(kMaxObjectBytes, 'x')};
  const auto taken = [](Showing showing, const StoredObject& object) {
    Share share({}, showing);
    std::size_t count = 0;
    while (share.take(object)) ++count;
    return count;
  };
  EXPECT_EQ(taken(Showing::AsStored, large), kObjectsAtOnce);
  EXPECT_EQ(taken(Showing::Parsed, small), kObjectsAtOnce);
  EXPECT_EQ(taken(Showing::Parsed, large), 1U) << "the first one always";
}

}  // namespace
}  // namespace proxima::apiserver
