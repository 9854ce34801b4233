// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_accounting.h"

#include <algorithm>
#include <utility>

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;
using dataplane::ConntrackEvents;
using std::chrono::milliseconds;

// Between looks that are made because events were lost.
constexpr milliseconds kLossPause{1'000};
constexpr milliseconds kFailurePause{1'000};

}  // namespace

FlowAccounting::FlowAccounting(Clock& clock, FlowAccountingOptions options, ConntrackEvents events,
                               dataplane::ConntrackTable table)
    : clock_(clock),
      options_(options),
      books_(std::make_shared<FlowBooks>(options.accounts)),
      events_(std::move(events)),
      table_(std::move(table)),
      thread_([this] { run(); }) {}

Result<std::unique_ptr<FlowAccounting>> FlowAccounting::start(Clock& clock,
                                                              FlowAccountingOptions options) {
  PROXIMA_TRY(ConntrackEvents events, ConntrackEvents::open(options.events), "count connections");
  PROXIMA_TRY(dataplane::ConntrackTable table, dataplane::ConntrackTable::open(),
              "count connections");
  return std::unique_ptr<FlowAccounting>(
      new FlowAccounting(clock, options, std::move(events), std::move(table)));
}

FlowAccounting::~FlowAccounting() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  events_.wake();
  thread_.join();
}

void FlowAccounting::publish(FlowView view) {
  {
    const std::lock_guard lock(mutex_);
    published_ = std::move(view);
  }
  changed_.notify_all();
}

bool FlowAccounting::wait_for_first_view() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ending_ || published_.has_value(); });
  return !ending_;
}

void FlowAccounting::take_view() {
  std::optional<FlowView> view;
  {
    const std::lock_guard lock(mutex_);
    view.swap(published_);
  }
  if (!view) return;
  const Clock::SteadyTime now = clock_.steady_now();
  books_->write([&](FlowAccounts& accounts, FlowStatistics&) {
    accounts.views().add(std::move(*view), now);
  });
}

void FlowAccounting::run() {
  if (!wait_for_first_view()) return;
  begin();
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(next_look_ - clock_.steady_now());
    const Result<ConntrackEvents::Wait> waited = events_.wait(std::max(left, milliseconds(0)));
    if (!waited) {
      wait_after_failure();
    } else if (*waited == ConntrackEvents::Wait::Woken) {
      return;
    }
    take_view();
    const bool more = drain();
    if (clock_.steady_now() >= next_look_) look();
    // What wakes this pause stays in force and ends the next wait.
    if (!more) static_cast<void>(events_.pause(options_.gather_time));
  }
}

// Everything that ends meanwhile and was not seen began before us.
void FlowAccounting::begin() {
  take_view();
  const auto baseline = [this](bool on) {
    books_->write([on](FlowAccounts& accounts, FlowStatistics&) {
      on ? accounts.begin_baseline() : accounts.end_baseline();
    });
  };
  baseline(true);
  look();
  drain();
  baseline(false);
}

// Whether there is more.
bool FlowAccounting::drain() {
  bool failed = false;
  bool more = false;
  books_->write([&](FlowAccounts& accounts, FlowStatistics& statistics) {
    const auto drained = events_.drain([&](const ConntrackEntry& entry) { accounts.ended(entry); });
    failed = !drained;
    if (failed) return;
    more = drained->more;
    statistics.events += drained->events;
    if (!drained->lost) return;
    ++statistics.events_lost;
    next_look_ = std::min(next_look_, clock_.steady_now() + kLossPause);
  });
  if (failed) wait_after_failure();
  return more;
}

void FlowAccounting::look() {
  const Clock::SteadyTime begin = clock_.steady_now();
  books_->write([&](FlowAccounts& accounts, FlowStatistics& statistics) {
    accounts.begin_look();
    // Of both families at once: a list costs a walk through the kernel's whole hash table.
    const Result<bool> whole =
        table_.visit({.status = dataplane::kConntrackDestinationNat},
                     [&](const ConntrackEntry& entry) { accounts.seen(entry); });
    if (!whole) ++statistics.failures;
    if (whole && *whole) accounts.end_look();
    ++statistics.looks;
    statistics.look_time = clock_.steady_now() - begin;
  });
  const Clock::SteadyTime end = clock_.steady_now();
  next_look_ = end + std::max<std::chrono::nanoseconds>(options_.look_period,
                                                        options_.look_share * (end - begin));
}

void FlowAccounting::wait_after_failure() {
  books_->write([](FlowAccounts&, FlowStatistics& statistics) { ++statistics.failures; });
  static_cast<void>(events_.pause(kFailurePause));
}

}  // namespace proxima::proxy
