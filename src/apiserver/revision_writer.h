// SPDX-License-Identifier: Apache-2.0
// Makes changes durable on a thread of its own: whatever came in during one commit goes into the
// next, so that one sync serves many.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "apiserver/revision_log.h"

namespace proxima::apiserver {

class RevisionWriter {
 public:
  // `on_commit` is called on the writer's thread, after a batch and after a failure.
  RevisionWriter(RevisionLog log, Revision durable, std::function<void()> on_commit);
  // Writes what was pushed before it goes.
  ~RevisionWriter();
  RevisionWriter(const RevisionWriter&) = delete;
  RevisionWriter& operator=(const RevisionWriter&) = delete;

  // Waits while too much is queued: the disk sets the pace. After a failure what is pushed is
  // dropped.
  void push(LogRow row, const std::vector<Revision>& expired, Revision compacted);
  // Rows to remove without a new one.
  void push_expired(std::vector<Revision> expired, Revision compacted);

  Revision durable() const { return durable_.load(std::memory_order_acquire); }
  std::optional<std::string> failure() const;
  // Whether push() would block.
  bool congested() const;
  Status backup(const std::string& path);

 private:
  void run();
  void write(LogBatch batch);

  std::function<void()> on_commit_;
  std::atomic<Revision> durable_;
  std::atomic<bool> failed_ = false;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  LogBatch queue_;
  std::size_t queued_bytes_ = 0;
  bool stopping_ = false;
  std::optional<std::string> failure_;

  std::mutex log_mutex_;  // of the log: the thread, or a backup
  RevisionLog log_;
  std::thread thread_;  // last: everything else is there when it starts
};

}  // namespace proxima::apiserver
