// SPDX-License-Identifier: Apache-2.0
// What a web server stands on, without a cluster or a lab: caches of the lab's shape, an API that
// has no Events and keeps what is written to it, clients that were seen to follow the plan, and a
// lab that notes what it was asked to do.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "support/lab_shape.h"
#include "web/web_server.h"

namespace proxima::testing {

// A watch that says nothing until it is cancelled.
class SilentStream final : public net::HttpStream {
 public:
  SilentStream(std::string first, net::Cancellation cancellation)
      : first_(std::move(first)), cancellation_(std::move(cancellation)) {}
  int status() const override { return 200; }
  const net::HttpHeaders& headers() const override { return headers_; }
  Result<std::string_view> read() override {
    if (!first_.empty()) {
      given_ = std::move(first_);
      first_.clear();
      return std::string_view(given_);
    }
    if (is_list_) return std::string_view();
    std::unique_lock lock(mutex_);
    const net::Cancellation::Attachment wake(cancellation_, [this] { changed_.notify_all(); });
    changed_.wait_for(lock, std::chrono::seconds(30), [this] { return cancellation_.cancelled(); });
    return Error{ErrorCode::Retry, "cancelled"};
  }
  void end_after_first() { is_list_ = true; }

 private:
  std::string first_;
  std::string given_;
  bool is_list_ = false;
  net::HttpHeaders headers_;
  net::Cancellation cancellation_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

class QuietApi final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    const std::lock_guard guard(mutex_);
    writes_.push_back(request.method + " " + request.path + " " + request.body);
    kube::ApiResponse answer;
    answer.status = status_;
    if (status_ != 200)
      answer.body = R"({"kind":"Status","reason":"Forbidden","message":"services is forbidden"})";
    return answer;
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest& request,
                                                std::chrono::milliseconds,
                                                const net::Cancellation& cancellation) override {
    const bool watches = std::any_of(request.query.begin(), request.query.end(),
                                     [](const auto& one) { return one.name == "watch"; });
    auto stream = std::make_unique<SilentStream>(
        watches ? "" : R"({"kind":"EventList","metadata":{"resourceVersion":"1"},"items":[]})",
        cancellation);
    if (!watches) stream->end_after_first();
    return std::unique_ptr<net::HttpStream>(std::move(stream));
  }
  std::vector<std::string> writes() const {
    const std::lock_guard guard(mutex_);
    return writes_;
  }
  void answer_with(int status) {
    const std::lock_guard guard(mutex_);
    status_ = status;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> writes_;
  int status_ = 200;
};

class NotingLab final : public web::LabActions {
 public:
  Status fail_zone(const std::string& zone) override { return note("fail-zone " + zone); }
  Status heal(const web::HealTarget& target) override {
    return note("heal " + target.zone + target.node);
  }
  Status kill_node(const std::string& node) override {
    if (node == "node-9") return Error{ErrorCode::NotFound, "there is no node \"node-9\""};
    return note("kill-node " + node);
  }
  Result<std::string> add_node(const std::string& zone) override {
    const Status noted = note("add-node " + zone);
    if (!noted) return noted.error();
    return std::string("node-7");
  }
  Status scale(const std::string& service,
               const std::map<std::string, std::uint32_t>& zones) override {
    return note("scale " + service + " " + zones.begin()->first + "=" +
                std::to_string(zones.begin()->second));
  }
  Status set_demand(const std::map<std::string, double>& zones) override {
    return note("demand " + zones.begin()->first + "=" +
                std::to_string(std::lround(zones.begin()->second * 100)) + "%");
  }
  std::string last() const {
    const std::lock_guard guard(mutex_);
    return last_;
  }

 private:
  Status note(std::string what) {
    const std::lock_guard guard(mutex_);
    last_ = std::move(what);
    return Unit{};
  }
  mutable std::mutex mutex_;
  std::string last_;
};

// Clients that follow the plan of the caches as they are.
class PlannedSource final : public web::LiveSource {
 public:
  explicit PlannedSource(controller::ClusterCaches& caches) : reader_(caches) {}
  web::SeenWindow window(std::chrono::seconds last) const override {
    const auto picture = web::picture_of(reader_.records(), {});
    const auto seconds = static_cast<double>(last.count());
    return {.rows = seen_as_planned(*picture, 120.0 * seconds), .seconds = seconds};
  }
  web::TrafficTotals totals() const override { return {.requests = 1000, .retried = 2}; }
  web::LabFacts facts() const override {
    web::LabFacts facts;
    for (int i = 0; i < 3; ++i)
      facts.zones.push_back({.name = LabShape::zone(i), .failed = i == 2, .demand = 1.0 / 3});
    facts.nodes.push_back({.name = "node-1", .power = true, .status_url = status_url});
    facts.nodes.push_back({.name = "node-5", .power = false, .status_url = ""});
    return facts;
  }
  std::string status_url;  // of node-1's proxy

 private:
  web::ClusterReader reader_;
};

}  // namespace proxima::testing
