// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_sync.h"

#include <gtest/gtest.h>

#include <set>

#include "support/fake_clock.h"
#include "support/mirror_notation.h"

namespace proxima::controller {
namespace {

// Slices as a server has them. The cache follows when it is told to.
class FakeServer final : public SlicePort {
 public:
  SliceWriteResult create(const slices::SliceDraft& draft) override {
    kube::EndpointSliceRecord slice = draft.value;
    slice.meta.name = Text(std::string(slice.generate_name.view()) + std::to_string(++names_));
    slice.meta.uid = Text("uid-" + std::string(slice.meta.name.view()));
    return put("create", std::move(slice), 1);
  }
  SliceWriteResult update(const slices::SliceDraft& draft) override {
    kube::EndpointSliceRecord slice = draft.value;
    slice.meta.uid = draft.before->meta.uid;
    return put("update", std::move(slice), draft.before->generation + 1);
  }
  SliceWriteResult remove(const kube::EndpointSliceRecord& slice) override {
    const std::string name(slice.meta.name.view());
    if (auto failure = refusal("delete")) return *failure;
    if (slices_.erase(name) == 0) return kube::ApiFailure{.status = 404, .message = "not found"};
    log += "delete " + name + "; ";
    return std::optional<WrittenSlice>();
  }
  bool is_real() const override { return true; }

  void show_to(kube::Cache<kube::EndpointSliceRecord>& cache) const {
    std::vector<SliceRef> all;
    for (const auto& [name, slice] : slices_) all.push_back(slice);
    cache.replace(std::move(all));
  }
  // By a new list, which is as new as the last write.
  void list_to(kube::Cache<kube::EndpointSliceRecord>& cache) const {
    std::vector<SliceRef> all;
    for (const auto& [name, slice] : slices_) all.push_back(slice);
    cache.replace(std::move(all), version_);
  }
  // Somebody else deletes it.
  void lose(const std::string& name) { slices_.erase(name); }
  std::string take_log() { return std::exchange(log, {}); }

  std::string log;
  std::map<std::string, kube::ApiFailure> refuses;  // by operation

 private:
  std::optional<kube::ApiFailure> refusal(const std::string& operation) const {
    const auto found = refuses.find(operation);
    return found == refuses.end() ? std::nullopt : std::optional(found->second);
  }
  SliceWriteResult put(const std::string& operation, kube::EndpointSliceRecord slice,
                       std::int64_t generation) {
    if (auto failure = refusal(operation)) return *failure;
    const std::string name(slice.meta.name.view());
    log += operation + " " + name + "=" + slices::render_slice(slice) + "; ";
    slice.generation = generation;
    slice.meta.version = ++version_;
    const WrittenSlice written{std::string(slice.meta.uid.view()), generation, slice.meta.version};
    slices_.insert_or_assign(name, SliceRef(new kube::EndpointSliceRecord(std::move(slice))));
    return std::optional(written);
  }

  std::map<std::string, SliceRef> slices_;
  int names_ = 0;
  kube::Version version_ = 0;
};

class MirroringSyncTest : public ::testing::Test {
 protected:
  void endpoints(const char* text) {
    auto record = make_ref<kube::EndpointsRecord>(slices::endpoints_of(text));
    caches_.endpoints.put(record);
  }
  void service(const char* selector) {
    auto record = make_ref<kube::ServiceRecord>();
    record->meta.ns = Text("shop");
    record->meta.name = Text("db");
    if (selector != nullptr)
      record->selector = kube::LabelSetRef(new kube::LabelSet({{Text("app"), Text(selector)}}));
    caches_.services.put(record);
  }
  // "ok", or what went wrong.
  std::string sync() {
    const Status status = sync_.sync("shop/db", server_);
    return status ? "ok" : status.error().message;
  }
  // With a cache that has seen everything.
  std::string writes() {
    EXPECT_EQ(sync(), "ok");
    server_.show_to(caches_.slices);
    return server_.take_log();
  }

