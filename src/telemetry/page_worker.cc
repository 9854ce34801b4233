// SPDX-License-Identifier: Apache-2.0
#include "telemetry/page_worker.h"

#include "telemetry/plain_response.h"

namespace proxima::telemetry {

PageWorker::PageWorker(std::function<void()> on_done, const PageWorkerLimits& limits)
    : on_done_(std::move(on_done)), limits_(limits) {
  for (std::size_t i = 0; i < limits_.threads; ++i) threads_.emplace_back([this] { run(); });
}

std::shared_ptr<PageJob> PageWorker::begin(std::function<net::HttpResponse()> make) {
  auto job = std::make_shared<PageJob>();
  job->make = std::move(make);
  const std::lock_guard guard(mutex_);
  if (stopping_ || waiting_.size() >= limits_.waiting) return nullptr;
  waiting_.push_back(job);
  changed_.notify_one();
  return job;
}

void PageWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::shared_ptr<PageJob> job = std::move(waiting_.front());
    waiting_.pop_front();
    const bool stopping = stopping_;
    lock.unlock();
    job->response = stopping ? plain_response(503, "shutting down\n") : job->make();
    job->done = true;
    on_done_();
    lock.lock();
  }
}

void PageWorker::stop() {
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

}  // namespace proxima::telemetry
