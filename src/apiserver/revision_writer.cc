// SPDX-License-Identifier: Apache-2.0
#include "apiserver/revision_writer.h"

#include <utility>

namespace proxima::apiserver {
namespace {

constexpr std::size_t kMaxQueuedBytes = 64U << 20U;
constexpr std::size_t kRowOverheadBytes = 256;
// Old rows go a few at a time: no commit waits for a great clean-up.
constexpr std::size_t kMaxExpiredABatch = 4096;

std::size_t cost(const LogRow& row) { return row.object->json.size() + kRowOverheadBytes; }

}  // namespace

RevisionWriter::RevisionWriter(RevisionLog log, Revision durable, std::function<void()> on_commit)
    : on_commit_(std::move(on_commit)),
      durable_(durable),
      log_(std::move(log)),
      thread_([this] { run(); }) {}

RevisionWriter::~RevisionWriter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RevisionWriter::push(LogRow row, const std::vector<Revision>& expired, Revision compacted) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queued_bytes_ < kMaxQueuedBytes || failure_; });
  if (failure_) return;
  queued_bytes_ += cost(row);
  queue_.rows.push_back(std::move(row));
  queue_.expired.insert(queue_.expired.end(), expired.begin(), expired.end());
  queue_.compacted = compacted;
  lock.unlock();
  changed_.notify_all();
}

void RevisionWriter::push_expired(std::vector<Revision> expired, Revision compacted) {
  if (expired.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    queue_.expired.insert(queue_.expired.end(), expired.begin(), expired.end());
    queue_.compacted = compacted;
  }
  changed_.notify_all();
}

std::optional<std::string> RevisionWriter::failure() const {
  if (!failed_.load(std::memory_order_acquire)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool RevisionWriter::congested() const {
  const std::lock_guard lock(mutex_);
  return queued_bytes_ >= kMaxQueuedBytes && !failure_;
}

Status RevisionWriter::backup(const std::string& path) {
  const std::lock_guard lock(log_mutex_);
  return log_.backup(path);
}

void RevisionWriter::run() {
  for (;;) {
    LogBatch batch;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(
          lock, [this] { return stopping_ || !queue_.rows.empty() || !queue_.expired.empty(); });
      if (queue_.rows.empty() && queue_.expired.empty()) return;
      batch = std::exchange(queue_, {});
      queued_bytes_ = 0;
    }
    changed_.notify_all();
    write(std::move(batch));
    if (failed_.load(std::memory_order_relaxed)) return;
  }
}

void RevisionWriter::write(LogBatch batch) {
  // The rest waits for the next batch; rows that stay too long do no harm.
  if (batch.expired.size() > kMaxExpiredABatch) {
    const std::lock_guard lock(mutex_);
    const auto rest = batch.expired.begin() + kMaxExpiredABatch;
    queue_.expired.insert(queue_.expired.begin(), rest, batch.expired.end());
    if (queue_.compacted == 0) queue_.compacted = batch.compacted;
    batch.expired.erase(rest, batch.expired.end());
  }
  Status done = Unit{};
  {
    const std::lock_guard lock(log_mutex_);
    done = log_.append(batch);
  }
  if (done && !batch.rows.empty())
    durable_.store(batch.rows.back().revision, std::memory_order_release);
  if (!done) {
    const std::lock_guard lock(mutex_);
    failure_ = done.error().message;
    failed_.store(true, std::memory_order_release);
  }
  changed_.notify_all();
  if (on_commit_) on_commit_();
}

}  // namespace proxima::apiserver