  MirroringCaches caches_;
  SliceTracker tracker_;
  telemetry::MetricsRegistry registry_;
  MirroringMetrics metrics_{registry_};
  FakeServer server_;
  testing::FakeClock clock_;
  std::vector<std::string> warnings_;
  MirroringSync sync_{
      {caches_, tracker_, metrics_, clock_,
       [this](const auto& object, const slices::MirrorWarning& warning) {
         warnings_.push_back(kube::to_text(object.key()) + " " + std::string(warning.reason));
       }},
      3};
};

TEST_F(MirroringSyncTest, FollowsTheEndpoints) {
  service(nullptr);
  endpoints("1 2 :80");
  EXPECT_EQ(writes(), "create db-1=1 2 :80; ");
  EXPECT_EQ(writes(), "") << "once is enough";
  endpoints("1 3 :80");
  EXPECT_EQ(writes(), "update db-1=1 3 :80; ");
  caches_.endpoints.erase({"shop", "db"});
  EXPECT_EQ(writes(), "delete db-1; ");
  EXPECT_EQ(writes(), "");
}

TEST_F(MirroringSyncTest, OnlyForServicesWithoutASelector) {
  endpoints("1 :80");
  EXPECT_EQ(writes(), "") << "no Service";
  service(nullptr);
  EXPECT_EQ(writes(), "create db-1=1 :80; ");
  service("db");
  EXPECT_EQ(writes(), "delete db-1; ");
  service(nullptr);
  EXPECT_EQ(writes(), "create db-2=1 :80; ");
  caches_.services.erase({"shop", "db"});
  EXPECT_EQ(writes(), "delete db-2; ");
}

TEST_F(MirroringSyncTest, NotWhenTheObjectForbidsIt) {
  service(nullptr);
  endpoints("1 :80");
  EXPECT_EQ(writes(), "create db-1=1 :80; ");
  auto locked = make_ref<kube::EndpointsRecord>(slices::endpoints_of("1 :80"));
  locked->annotations = kube::LabelSetRef(
      new kube::LabelSet({{Text("control-plane.alpha.kubernetes.io/leader"), Text("me")}}));
  caches_.endpoints.put(locked);
  EXPECT_EQ(writes(), "delete db-1; ");
}

TEST_F(MirroringSyncTest, DoesNotDecideOnACacheThatIsBehind) {
  service(nullptr);
  endpoints("1 :80");
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date");
  EXPECT_EQ(server_.take_log(), "create db-1=1 :80; ");
  server_.show_to(caches_.slices);
  EXPECT_EQ(writes(), "");
  endpoints("2 :80");
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date");
}

TEST_F(MirroringSyncTest, GivesUpAWriteThatWasUndoneBeforeTheCacheCouldShowIt) {
  service(nullptr);
  endpoints("1 :80");
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(server_.take_log(), "create db-1=1 :80; ");
  server_.lose("db-1");
  server_.show_to(caches_.slices);
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date");
  clock_.advance(std::chrono::minutes(14));
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date");
  EXPECT_TRUE(sync_.awaits_cache("shop/db"));
  clock_.advance(std::chrono::minutes(1));
  EXPECT_EQ(writes(), "create db-2=1 :80; ");
  EXPECT_FALSE(sync_.awaits_cache("shop/db"));
}

TEST_F(MirroringSyncTest, AListThatIsNewerThanAWriteSaysThatItWasUndone) {
  service(nullptr);
  endpoints("1 :80");
  server_.list_to(caches_.slices);
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(server_.take_log(), "create db-1=1 :80; ");
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date") << "the list is older";
  server_.lose("db-1");
  server_.list_to(caches_.slices);
  EXPECT_EQ(writes(), "create db-2=1 :80; ");
}

TEST_F(MirroringSyncTest, WaitsAnewForEachWrite) {
  service(nullptr);
  endpoints("1 :80");
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date");
  clock_.advance(std::chrono::minutes(14));
  server_.show_to(caches_.slices);
  endpoints("2 :80");
  EXPECT_EQ(sync(), "ok");
  clock_.advance(std::chrono::minutes(14));
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date");
}

TEST_F(MirroringSyncTest, RemovesASliceThatTheCacheShowsTooLate) {
  service(nullptr);
  endpoints("1 :80");
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(server_.take_log(), "create db-1=1 :80; ");
  service("db");
  EXPECT_EQ(sync(), "EndpointSlice informer cache does not show what was written");
  service(nullptr);
  EXPECT_EQ(sync(), "EndpointSlice informer cache is out of date") << "or it is mirrored twice";
  service("db");
  server_.show_to(caches_.slices);
  EXPECT_EQ(writes(), "delete db-1; ");
  EXPECT_EQ(tracker_.gone("shop/db", "uid-db-1"), SliceTracker::Deletion::Expected);
}

TEST_F(MirroringSyncTest, SlicesThatItFindsAreWatchedOver) {
  service(nullptr);
  endpoints("1 :80");
  const auto found = slices::slices_of(slices::endpoints_of("1 :80"), "s1=1 :80");
  caches_.slices.put(found[0]);
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(server_.take_log(), "");
  EXPECT_EQ(tracker_.gone("shop/db", "uid-s1"), SliceTracker::Deletion::Unexpected);
}

TEST_F(MirroringSyncTest, TellsOnceThatAddressesAreLeftOut) {
  service(nullptr);
  endpoints("1 2 3 4 :80");
  writes();
  writes();
  EXPECT_EQ(warnings_, std::vector<std::string>{"shop/db TooManyAddressesToMirror"});
  endpoints("0bad 1 :80");
  writes();
  EXPECT_EQ(warnings_.back(), "shop/db InvalidIPAddress");
  endpoints("1 :80");
  writes();
  EXPECT_EQ(warnings_.size(), 2U);
  endpoints("0bad 1 :80");
  writes();
  EXPECT_EQ(warnings_.size(), 3U) << "news again";
}

TEST_F(MirroringSyncTest, AFailureStopsItBeforeAnythingIsTakenAway) {
  service(nullptr);
  endpoints("1 :80");
  writes();
  endpoints("1 :80 | v1 :80");
  server_.refuses["create"] = {.status = 500, .reason = {}, .message = "no"};
  EXPECT_EQ(sync(), "failed to create EndpointSlice for Endpoints shop/db: no");
  server_.refuses = {{"update", {.status = 500, .reason = {}, .message = "no"}}};
  endpoints("2 :80");
  EXPECT_EQ(sync(), "failed to update db-1 EndpointSlice for Endpoints shop/db: no");
  server_.refuses = {{"delete", {.status = 500, .reason = {}, .message = "no"}}};
  endpoints("");
  EXPECT_EQ(sync(), "failed to delete db-1 EndpointSlice for Endpoints shop/db: no");
  caches_.endpoints.erase({"shop", "db"});
  EXPECT_EQ(sync(), "error(s) deleting 1/1 EndpointSlices for shop/db Endpoints, including: no");
  server_.refuses.clear();
  EXPECT_EQ(writes(), "delete db-1; ");
}

TEST_F(MirroringSyncTest, ANamespaceThatEndsIsNoFailure) {
  service(nullptr);
  endpoints("1 :80");
  server_.refuses["create"] = {.status = 403, .reason = "Forbidden", .message = "ending"};
  server_.refuses["create"].causes = {"NamespaceTerminating"};
  EXPECT_EQ(sync(), "ok");
}

// The cache may still show what is gone.
TEST_F(MirroringSyncTest, ASliceThatIsGoneAlreadyIsDeleted) {
  service(nullptr);
  endpoints("1 :80");
  writes();
  caches_.endpoints.erase({"shop", "db"});
  EXPECT_EQ(sync(), "ok");
  EXPECT_EQ(sync(), "ok") << "known to be deleted";
  tracker_.forget_service("shop/db");
  EXPECT_EQ(sync(), "ok") << "not found";
  EXPECT_EQ(server_.take_log(), "delete db-1; ");
}

TEST_F(MirroringSyncTest, CountsUnderUpstreamsNames) {
  service(nullptr);
  endpoints("1 2 v1 !4 :80");
  writes();
  endpoints("1 v1 :80");
  writes();
  const std::string shown = registry_.render();
  for (const char* line : {
           "endpoint_slice_mirroring_controller_endpoints_desired 2\n",
           "endpoint_slice_mirroring_controller_num_endpoint_slices 2\n",
           "endpoint_slice_mirroring_controller_desired_endpoint_slices 2\n",
           "endpoint_slice_mirroring_controller_changes{operation=\"create\"} 2\n",
           "endpoint_slice_mirroring_controller_changes{operation=\"update\"} 1\n",
           "endpoint_slice_mirroring_controller_endpoints_added_per_sync_sum 3\n",
           "endpoint_slice_mirroring_controller_endpoints_removed_per_sync_sum 1\n",
           "endpoint_slice_mirroring_controller_endpoints_updated_per_sync_count 2\n",
           "endpoint_slice_mirroring_controller_addresses_skipped_per_sync_sum 1\n",
       })
    EXPECT_NE(shown.find(line), std::string::npos) << line << shown;
  caches_.endpoints.erase({"shop", "db"});
  writes();
  EXPECT_NE(registry_.render().find("controller_endpoints_desired 0\n"), std::string::npos);
}

}  // namespace
}  // namespace proxima::controller
