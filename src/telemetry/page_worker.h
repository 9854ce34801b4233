// SPDX-License-Identifier: Apache-2.0
// Makes pages that take their time on a thread of its own, so that the server's loop answers health
// checks meanwhile. Safe for concurrent use.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "net/http_message.h"

namespace proxima::telemetry {

// A page being made: `response` is there once `done` says so.
struct PageJob {
  std::function<net::HttpResponse()> make;
  net::HttpResponse response;
  std::atomic<bool> done = false;
};

class PageWorker {
 public:
  static constexpr std::size_t kMaxWaiting = 16;

  // `on_done` is called after every job, on the worker's thread.
  explicit PageWorker(std::function<void()> on_done, std::size_t max_waiting = kMaxWaiting);
  ~PageWorker() { stop(); }
  PageWorker(const PageWorker&) = delete;
  PageWorker& operator=(const PageWorker&) = delete;

  // Null: too many wait already, or it has stopped.
  std::shared_ptr<PageJob> begin(std::function<net::HttpResponse()> make);
  // Waits for the page being made; those not begun become 503.
  void stop();

 private:
  void run();

  std::function<void()> on_done_;
  std::size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<PageJob>> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace proxima::telemetry
