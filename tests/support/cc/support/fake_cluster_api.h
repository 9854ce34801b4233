// SPDX-License-Identifier: Apache-2.0
// A cluster for tests with threads: lists and watches of what a test puts there, and of the slices
// that are written to it, which it keeps as FakeSliceApi does.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "support/fake_slice_api.h"
#include "support/patience.h"

namespace proxima::testing {

class FakeClusterApi final : public kube::KubeApi {
 public:
  // An object of "pods", "services", "nodes" or "namespaces", as JSON with a name and a version.
  void put(const std::string& plural, const std::string& object, const char* type = "ADDED") {
    const std::lock_guard guard(mutex_);
    if (std::string_view(type) == "ADDED") objects_[plural].push_back(object);
    add_event(plural, type, object);
  }

  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation& cancellation) override {
    auto answer = slices.send(request, cancellation);
    const std::lock_guard guard(mutex_);
    if (!slices_are_late_) show_slices_locked();
    changed_.notify_all();
    return answer;
  }
  // Watches show nothing of the slices that are written until they are let go on.
  void delay_slices() {
    const std::lock_guard guard(mutex_);
    slices_are_late_ = true;
  }
  void show_slices() {
    const std::lock_guard guard(mutex_);
    slices_are_late_ = false;
    show_slices_locked();
  }

  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest& request,
                                                std::chrono::milliseconds,
                                                const net::Cancellation& cancellation) override {
    const std::string plural = request.path.substr(request.path.rfind('/') + 1);
    bool watch = false;
    std::uint64_t from = 0;
    for (const auto& parameter : request.query) {
      watch = watch || parameter.name == "watch";
      if (parameter.name == "resourceVersion") from = kube::parse_version(parameter.value);
    }
    // Without the lock: a cancellation that is over calls back at once.
    auto stream = std::make_unique<Stream>(*this, plural, from, cancellation);
    const std::lock_guard guard(mutex_);
    if (cut_.contains(plural)) return Error{ErrorCode::Retry, "cut"};
    if (!watch) stream->list = list_locked(plural);
    return std::unique_ptr<net::HttpStream>(std::move(stream));
  }

  // Lists and watches of a kind fail until they are mended.
  void cut(const std::string& plural) {
    const std::lock_guard guard(mutex_);
    cut_.insert(plural);
    changed_.notify_all();
  }
  void mend(const std::string& plural) {
    const std::lock_guard guard(mutex_);
    cut_.erase(plural);
  }

  // Waits until the writes that were made so far satisfy the condition. False: they do not in time.
  bool wait_for(const std::function<bool(FakeSliceApi&)>& condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return condition(slices); });
  }

  FakeSliceApi slices;

 private:
  // A list that ends, or a watch that ends when it is cancelled.
  class Stream final : public net::HttpStream {
   public:
    Stream(FakeClusterApi& api, std::string plural, std::uint64_t from,
           const net::Cancellation& cancellation)
        : api_(api),
          plural_(std::move(plural)),
          from_(from),
          cancellation_(cancellation),
          wake_(cancellation, [&api] {
            const std::lock_guard guard(api.mutex_);
            api.changed_.notify_all();
          }) {}
    int status() const override { return 200; }
    const net::HttpHeaders& headers() const override { return headers_; }
    Result<std::string_view> read() override {
      if (!list.empty()) {
        piece_ = std::exchange(list, {});
        listed_ = true;
        return std::string_view(piece_);
      }
      if (listed_) return std::string_view();
      std::unique_lock lock(api_.mutex_);
      auto& events = api_.events_[plural_];
      const auto next = [&] { return events.upper_bound(from_); };
      const auto broken = [&] { return cancellation_.cancelled() || api_.cut_.contains(plural_); };
      api_.changed_.wait(lock, [&] { return broken() || next() != events.end(); });
      if (broken()) return Error{ErrorCode::Retry, "cancelled or cut"};
      piece_ = next()->second;
      from_ = next()->first;
      return std::string_view(piece_);
    }
    std::string list;

   private:
    FakeClusterApi& api_;
    std::string plural_;
    std::uint64_t from_;
    net::Cancellation cancellation_;
    net::HttpHeaders headers_;
    std::string piece_;
    bool listed_ = false;
    net::Cancellation::Attachment wake_;
  };

  void show_slices_locked() {
    for (const FakeSliceApi::News& news : slices.take_news())
      add_event("endpointslices", news.gone ? "DELETED" : "MODIFIED", news.object);
  }
  void add_event(const std::string& plural, std::string_view type, const std::string& object) {
    const json::object parsed = json::parse(object).as_object();
    const auto version =
        kube::parse_version(std::string(parsed.at("metadata").at("resourceVersion").as_string()));
    events_[plural][version] =
        R"({"type":")" + std::string(type) + R"(","object":)" + json::serialize(parsed) + "}\n";
    changed_.notify_all();
  }
  std::string list_locked(const std::string& plural) {
    std::string items;
    for (const std::string& object : objects_[plural]) items += (items.empty() ? "" : ",") + object;
    const auto& events = events_[plural];
    const std::string version = std::to_string(events.empty() ? 1 : events.rbegin()->first);
    return R"({"kind":"List","metadata":{"resourceVersion":")" + version + R"("},"items":[)" +
           items + "]}";
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool slices_are_late_ = false;
  std::set<std::string> cut_;
  std::map<std::string, std::vector<std::string>> objects_;
  std::map<std::string, std::map<std::uint64_t, std::string>> events_;  // by version
};

}  // namespace proxima::testing
