// SPDX-License-Identifier: Apache-2.0
#include "kube/record_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "wire/json_object.h"
#include "wire/padded_text.h"

namespace proxima::kube {
namespace {

// The scratch space is changed before it breaks: a name is in it that nobody has asked for.
Ref<const NamespaceRecord> breaks_on_bad(const wire::JsonObject& object, DecodeScratch& scratch) {
  const wire::JsonObject metadata = object.child("metadata");
  PROXIMA_CHECK(scratch.sharing().texts() == 0 || metadata.has("labels"));
  scratch.sharing().text("left behind");
  object.report("spec", "odd");
  PROXIMA_CHECK(metadata.text("name") != "bad");
  return decode_record<NamespaceRecord>(object, scratch);
}

class RecordReaderTest : public ::testing::Test {
 protected:
  ReadObject<NamespaceRecord> read(std::string_view json) {
    const wire::PaddedText text(json);
    return reader_.object(text.text());
  }
  ReadEvent<NamespaceRecord> read_event(std::string_view line) {
    const wire::PaddedText text(line);
    return reader_.event(text.text());
  }

  std::vector<std::string> problems_;
  RecordReader<NamespaceRecord> reader_{
      "Namespace", [this](const wire::Problem& problem) { problems_.push_back(to_text(problem)); },
      breaks_on_bad};
};

TEST_F(RecordReaderTest, AnObjectThatBreaksItsDecoderIsReportedAndOfNoUse) {
  const auto bad = read(R"({"metadata":{"name":"bad","resourceVersion":"7"}})");
  EXPECT_TRUE(bad.readable) << "it has told its name, so what the cache has of it is kept";
  EXPECT_FALSE(bad.record);
  EXPECT_EQ(to_text(bad.key()), "bad");
  EXPECT_EQ(bad.version, 7U);
  ASSERT_EQ(problems_.size(), 2U);
  EXPECT_EQ(problems_[0], "Namespace bad: spec: odd");
  EXPECT_TRUE(problems_[1].starts_with("Namespace bad: internal error: broken invariant: "))
      << problems_[1];
}

TEST_F(RecordReaderTest, TheNextObjectIsReadAsIfItHadNotBeenThere) {
  EXPECT_FALSE(read(R"({"metadata":{"name":"bad"}})").record);
  const auto good = read(R"({"metadata":{"name":"good"}})");
  ASSERT_TRUE(good.record) << problems_.back();
  EXPECT_EQ(to_text(good.record->key()), "good");
}

TEST_F(RecordReaderTest, AnEventWhoseObjectBreaksItsDecoderIsStillAnEvent) {
  const auto event = read_event(
      R"({"type":"MODIFIED","object":{"metadata":{"name":"bad","resourceVersion":"9"}}})");
  EXPECT_EQ(event.type, WatchEventType::Modified);
  EXPECT_TRUE(event.object.readable);
  EXPECT_FALSE(event.object.record);
  EXPECT_EQ(event.object.version, 9U);
}

TEST_F(RecordReaderTest, NumbersOfAnErrorAreWithinTheirBounds) {
  const struct {
    const char* name;
    const char* status;
    int code;
    std::uint32_t seconds;  // 0: it does not say
  } rows[] = {
      {"usual ones", R"({"code":429,"details":{"retryAfterSeconds":7}})", 429, 7},
      {"a code of more than 32 bits", R"({"code":4294967725})", 0, 0},
      {"more than a day", R"({"code":429,"details":{"retryAfterSeconds":86401}})", 429, 0},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto event = read_event(R"({"type":"ERROR","object":)" + std::string(row.status) + "}");
    EXPECT_EQ(event.type, WatchEventType::Error);
    EXPECT_EQ(event.failure.status, row.code);
    EXPECT_EQ(event.failure.retry_after_seconds.value_or(0), row.seconds);
  }
}

}  // namespace
}  // namespace proxima::kube
