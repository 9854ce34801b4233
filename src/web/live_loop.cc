// SPDX-License-Identifier: Apache-2.0
#include "web/live_loop.h"

#include <algorithm>
#include <set>

#include "base/guarded.h"
#include "web/state_document.h"

namespace proxima::web {
namespace {

constexpr std::chrono::seconds kSecond(1);

double unix_seconds(Clock::WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

LiveLoop::LiveLoop(LiveLoopOptions options, LiveLoopPorts ports)
    : options_(std::move(options)),
      ports_(std::move(ports)),
      reader_(ports_.caches),
      started_(ports_.clock.steady_now()),
      history_(ports_.live != nullptr ? 1 : kClusterStep.count()) {}

void LiveLoop::start() {
  thread_ = std::thread([this] { run(); });
}

void LiveLoop::stop() {
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

Published LiveLoop::current() const {
  const std::lock_guard guard(mutex_);
  return published_;
}

Published LiveLoop::after(std::uint64_t revision, SteadyTime end) {
  std::unique_lock lock(mutex_);
  while (published_.revision <= revision && !stopping_ && ports_.clock.steady_now() < end)
    ports_.clock.wait_until(lock, changed_, end);
  return published_;
}

std::string LiveLoop::history() const {
  const std::lock_guard guard(history_mutex_);
  return history_.document();
}

std::uint64_t LiveLoop::ask() {
  if (ports_.traffic != nullptr) ports_.traffic->wanted();
  const std::lock_guard guard(mutex_);
  const bool fresh = rounds_ > 0 && ports_.clock.steady_now() - last_round_ < 2 * rest_;
  if (fresh) return rounds_;
  asked_ = rounds_ + 1;
  changed_.notify_all();
  return asked_;
}

bool LiveLoop::has_answered(std::uint64_t ticket) const {
  const std::lock_guard guard(mutex_);
  return rounds_ >= ticket || stopping_;
}

Published LiveLoop::fresh() {
  const std::uint64_t ticket = ask();
  const SteadyTime end = ports_.clock.steady_now() + kPatience;
  std::unique_lock lock(mutex_);
  while (rounds_ < ticket && !stopping_ && ports_.clock.steady_now() < end)
    ports_.clock.wait_until(lock, changed_, end);
  return published_;
}

void LiveLoop::begin_watching() {
  const std::lock_guard guard(mutex_);
  ++watchers_;
  changed_.notify_all();
}

void LiveLoop::end_watching() {
  const std::lock_guard guard(mutex_);
  --watchers_;
}

void LiveLoop::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const SteadyTime begin = ports_.clock.steady_now();
    if (watchers_ > 0 && ports_.traffic != nullptr) ports_.traffic->wanted();
    lock.unlock();
    run_round();
    ports_.on_news();
    lock.lock();
    changed_.notify_all();
    last_round_ = ports_.clock.steady_now();
    const std::chrono::nanoseconds work = last_round_ - begin;
    // A lab is small and there to be watched: it has its round every second.
    rest_ = kSecond;
    if (ports_.live == nullptr) rest_ = std::max(rest_, work * kRestFactor);
    while (!stopping_ && ports_.clock.steady_now() < next_round(begin))
      ports_.clock.wait_until(lock, changed_, next_round(begin));
  }
}

// Whoever waits for a round is answered with what there is.
void LiveLoop::run_round() {
  const auto breakdown = run_guarded([this] { round(); });
  const std::string what = breakdown ? breakdown->what : std::string();
  if (breakdown && what != broken_by_ && ports_.broke_down) ports_.broke_down(what);
  broken_by_ = what;
  const std::lock_guard guard(mutex_);
  ++rounds_;
}

LiveLoop::SteadyTime LiveLoop::next_round(SteadyTime begin) const {
  const std::chrono::nanoseconds step = kClusterStep;
  return begin + (is_wanted() ? rest_ : std::max(rest_, step));
}

void LiveLoop::round() {
  const std::uint64_t changes = reader_.changes();
  if (!picture_ || changes != changes_seen_) {
    options_.plan.now = ports_.clock.wall_now();
    picture_ = picture_of(reader_.records(), options_.plan);
    changes_seen_ = changes;
  }
  LiveState state = compose();
  const bool news = last_.revision == 0 || !same_picture(last_, state);
  state.revision = last_.revision + (news ? 1 : 0);
  std::shared_ptr<const std::string> document;
  if (news) document = std::make_shared<const std::string>(state_document(state));
  {
    const std::lock_guard history(history_mutex_);
    history_.add(static_cast<std::int64_t>(state.time), state);
  }
  if (!news) return;
  const std::lock_guard guard(mutex_);
  published_ = {.revision = state.revision, .document = std::move(document), .picture = picture_};
  last_ = std::move(state);
}

LiveState LiveLoop::compose() {
  LiveState state;
  state.version = options_.version;
  state.lab = ports_.live != nullptr;
  state.read_only = options_.read_only;
  state.time = unix_seconds(ports_.clock.wall_now());
  state.price_per_gigabyte = options_.money.per_unit * options_.plan.prices.same_region;
  state.waiting_for = reader_.waiting_for();
  state.zones = picture_->zones;
  state.nodes = picture_->nodes;
  state.pods = picture_->pods;
  state.services = picture_->services;
  state.services_not_shown = picture_->services_not_shown;
  state.pods_not_shown = picture_->pods_not_shown;
  state.events = ports_.events.newest();
  if (ports_.live != nullptr) add_facts(state);
  if (ports_.traffic != nullptr && !state.simulated) add_traffic(*ports_.traffic, state);
  return state;
}

void LiveLoop::add_traffic(const TrafficSource& traffic, LiveState& state) {
  state.asked = traffic.asked();
  state.window_seconds = static_cast<int>(traffic.spans().flows.count());
  MeasuredWindows windows = measure(traffic, state);
  if (windows.flow_seconds > 0)
    add_measured(std::move(windows), picture_->plan, options_.money, state);
}

void LiveLoop::add_facts(LiveState& state) const {
  const LabFacts facts = ports_.live->facts();
  state.simulated = facts.simulated;
  for (const ZoneFacts& fact : facts.zones) {
    auto zone = std::find_if(state.zones.begin(), state.zones.end(),
                             [&](const ZonePicture& one) { return one.name == fact.name; });
    // A zone whose nodes are all deleted is still there to be healed.
    if (zone == state.zones.end())
      zone = state.zones.insert(state.zones.end(), ZonePicture{.name = fact.name});
    zone->failed = fact.failed;
    zone->demand = fact.demand;
  }
  for (NodePicture& node : state.nodes) {
    for (const NodeFacts& fact : facts.nodes) {
      if (fact.name != node.name) continue;
      node.power = fact.power;
      node.status_url = fact.status_url;
    }
  }
}

// Most services have windows of the same length, and a source is asked once for each length.
void LiveLoop::add_loads(const TrafficSource& traffic, std::int64_t second,
                         MeasuredWindows& windows) const {
  std::set<int> lengths;
  for (const auto& [service, window] : load_windows_) {
    const int length = seconds_of(window, second);
    windows.load_seconds[service] = length;
    if (length > 0) lengths.insert(length);
  }
  for (const int length : lengths) {
    for (SeenTraffic& row : traffic.window(std::chrono::seconds(length)).rows) {
      const auto wanted = windows.load_seconds.find(row.service);
      if (wanted != windows.load_seconds.end() && wanted->second == length)
        windows.loads.push_back(std::move(row));
    }
  }
}

MeasuredWindows LiveLoop::measure(const TrafficSource& traffic, const LiveState& state) {
  const SteadyTime now = ports_.clock.steady_now();
  const std::chrono::duration<double> alive = now - started_;
  const TrafficSpans spans = traffic.spans();
  SeenWindow seen = traffic.window(spans.flows);
  MeasuredWindows windows;
  windows.flows = std::move(seen.rows);
  if (seen.seconds > 0) windows.flow_seconds = std::max(1.0, std::min(alive.count(), seen.seconds));
  const auto second = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  load_windows_ = next_windows(std::move(load_windows_), state, second, spans.settle.count());
  add_loads(traffic, second, windows);
  windows.totals = traffic.totals();
  return windows;
}

}  // namespace proxima::web
