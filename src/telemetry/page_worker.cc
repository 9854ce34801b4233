// SPDX-License-Identifier: Apache-2.0
#include "telemetry/page_worker.h"

#include <algorithm>

#include "base/guarded.h"
#include "telemetry/plain_response.h"

namespace proxima::telemetry {

PageWorker::PageWorker(std::function<void()> on_done, const PageWorkerLimits& limits)
    : on_done_(std::move(on_done)), limits_(limits) {
  for (std::size_t i = 0; i < limits_.threads; ++i) threads_.emplace_back([this] { run(); });
}

std::shared_ptr<PageJob> PageWorker::begin(std::function<net::HttpResponse()> make,
                                           const std::string& asker) {
  auto job = std::make_shared<PageJob>();
  job->make = std::move(make);
  job->asker = asker;
  const std::lock_guard guard(mutex_);
  std::erase_if(waiting_, [](const auto& one) { return one.expired(); });
  if (stopping_ || !has_room_for(asker)) return nullptr;
  waiting_.push_back(job);
  changed_.notify_one();
  return job;
}

bool PageWorker::has_room_for(const std::string& asker) const {
  if (waiting_.size() >= limits_.waiting) return false;
  if (asker.empty()) return true;
  const auto own = std::count_if(waiting_.begin(), waiting_.end(), [&](const auto& one) {
    const auto job = one.lock();
    return job && job->asker == asker;
  });
  return static_cast<std::size_t>(own) < limits_.waiting_per_asker;
}

void PageWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::shared_ptr<PageJob> job = take_next();
    if (!job) continue;
    const bool stopping = stopping_;
    lock.unlock();
    if (stopping) {
      job->response = plain_response(503, "shutting down\n");
    } else {
      make(*job);
    }
    job->done = true;
    on_done_();
    job.reset();  // perhaps the last to hold it, and what it holds may be large
    lock.lock();
  }
}

void PageWorker::make(PageJob& job) const {
  const auto breakdown = run_guarded([&] { job.response = job.make(); });
  if (!breakdown) return;
  job.broke_down = true;
  job.response = plain_response(500, "internal error: " + breakdown->what + '\n');
  if (limits_.broke_down) limits_.broke_down(breakdown->what);
}

std::shared_ptr<PageJob> PageWorker::take_next() {
  while (!waiting_.empty()) {
    std::shared_ptr<PageJob> job = waiting_.front().lock();
    waiting_.pop_front();
    if (job) return job;
  }
  return nullptr;
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
