// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_writer.h"

#include <gtest/gtest.h>

#include "support/kube_records.h"

namespace proxima::controller {
namespace {

// Notes what is asked of it and fails at one of them.
class ScriptedPort final : public SlicePort {
 public:
  SliceWriteResult create(const slices::SliceDraft& draft) override {
    return write("create " + std::string(draft.value.meta.name.view()));
  }
  SliceWriteResult update(const slices::SliceDraft& draft) override {
    annotations += std::string(
        kube::label(draft.value.annotations, "endpoints.kubernetes.io/last-change-trigger-time")
            .view());
    return write("update " + std::string(draft.value.meta.name.view()));
  }
  SliceWriteResult remove(const kube::EndpointSliceRecord& slice) override {
    return write("delete " + std::string(slice.meta.name.view()));
  }
  bool is_real() const override { return true; }

  std::string asked;
  std::string annotations;
  std::string fails_at;
  kube::ApiFailure failure{500, "InternalError", "not now", std::nullopt, {}};

 private:
  SliceWriteResult write(const std::string& what) {
    asked += (asked.empty() ? "" : ", ") + what;
    if (what == fails_at) return failure;
    return std::optional(WrittenSlice{"uid of " + what.substr(what.find(' ') + 1), 3, 0});
  }
};

class SliceWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) draft_.creates.push_back(of(name));
    for (const char* name : {"c", "d"}) draft_.updates.push_back(of(name));
    for (const char* name : {"e", "f"})
      draft_.deletes.push_back(make_.slice(std::string("shop/") + name, ""));
  }
  slices::SliceDraft of(const std::string& name) {
    return {kube::EndpointSliceRecord(*make_.slice("shop/" + name, "")), {}};
  }
  SliceWriter::Report write() {
    SliceWriter writer(port_, tracker_, [this](SliceOperation) { ++written_; });
    return writer.write(*service_, draft_, 1'772'323'200);
  }

  testing::RecordMaker make_;
  Ref<kube::ServiceRecord> service_ = make_.service("shop/web", "app=web");
  slices::FamilyDraft draft_;
  ScriptedPort port_;
  SliceTracker tracker_;
  int written_ = 0;
};

TEST_F(SliceWriterTest, CreatesThenUpdatesThenDeletes) {
  EXPECT_EQ(write().end, SliceWriter::End::Done);
  EXPECT_EQ(port_.asked, "create a, create b, update c, update d, delete e, delete f");
  EXPECT_EQ(written_, 6);
  EXPECT_EQ(port_.annotations, "2026-03-01T00:00:00Z2026-03-01T00:00:00Z");
  EXPECT_TRUE(tracker_.is_stale("shop/web", {})) << "four are expected";
}

struct FailureRow {
  const char* at;
  const char* asked;
  const char* error;
};
const FailureRow kFailures[] = {
    {"create b", "create a, create b",
     "failed to create EndpointSlice for Service shop/web: not now"},
    {"update c", "create a, create b, update c",
     "failed to update c EndpointSlice for Service shop/web: not now"},
    {"delete e", "create a, create b, update c, update d, delete e",
     "failed to delete e EndpointSlice for Service shop/web: not now"},
};

TEST_F(SliceWriterTest, StopsAtTheFirstFailureAndSaysWhich) {
  for (const FailureRow& row : kFailures) {
    port_.asked.clear();
    port_.fails_at = row.at;
    const auto report = write();
    EXPECT_EQ(report.end, SliceWriter::End::Failed) << row.at;
    EXPECT_EQ(report.error, row.error);
    EXPECT_EQ(port_.asked, row.asked);
  }
}

TEST_F(SliceWriterTest, EndsWellWhenTheNamespaceEnds) {
  port_.fails_at = "create a";
  port_.failure.causes = {"NamespaceTerminating"};
  EXPECT_EQ(write().end, SliceWriter::End::NamespaceEnding);
  EXPECT_EQ(port_.asked, "create a");
  port_.asked.clear();
  port_.fails_at = "update c";
  EXPECT_EQ(write().end, SliceWriter::End::Failed) << "only creates are excused";
}

TEST_F(SliceWriterTest, CreatesNothingForAServiceThatIsBeingDeleted) {
  service_->meta.terminating = true;
  EXPECT_EQ(write().end, SliceWriter::End::Done);
  EXPECT_EQ(port_.asked, "update c, update d, delete e, delete f");
}

TEST_F(SliceWriterTest, DoesNotExpectADeletionThatFailed) {
  port_.fails_at = "delete e";
  draft_.creates.clear();
  draft_.updates.clear();
  write();
  EXPECT_FALSE(tracker_.is_stale("shop/web", std::vector<SliceRef>{draft_.deletes[0]}));
}

TEST_F(SliceWriterTest, TakesASliceThatIsGoneAlreadyForDeleted) {
  port_.fails_at = "delete e";
  port_.failure = {404, "NotFound", "endpointslices \"e\" not found", std::nullopt, {}};
  EXPECT_EQ(write().end, SliceWriter::End::Done);
  EXPECT_EQ(port_.asked, "create a, create b, update c, update d, delete e, delete f");
  EXPECT_EQ(written_, 5) << "what somebody else deleted is not counted";
}

TEST_F(SliceWriterTest, RemovesWhatIsLeftOverHoweverManyFail) {
  port_.fails_at = "delete e";
  SliceWriter writer(port_, tracker_, {});
  EXPECT_EQ(
      writer.remove_leftovers(*service_, draft_.deletes),
      std::vector<std::string>{"error deleting e EndpointSlice for Service shop/web: not now"});
  EXPECT_EQ(port_.asked, "delete e, delete f");
}

TEST(TriggerTimeAnnotation, ComesAndGoesAndLeavesTheOthers) {
  testing::RecordMaker make;
  const auto text = [](const kube::LabelSetRef& annotations) {
    std::string all;
    for (const auto& one : annotations->all())
      all += std::string(one.key.view()) + "=" + std::string(one.value.view()) + " ";
    return all;
  };
  const auto others = make.labels("a=1,z=2");
  const auto with = with_trigger_time(others, 1'772'323'200);
  EXPECT_EQ(text(with),
            "a=1 endpoints.kubernetes.io/last-change-trigger-time=2026-03-01T00:00:00Z z=2 ");
  EXPECT_EQ(text(with_trigger_time(with, std::nullopt)), "a=1 z=2 ");
  EXPECT_EQ(text(with_trigger_time({}, std::nullopt)), "");
}

}  // namespace
}  // namespace proxima::controller
