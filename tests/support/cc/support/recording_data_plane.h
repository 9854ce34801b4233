// SPDX-License-Identifier: Apache-2.0
// A data plane that holds what it is told and can be told to fail. Safe for concurrent use.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include "base/check.h"
#include "proxy/data_plane.h"
#include "support/patience.h"

namespace proxima::test {

class RecordingDataPlane final : public proxy::DataPlane {
 public:
  Status adopt(const proxy::RouteTable& table) override { return take("adopt", table); }
  Status apply(const proxy::RouteTable& table, const proxy::RouteChanges& changes) override {
    std::string what = "apply";
    for (const proxy::PortChange& change : changes.ports)
      what += " " + to_text((change.after ? change.after : change.before)->port.key);
    return take(what, table);
  }
  Result<std::size_t> repair() override {
    const std::lock_guard guard(mutex_);
    note("repair");
    if (std::exchange(fails_, false) || failing_) return Error{ErrorCode::Retry, "as told"};
    return std::exchange(strange_, 0);
  }
  Status remove() override {
    const std::lock_guard guard(mutex_);
    note("remove");
    table_ = {};
    return Unit{};
  }

  proxy::BrokenServices broken() const override {
    const std::lock_guard guard(mutex_);
    return broken_;
  }

  // Services that it cannot write from now on.
  void set_broken(proxy::BrokenServices broken) {
    const std::lock_guard guard(mutex_);
    broken_ = std::move(broken);
  }
  // The next call fails, and changes nothing.
  void fail_once() {
    const std::lock_guard guard(mutex_);
    fails_ = true;
  }
  // An invariant of the next change is broken.
  void break_once() {
    const std::lock_guard guard(mutex_);
    breaks_ = true;
  }
  // Every call fails as long as it is set.
  void set_failing(bool failing) {
    const std::lock_guard guard(mutex_);
    failing_ = failing;
  }
  // Every call finds that the kernel lacks something, as long as it is set.
  void set_lacking(bool lacking) {
    const std::lock_guard guard(mutex_);
    lacking_ = lacking;
  }
  // So many things are found changed by the next repair().
  void disturb(std::size_t things) {
    const std::lock_guard guard(mutex_);
    strange_ = things;
  }
  proxy::RouteTable table() const {
    const std::lock_guard guard(mutex_);
    return table_;
  }
  // What was called since it was last asked: "adopt; apply shop/web:http/TCP (failed)".
  std::string take_calls() {
    const std::lock_guard guard(mutex_);
    return std::exchange(calls_, {});
  }
  // Waits until what was called since take_calls() is that. False: something else came in time.
  bool wait_for_calls(const std::string& expected) {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, testing::kPatience, [&] { return calls_ == expected; });
    if (came) calls_.clear();
    return came;
  }

 private:
  Status take(const std::string& what, const proxy::RouteTable& table) {
    const std::lock_guard guard(mutex_);
    PROXIMA_CHECK(!std::exchange(breaks_, false));
    if (std::exchange(fails_, false) || failing_) {
      note(what + " (failed)");
      return Error{ErrorCode::Retry, "as told"};
    }
    if (lacking_) {
      note(what + " (unsupported)");
      return Error{ErrorCode::Unsupported, "no such chain type"};
    }
    table_ = table;
    note(what);
    return Unit{};
  }
  void note(const std::string& what) {
    calls_ += (calls_.empty() ? "" : "; ") + what;
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  proxy::RouteTable table_;
  proxy::BrokenServices broken_;
  std::string calls_;
  bool fails_ = false;
  bool breaks_ = false;
  bool failing_ = false;
  bool lacking_ = false;
  std::size_t strange_ = 0;
};

}  // namespace proxima::test
