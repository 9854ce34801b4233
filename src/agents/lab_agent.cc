// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_agent.h"

#include "agents/service_targets.h"

namespace proxima::agents {
namespace {

// A change of power or demand is done in a moment, unless the API keeps the agent waiting.
constexpr std::chrono::seconds kWishWithin{10};

kube::EventRecorderOptions event_options(const LabOptions& options) {
  kube::EventRecorderOptions out;
  out.source.component = "proxima-lab";
  out.seed = options.seed;
  return out;
}

LabWishes first_wishes(const LabShape& shape) {
  LabWishes wishes;
  wishes.requests_per_second = shape.requests_per_second;
  for (const ZoneShape& zone : shape.zones) wishes.demand[zone.name] = zone.demand;
  wishes.demand = normalized(std::move(wishes.demand));
  for (const ServiceShape& service : shape.services) wishes.parts[service.key()] = service.share;
  return wishes;
}

}  // namespace

LabAgent::LabAgent(const LabOptions& options, const LabPorts& ports)
    : ports_(ports),
      hooks_(options.hooks),
      api_(ports.api, options.request_timeout),
      caches_(ports.api, ports.clock, ports.log, options.seed),
      events_(event_options(options), ports.api, ports.clock),
      pods_({api_, ports.machines, ports.programs, book_, events_, ports.log, hooks_}),
      nodes_({api_, ports.machines, ports.programs, book_, events_, ports.log, hooks_}, pods_),
      wishes_(first_wishes(options.shape)) {}

// Caches tell of changes while they hold a lock of their own, and wake() takes ours: it must not be
// held where they are started.
void LabAgent::start() {
  const std::lock_guard life(life_);
  if (is_stopping() || thread_.joinable()) return;
  caches_.start([this] { wake(); });
  thread_ = std::thread([this] { run(); });
}

void LabAgent::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    passed_.notify_all();
  }
  api_.cancel();
  // Whoever comes second waits for the first.
  const std::lock_guard life(life_);
  caches_.stop();
  if (thread_.joinable()) thread_.join();
}

bool LabAgent::is_stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void LabAgent::wake() {
  const std::lock_guard lock(mutex_);
  dirty_ = true;
  changed_.notify_all();
}

void LabAgent::run() {
  std::unique_lock lock(mutex_);
  Clock::SteadyTime due = Clock::SteadyTime::min();
  while (!stopping_) {
    if (!dirty_ && ports_.clock.steady_now() < due) {
      ports_.clock.wait_until(lock, changed_, due);
      continue;
    }
    dirty_ = false;
    const std::uint64_t wished = wished_;
    lock.unlock();
    due = pass();
    Progress progress = this->progress();
    lock.lock();
    progress_ = std::move(progress);
    // Before the caches are there nothing is done, and nothing is promised.
    if (caches_.have_synced()) fulfilled_ = wished;
    passed_.notify_all();
  }
  lock.unlock();
  pods_.drop_all();
}

Clock::SteadyTime LabAgent::pass() {
  if (!caches_.have_synced()) {
    // The last change of a list is told before the list counts as seen.
    return ports_.clock.steady_now() + std::chrono::milliseconds(20);
  }
  const AgentView now = view();
  const LabWishes wishes = wishes_for(now);
  Agenda agenda(now.now);
  book_.prune(now.now);
  nodes_.pass(now, wishes.cuts, agenda);
  pods_.pass(now, nodes_.seen(), agenda);
  direct_traffic(now, wishes);
  direct_demand(wishes);
  nodes_.publish_traffic(now, demand_);
  agenda.at(book_.next_try(now.now));
  return agenda.next();
}

void LabAgent::direct_traffic(const AgentView& view, const LabWishes& wishes) {
  std::set<std::string> present;
  for (const ServiceTarget& target : targets_) present.insert(target.service);
  std::vector<ServiceTarget> targets =
      service_targets(view.services, view.pods, present, wishes.parts);
  if (targets == targets_) return;
  targets_ = std::move(targets);
  ports_.programs.set_targets(targets_);
}

void LabAgent::direct_demand(const LabWishes& wishes) {
  std::set<std::string> zones;
  for (const auto& [name, lab] : nodes_.nodes()) zones.insert(lab.zone);
  if (zones.empty()) return;
  DemandShares demand = shares_of(wishes.demand, {zones.begin(), zones.end()});
  if (demand == demand_ && wishes.requests_per_second == requests_per_second_) return;
  demand_ = std::move(demand);
  requests_per_second_ = wishes.requests_per_second;
  ports_.programs.set_demand(requests_per_second_, demand_);
}

LabAgent::Progress LabAgent::progress() const {
  Progress progress;
  progress.nodes = nodes_.nodes().size();
  for (const auto& [key, running] : pods_.running())
    if (running.client_on) ++progress.clients;
  for (const ServiceTarget& target : targets_) progress.targets.insert(target.service);
  return progress;
}

Status LabAgent::change(const std::function<void(LabWishes&)>& change) {
  const auto deadline = ports_.clock.steady_now() + kWishWithin;
  std::unique_lock lock(mutex_);
  change(wishes_);
  const std::uint64_t wanted = ++wished_;
  dirty_ = true;
  changed_.notify_all();
  while (fulfilled_ < wanted) {
    if (stopping_) return Error{ErrorCode::Denied, "the lab is ending"};
    if (ports_.clock.steady_now() >= deadline)
      return Error{ErrorCode::Retry, "the agents of the lab are busy; it will be done later"};
    ports_.clock.wait_until(lock, passed_, deadline);
  }
  return Unit{};
}

// A node that is deleted takes its power cut along: the next one of that name is another machine.
LabWishes LabAgent::wishes_for(const AgentView& view) {
  const std::lock_guard lock(mutex_);
  std::erase_if(wishes_.cuts, [&](const auto& cut) {
    return view.nodes.peek({{}, cut.first}) == nullptr;
  });
  return wishes_;
}

LabWishes LabAgent::wishes() const {
  const std::lock_guard lock(mutex_);
  return wishes_;
}

AgentView LabAgent::view() const {
  return {caches_.pods.snapshot(), caches_.nodes.snapshot(), caches_.services.snapshot(),
          ports_.clock.steady_now(), ports_.clock.wall_now()};
}

bool LabAgent::wait_for(Clock::SteadyTime deadline,
                        const std::function<bool(const Progress&)>& done) {
  std::unique_lock lock(mutex_);
  while (!done(progress_)) {
    if (stopping_ || ports_.clock.steady_now() >= deadline) return false;
    ports_.clock.wait_until(lock, passed_, deadline);
  }
  return true;
}

}  // namespace proxima::agents
