// SPDX-License-Identifier: Apache-2.0
// Makes pages that take their time on threads of its own, so that the server's loop answers health
// checks meanwhile. Safe for concurrent use.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/http_message.h"

namespace proxima::telemetry {

// A page being made: `response` is there once `done` says so.
struct PageJob {
  std::function<net::HttpResponse()> make;
  net::HttpResponse response;
  std::atomic<bool> done = false;
};

struct PageWorkerLimits {
  std::size_t waiting = 16;
  std::size_t threads = 1;  // with one, pages are made one after the other
};

class PageWorker {
 public:
  // `on_done` is called after every job, on its thread.
  explicit PageWorker(std::function<void()> on_done, const PageWorkerLimits& limits = {});
  ~PageWorker() { stop(); }
  PageWorker(const PageWorker&) = delete;
  PageWorker& operator=(const PageWorker&) = delete;

  // Null: too many wait already, or it has stopped.
  std::shared_ptr<PageJob> begin(std::function<net::HttpResponse()> make);
  // Waits for pages being made; those not begun become 503.
  void stop();

 private:
  void run();

  std::function<void()> on_done_;
  PageWorkerLimits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<PageJob>> waiting_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace proxima::telemetry
