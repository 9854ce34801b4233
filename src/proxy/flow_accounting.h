// SPDX-License-Identifier: Apache-2.0
// Counts connections as the kernel tells of them, on a thread of its own that nobody waits for. Of
// the network namespace of the thread that starts it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "dataplane/conntrack_events.h"
#include "dataplane/conntrack_table.h"
#include "proxy/flow_books.h"

namespace proxima::proxy {

struct FlowAccountingOptions {
  // Between looks at all connections; longer where a look takes more than one in `look_share` of
  // it.
  std::chrono::milliseconds look_period = std::chrono::seconds(30);
  int look_share = 50;
  // After events came, before more are taken: many at a time cost less than one by one.
  std::chrono::milliseconds gather_time{20};
  FlowAccountsOptions accounts = {};
  dataplane::ConntrackEventsOptions events = {};
};

class FlowAccounting {
 public:
  // `clock` must outlive it. Fails where the kernel does not tell, or not us.
  static Result<std::unique_ptr<FlowAccounting>> start(Clock& clock, FlowAccountingOptions options);
  // Ends the thread within one look.
  ~FlowAccounting();
  FlowAccounting(const FlowAccounting&) = delete;
  FlowAccounting& operator=(const FlowAccounting&) = delete;

  // What connections are told by from now on; counting begins with the first. Never waits for a
  // look. From any thread.
  void publish(FlowView view);
  // Stay readable when the counting has ended.
  std::shared_ptr<const FlowBooks> books() const { return books_; }

 private:
  FlowAccounting(Clock& clock, FlowAccountingOptions options, dataplane::ConntrackEvents events,
                 dataplane::ConntrackTable table);
  void run();
  bool wait_for_first_view();
  void take_view();
  void begin();
  bool drain();
  void look();
  void wait_after_failure();

  Clock& clock_;
  FlowAccountingOptions options_;
  std::shared_ptr<FlowBooks> books_;
  dataplane::ConntrackEvents events_;
  dataplane::ConntrackTable table_;  // the thread's
  Clock::SteadyTime next_look_{};    // the thread's

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::optional<FlowView> published_;
  bool ending_ = false;

  std::thread thread_;
};

}  // namespace proxima::proxy
