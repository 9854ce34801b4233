// SPDX-License-Identifier: Apache-2.0
#include "controller/controller.h"

#include <mutex>
#include <vector>

#include "controller/debug_plan.h"
#include "controller/sync_term.h"
#include "kube/reflector.h"
#include "kube/telling_options.h"
#include "telemetry/rendering_hook.h"

namespace proxima::controller {
namespace {

// Poll interval for caches that have not synced or are behind, before a term.
constexpr kube::Duration kSyncedCheck = std::chrono::milliseconds(20);
constexpr const char* kServiceQueueName = "endpoint_slice";

class RunningController final : public Controller {
 public:
  RunningController(ControllerOptions options, const ControllerPorts& ports)
      : options_(std::move(options)),
        ports_(ports),
        planner_(options_.plan),
        metrics_(ports.metrics),
        queue_metrics_(ports.metrics, kServiceQueueName),
        follow_(ports.clock.steady_now()),
        honored_(follow_),
        intake_(caches_, tracker_, options_.updates_batch_period),
        sync_({caches_, intake_, planner_, tracker_, trigger_times_, book_, honored_, metrics_,
               ports.clock, ports.log},
              options_.max_endpoints_per_slice),
        shown_(ports.metrics, [this] { show_metrics(); }) {}
  ~RunningController() override { stop(); }

  void start() override;
  void lead(std::optional<kube::LeadershipGuard> guard) override;
  void stop_leading() override;
  void wait_until_idle() override;
  void stop() override;
  bool has_cut_writes() const override {
    const std::lock_guard lock(mutex_);
    return cut_writes_;
  }
  ControllerStatus status() const override;
  ClusterCaches& caches() override { return caches_; }
  std::int64_t take_report(const reports::NodeReport& report) override {
    return follow_.report(report, ports_.clock.steady_now());
  }
  Result<std::string> debug_plan(std::string_view service) const override;

 private:
  template <class Record>
  void reflect(const kube::Resource& resource, kube::Cache<Record>& cache);
  kube::ReflectorOptions reflector_options(const kube::Resource& resource) const;
  void supervise();
  bool are_caches_current();
  void end_term(std::unique_lock<std::mutex>& lock);
  void begin_term(std::unique_lock<std::mutex>& lock);
  void show_metrics();

  ControllerOptions options_;
  ControllerPorts ports_;
  ClusterCaches caches_;
  SliceTracker tracker_;
  TriggerTimes trigger_times_;
  LockedPlanner planner_;
  DecisionBook book_;
  ControllerMetrics metrics_;
  WorkQueueMetrics queue_metrics_;
  FollowBook follow_;
  HonoredConditions honored_;
  WorkIntake intake_;
  ServiceSync sync_;
  net::Cancellation stop_caches_;
  std::vector<Thread> threads_;  // of the caches, and the supervisor

  mutable std::mutex mutex_;
  ConditionVariable changed_;
  bool stopping_ = false;
  bool wanted_ = false;  // to lead, with guard_
  std::optional<kube::LeadershipGuard> guard_;
  bool renewed_ = false;      // guard_ is newer than the one that term_ has
  bool beginning_ = false;    // what will be term_ has begun to work
  bool outdated_ = false;     // term_ is not the one that is wanted
  bool cut_writes_ = false;   // of the last term
  bool told_behind_ = false;  // that caches are waited for; of the thread that supervises
  std::unique_ptr<SyncTerm> term_;
  telemetry::RenderingHook shown_;  // the last, so that it asks for nothing that is gone
};

kube::ReflectorOptions RunningController::reflector_options(const kube::Resource& resource) const {
  const auto tell = [&log = ports_.log](std::string_view what, const std::string& problem) {
    log.warning(what, {{"problem", problem}});
  };
  return kube::telling_options(resource, options_.seed, tell, stop_caches_);
}

template <class Record>
void RunningController::reflect(const kube::Resource& resource, kube::Cache<Record>& cache) {
  threads_.push_back(ports_.clock.start_thread([this, &resource, &cache] {
    kube::Reflector<Record> reflector(ports_.api, ports_.clock, resource, cache,
                                      reflector_options(resource));
    reflector.run(stop_caches_);
  }));
}

void RunningController::start() {
  const std::lock_guard guard(mutex_);
  if (stopping_ || !threads_.empty()) return;
  caches_.nodes.subscribe([this](const kube::Change<kube::NodeRecord>& change) {
    follow_.change_node(change, ports_.clock.steady_now());
  });
  caches_.slices.subscribe([this](const kube::Change<kube::EndpointSliceRecord>& change) {
    follow_.change_slice(change, ports_.clock.steady_now());
  });
  reflect(kube::kPods, caches_.pods);
  reflect(kube::kServices, caches_.services);
  reflect(kube::kNodes, caches_.nodes);
  reflect(kube::kNamespaces, caches_.namespaces);
  reflect(kube::kEndpointSlices, caches_.slices);
  threads_.push_back(ports_.clock.start_thread([this] { supervise(); }));
}

void RunningController::lead(std::optional<kube::LeadershipGuard> guard) {
  const std::lock_guard lock(mutex_);
  wanted_ = true;
  guard_ = std::move(guard);
  renewed_ = true;
  outdated_ = term_ != nullptr;
  changed_.notify_all();
}

void RunningController::stop_leading() {
  const std::lock_guard lock(mutex_);
  wanted_ = false;
  outdated_ = term_ != nullptr;
  changed_.notify_all();
}

void RunningController::wait_until_idle() {
  std::unique_lock lock(mutex_);
  ports_.clock.wait(lock, changed_,
                    [this] { return wanted_ || (!beginning_ && term_ == nullptr); });
}

void RunningController::supervise() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (term_ && (outdated_ || stopping_)) end_term(lock);
    if (stopping_) return;
    const bool waits_for_caches = wanted_ && !term_;
    if (waits_for_caches && are_caches_current()) {
      begin_term(lock);
    } else if (waits_for_caches) {
      ports_.clock.wait_until(lock, changed_, ports_.clock.steady_now() + kSyncedCheck);
    } else {
      ports_.clock.wait_until(lock, changed_, Clock::SteadyTime::max());
    }
  }
}

