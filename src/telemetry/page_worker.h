// SPDX-License-Identifier: Apache-2.0
// Makes pages that take their time on threads of its own, so that the server's loop answers health
// checks meanwhile. A page that nobody waits for any more is not begun: what a client sent is gone
// with its connection. An internal error costs the page that it happens to. Safe for concurrent
// use.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "net/http_message.h"

namespace proxima::telemetry {

// A page being made: `response` is there once `done` says so.
struct PageJob {
  std::function<net::HttpResponse()> make;
  std::string asker;
  net::HttpResponse response;
  bool broke_down = false;  // an internal error: the response is a 500
  std::atomic<bool> done = false;
};

struct PageWorkerLimits {
  std::size_t waiting = 16;
  std::size_t threads = 1;  // with one, pages are made one after the other
  std::size_t waiting_per_asker = 16;
  // Told what an internal error was, on the worker's thread. May be empty.
  std::function<void(const std::string& what)> broke_down = {};
};

class PageWorker {
 public:
  // `on_done` is called after every job, on its thread.
  explicit PageWorker(std::function<void()> on_done, const PageWorkerLimits& limits = {});
  ~PageWorker() { stop(); }
  PageWorker(const PageWorker&) = delete;
  PageWorker& operator=(const PageWorker&) = delete;

  // Whoever lets go of the job before it has begun wants it no more. Null: too many wait already,
  // in all or for this asker (an address), or it has stopped. Without an asker only all count.
  std::shared_ptr<PageJob> begin(std::function<net::HttpResponse()> make,
                                 const std::string& asker = {});
  // Waits for pages being made; those not begun become 503.
  void stop();

 private:
  void run();
  bool has_room_for(const std::string& asker) const;
  void make(PageJob& job) const;
  // Of those that wait; null: nobody wants any of them.
  std::shared_ptr<PageJob> take_next();

  std::function<void()> on_done_;
  PageWorkerLimits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::weak_ptr<PageJob>> waiting_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace proxima::telemetry
