// SPDX-License-Identifier: Apache-2.0
#include "kube/event_recorder.h"

#include "base/guarded.h"
#include "kube/cancellable_wait.h"
#include "kube/random_uuid.h"

namespace proxima::kube {
namespace {

std::string shown(const Event& event) {
  return std::string(to_text(event.type)) + " " + event.reason + " of " + event.about.kind + " " +
         (event.about.ns.empty() ? "" : event.about.ns + "/") + event.about.name;
}

}  // namespace

EventRecorder::EventRecorder(EventRecorderOptions options, KubeApi& api, Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      client_(api, options_.request_timeout),
      correlator_(options_.limits),
      random_(options_.seed),
      thread_(clock.start_thread([this] { run(); })) {}

EventRecorder::~EventRecorder() {
  stop_waiting_.cancel();
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    clock_.wait_for_threads(lock, changed_, options_.stop_within,
                            [this] { return queue_.empty() && !busy_; });
    queue_.clear();
  }
  stop_writing_.cancel();
  thread_.join();
}

void EventRecorder::record(const ObjectReference& about, EventType type, std::string reason,
                           std::string message) {
  const WallTime now = clock_.wall_now();
  Event event;
  event.ns = about.ns.empty() ? "default" : about.ns;
  event.about = about;
  event.type = type;
  event.reason = std::move(reason);
  event.message = std::move(message);
  event.source = options_.source;
  event.reporting_controller = options_.source.component;
  event.reporting_instance = options_.source.host;
  event.first = event.last = now;
  event.name = event_name(about.name, now).value_or("");
  if (event.name.empty()) {
    auto uuid = random_uuid();
    if (!uuid) return problem(uuid.error().message);
    event.name = std::move(uuid).value();
  }
  bool queued = false;
  {
    const std::lock_guard guard(mutex_);
    queued = !stopping_ && queue_.size() < options_.max_queued;
    if (queued) queue_.push_back(event);
    changed_.notify_all();
  }
  if (!queued) problem("too many queued events, dropped: " + shown(event));
}

std::size_t EventRecorder::queued() const {
  const std::lock_guard guard(mutex_);
  return queue_.size();
}

void EventRecorder::flush() {
  std::unique_lock lock(mutex_);
  clock_.wait(lock, changed_, [this] { return queue_.empty() && !busy_; });
}

void EventRecorder::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    clock_.wait(lock, changed_, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const Event event = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    deliver_guarded(event);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

// An Event that breaks an invariant is lost, and no other.
void EventRecorder::deliver_guarded(const Event& event) {
  const auto breakdown = run_guarded([&] { deliver(event); });
  if (!breakdown) return;
  correlator_ = EventCorrelator(options_.limits);  // it may be in the middle of a change
  problem("unable to write event (internal error: " + breakdown->what + "): " + shown(event));
}

void EventRecorder::deliver(const Event& event) {
  auto wanted = correlator_.correlate(event, moment_of(clock_));
  if (!wanted) return;
  for (std::uint32_t tries = 1; !try_to_write(*wanted); ++tries) {
    if (tries >= options_.max_tries)
      return problem("unable to write event (retry limit exceeded): " + shown(event));
    if (wait_for(clock_, delay_before(tries), stop_waiting_) == Waited::Cancelled)
      return problem("unable to write event (shutting down): " + shown(event));
  }
}

std::chrono::nanoseconds EventRecorder::delay_before(std::uint32_t tries) {
  const std::chrono::nanoseconds whole = options_.retry_delay;
  if (tries > 1) return whole;
  // So that all who lost the same server do not come back together.
  return std::chrono::duration_cast<std::chrono::nanoseconds>(whole * random_.unit());
}

bool EventRecorder::try_to_write(CorrelatedEvent& wanted) {
  Event& event = wanted.event;
  const ObjectRef ref{kCoreEvents, event.ns, event.name};
  ObjectResult answer = ApiFailure{404, {}, {}, std::nullopt};
  if (wanted.repeats)
    answer = client_.patch(ref, PatchKind::Strategic, render_repetition(event), stop_writing_);
  // Events live for an hour: the one to count up may be gone.
  if (!answer && is_not_found(answer.error())) {
    event.resource_version.clear();
    answer = client_.create(ref, render(event), stop_writing_);
  }
  if (answer) {
    correlator_.written(with_answer(event, *answer));
    return true;
  }
  const bool answered = answer.error().status != 0;
  // A name that is taken means that an earlier try arrived after all.
  if (answered && !is_already_exists(answer.error()))
    problem("server rejected event: " + shown(event) + ": " + to_error(answer.error()).message);
  return answered;
}

void EventRecorder::problem(const std::string& message) const {
  if (options_.on_problem) options_.on_problem(message);
}

}  // namespace proxima::kube
