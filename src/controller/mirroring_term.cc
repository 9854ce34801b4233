// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_term.h"

#include "controller/mirroring_changes.h"
#include "core/plan/conditions.h"
#include "kube/cancellable_wait.h"

namespace proxima::controller {
namespace {

constexpr std::string_view kComponent = "endpoint-slice-mirroring-controller";
constexpr std::size_t kMaxRetries = 15;
constexpr kube::BackoffRange kRetryDelays = {std::chrono::seconds(1), std::chrono::seconds(100)};
// Endpoints that failed too often are left alone for so long; upstream forgets them until they
// change.
constexpr kube::Duration kFailedTooOftenDelay = kRetryDelays.cap;
// How often caches that are still being filled are looked at.
constexpr std::chrono::milliseconds kSyncLook{50};

std::unique_ptr<kube::FencedApi> fence(kube::KubeApi& api,
                                       std::optional<kube::LeadershipGuard> guard) {
  if (!guard) return nullptr;
  return std::make_unique<kube::FencedApi>(api, std::move(*guard));
}

std::unique_ptr<kube::EventRecorder> make_recorder(const MirroringOptions& options,
                                                   const ControllerPorts& ports,
                                                   kube::KubeApi& api) {
  if (options.writes == Writes::Shadow) return nullptr;
  kube::EventRecorderOptions recorder;
  recorder.source = {std::string(kComponent), options.host};
  recorder.seed = options.seed;
  recorder.on_problem = [&log = ports.log](const std::string& message) {
    log.warning("An event about Endpoints could not be written", {{"problem", message}});
  };
  return std::make_unique<kube::EventRecorder>(std::move(recorder), api, ports.clock);
}

kube::ObjectReference reference_to(const kube::EndpointsRecord& endpoints) {
  kube::ObjectReference about;
  about.api_version = "v1";
  about.kind = "Endpoints";
  about.ns = endpoints.meta.ns.view();
  about.name = endpoints.meta.name.view();
  about.uid = endpoints.meta.uid.view();
  about.resource_version = std::to_string(endpoints.meta.version);
  return about;
}

}  // namespace

MirroringTerm::MirroringTerm(const MirroringTermParts& parts,
                             std::optional<kube::LeadershipGuard> guard)
    : options_(parts.options),
      ports_(parts.ports),
      caches_(parts.caches),
      intake_(parts.intake),
      metrics_(parts.metrics),
      queue_metrics_(parts.queue_metrics),
      breakdowns_(parts.breakdowns),
      fenced_(fence(ports_.api, std::move(guard))),
      api_(fenced_ ? static_cast<kube::KubeApi&>(*fenced_) : ports_.api),
      client_(api_, options_.request_timeout),
      events_(make_recorder(options_, ports_, api_)),
      queue_(ports_.clock, {.retry = kRetryDelays}, &queue_metrics_),
      sync_(sync_ports(), options_.max_endpoints_per_subset) {
  listen();
  for (std::size_t i = 0; i < options_.concurrent_syncs; ++i)
    workers_.push_back(ports_.clock.start_thread([this] { work(); }));
}

MirroringTerm::~MirroringTerm() {
  end();
  for (Thread& worker : workers_) worker.join();
  metrics_.forget_all();
}

MirroringSyncPorts MirroringTerm::sync_ports() {
  return {caches_, intake_.tracker(), metrics_, ports_.clock,
          [this](const kube::EndpointsRecord& endpoints, const slices::MirrorWarning& warning) {
            warn(endpoints, warning);
          }};
}

// Everything that is there already is told first, so nothing needs to be looked for.
void MirroringTerm::listen() {
  subscriptions_.services = caches_.services.subscribe([this](const auto& change) {
    if (wants_mirroring(change)) queue_.add(kube::to_text(change.key()));
  });
  subscriptions_.endpoints = caches_.endpoints.subscribe([this](const auto& change) {
    if (wants_mirroring(change)) queue_.add(kube::to_text(change.key()));
  });
  intake_.open(queue_, options_.updates_batch_period);
}

void MirroringTerm::end() {
  std::call_once(ended_, [this] {
    ending_ = true;
    caches_.services.unsubscribe(subscriptions_.services);
    caches_.endpoints.unsubscribe(subscriptions_.endpoints);
    intake_.close();
    queue_.shut_down();
    no_more_waiting_.cancel();
  });
}

void MirroringTerm::show_queue() { queue_metrics_.show(queue_.depth(), queue_.unfinished()); }

void MirroringTerm::warn(const kube::EndpointsRecord& endpoints,
                         const slices::MirrorWarning& warning) {
  ports_.log.warning("Not all addresses of Endpoints are mirrored",
                     {{"endpoints", kube::to_text(endpoints.key())}, {"why", warning.message}});
  if (events_)
    events_->record(reference_to(endpoints), kube::EventType::Warning, std::string(warning.reason),
                    warning.message);
}

void MirroringTerm::work() {
  // Older caches would undo what another leader has written meanwhile.
  while (!caches_.synced() || !caches_.are_current(ports_.clock.steady_now()))
    if (kube::wait_for(ports_.clock, kSyncLook, no_more_waiting_) == kube::Waited::Cancelled)
      return;
  while (const auto key = queue_.take()) {
    // A queue that is shut down hands out what is left in it: somebody else will see to that.
    if (!ending_) process(*key);
    queue_.done(*key);
  }
}

void MirroringTerm::process(const std::string& key) {
  const kube::Duration wait = breakdowns_.wait_for(key, ports_.clock.steady_now());
  if (wait > kube::Duration::zero()) return queue_.add_after(key, wait);
  const Outcome outcome = sync(key);
  if (outcome.breakdown) return tell_breakdown(key, *outcome.breakdown);
  if (outcome.status) breakdowns_.forget(key);
  finish(key, outcome.status);
}

MirroringTerm::Outcome MirroringTerm::sync(const std::string& key) {
  const auto began = ports_.clock.steady_now();
  ShadowSlicePort shadow;
  ApiSlicePort real(client_, never_);
  const bool writes = options_.writes == Writes::Real;
  Outcome outcome;
  outcome.breakdown = run_guarded(
      [&] { outcome.status = sync_.sync(key, writes ? static_cast<SlicePort&>(real) : shadow); });
  metrics_.synced(ports_.clock.steady_now() - began);
  for (const ShadowWrite& write : shadow.writes)
    ports_.log.info(
        "Would write an EndpointSlice",
        {{"operation", to_text(write.operation)}, {"endpoints", key}, {"slice", write.name}});
  return outcome;
}

// What is published stays. As with Services, it is told once and tried again ever less often.
void MirroringTerm::tell_breakdown(const std::string& key, const Breakdown& breakdown) {
  const policy::Note why{.reason = policy::Reason::InternalError, .subject = breakdown.what};
  const auto noted = breakdowns_.note(key, breakdown.what, ports_.clock.steady_now());
  metrics_.broke_down();
  queue_.add_after(key, noted.again_after);
  if (!noted.is_news) return;
  ports_.log.error("An internal error stopped the mirroring of Endpoints", breakdown.what,
                   {{"endpoints", key}});
  const auto slash = key.find('/');
  const auto endpoints =
      caches_.endpoints.snapshot().find({key.substr(0, slash), key.substr(slash + 1)});
  if (endpoints && events_)
    events_->record(reference_to(*endpoints), kube::EventType::Warning,
                    plan::condition_reason(why.reason), policy::sentence(why));
}

void MirroringTerm::finish(const std::string& key, const Status& status) {
  if (status) return queue_.forget(key);
  // To wait for a cache is no failure that uses up tries.
  if (queue_.num_requeues(key) < kMaxRetries || sync_.awaits_cache(key)) {
    ports_.log.info("Error mirroring EndpointSlices for Endpoints, retrying",
                    {{"key", key}, {"err", status.error().message}});
    return queue_.add_rate_limited(key);
  }
  ports_.log.error("Mirroring of Endpoints failed too often", status.error().message,
                   {{"key", key}});
  queue_.forget(key);
  // Nothing else would bring the Endpoints back.
  queue_.add_after(key, kFailedTooOftenDelay);
}

}  // namespace proxima::controller