// A standby that was cut off has older caches than the leader before it had: slices made of them
// would take back endpoints that were published since.
bool RunningController::are_caches_current() {
  if (!caches_.waiting_for().empty()) return false;
  const std::string behind = caches_.behind(ports_.clock.steady_now());
  if (!behind.empty() && !told_behind_)
    ports_.log.info("Leads, and waits for caches that are behind", {{"kinds", behind}});
  told_behind_ = !behind.empty();
  return behind.empty();
}

void RunningController::begin_term(std::unique_lock<std::mutex>& lock) {
  const auto guard = guard_;
  outdated_ = false;
  renewed_ = false;
  beginning_ = true;
  lock.unlock();
  auto term = std::make_unique<SyncTerm>(
      TermParts{ports_.api, ports_.clock, ports_.log, intake_, planner_, caches_, sync_, book_,
                metrics_, queue_metrics_, options_},
      guard);
  ports_.log.info("Begins to work", {{"services", intake_.services()}});
  term->begin();
  term->start_workers();
  lock.lock();
  beginning_ = false;
  term_ = std::move(term);
  // Whoever changed his mind meanwhile saw no term to end.
  if (!wanted_ || renewed_) outdated_ = true;
}

void RunningController::end_term(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  term_->end();
  // Another leader decides now. What was written is remembered, though: who leads again before the
  // watch has shown it would write it a second time. The intake forgets what others take away.
  trigger_times_.clear();
  book_.clear();
  honored_.clear();
  sync_.end_term();
  ports_.log.info("Has ended its work");
  lock.lock();
  cut_writes_ = term_->has_cut_writes();
  term_.reset();
  outdated_ = false;
  changed_.notify_all();
}

void RunningController::stop() {
  std::vector<Thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wanted_ = false;
    threads.swap(threads_);
    changed_.notify_all();
  }
  stop_caches_.cancel();
  for (Thread& thread : threads) thread.join();
}

ControllerStatus RunningController::status() const {
  ControllerStatus status;
  status.waiting_for = caches_.waiting_for();
  status.synced = status.waiting_for.empty();
  status.services = intake_.services();
  const std::lock_guard lock(mutex_);
  status.leading = wanted_;
  if (term_) status.queued = term_->queued();
  if (term_) status.waiting = term_->waiting();
  if (term_) status.queued_events = term_->queued_events();
  return status;
}

Result<std::string> RunningController::debug_plan(std::string_view service) const {
  if (service.empty()) return render_decisions(book_.all());
  const DecisionRef entry = book_.find(service);
  if (!entry)
    return Error{ErrorCode::NotFound, "nothing was decided about " + std::string(service)};
  return render_decisions({{std::string(service), entry}});
}

void RunningController::show_metrics() {
  metrics_.show(book_);
  const std::lock_guard lock(mutex_);
  if (term_) term_->show_queue();
}

Status check(const ControllerOptions& options) {
  const auto out_of = [](std::size_t value, std::size_t least, std::size_t most) {
    return value < least || value > most;
  };
  if (out_of(options.max_endpoints_per_slice, 1, 1000))
    return Error{ErrorCode::InvalidInput, "max-endpoints-per-slice: not in 1…1000"};
  if (out_of(options.concurrent_syncs, 1, 50))
    return Error{ErrorCode::InvalidInput, "concurrent-service-endpoint-syncs: not in 1…50"};
  if (options.updates_batch_period < std::chrono::nanoseconds(0))
    return Error{ErrorCode::InvalidInput, "endpointslice-updates-batch-period: below 0"};
  return Unit{};
}

}  // namespace

Result<std::unique_ptr<Controller>> Controller::create(ControllerOptions options,
                                                       const ControllerPorts& ports) {
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check(options), "controller");
  return std::unique_ptr<Controller>(
      std::make_unique<RunningController>(std::move(options), ports));
}

}  // namespace proxima::controller
