// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_controller.h"

#include <mutex>
#include <utility>
#include <vector>

#include "controller/mirroring_term.h"
#include "core/model/labels.h"
#include "kube/reflector.h"
#include "kube/telling_options.h"
#include "telemetry/rendering_hook.h"

namespace proxima::controller {
namespace {

constexpr const char* kMirroringQueueName = "endpoint_slice_mirroring";

struct Range {
  std::string_view flag;
  std::size_t value;
  std::size_t least;
  std::size_t most;
};

std::string refusal(const Range& range, std::string_view bound, std::size_t limit) {
  return std::string(range.flag) + " must not be " + std::string(bound) + " than " +
         std::to_string(limit) + ", but got " + std::to_string(range.value);
}

Status check(const Range& range) {
  if (range.value < range.least)
    return Error{ErrorCode::InvalidInput, refusal(range, "less", range.least)};
  if (range.value > range.most)
    return Error{ErrorCode::InvalidInput, refusal(range, "more", range.most)};
  return Unit{};
}

std::string kinds_to_see(const MirroringCaches& caches) {
  std::string kinds;
  const auto add = [&kinds](bool synced, std::string_view kind) {
    if (!synced) kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
  };
  add(caches.services.has_synced(), "services");
  add(caches.endpoints.has_synced(), "endpoints");
  add(caches.slices.has_synced(), "endpointslices");
  return kinds;
}

}  // namespace

struct MirroringController::State {
  struct Wish {
    std::uint64_t number = 0;
    bool leads = false;
    std::optional<kube::LeadershipGuard> guard;
  };

  State(MirroringOptions wanted, const ControllerPorts& given)
      : options(std::move(wanted)),
        ports(given),
        metrics(given.metrics),
        queue_metrics(given.metrics, kMirroringQueueName),
        intake(caches.slices),
        conductor(given.clock.start_thread([this] { conduct(); })),
        shown(given.metrics, [this] { show_queue(); }) {}

  void conduct();
  void show_queue();
  void want(bool leads, std::optional<kube::LeadershipGuard> guard);

  template <class Record>
  void reflect(const kube::Resource& resource, kube::Cache<Record>& cache,
               const std::string& label_selector) {
    const auto tell = [this](std::string_view what, const std::string& problem) {
      ports.log.warning(what, {{"problem", problem}});
    };
    auto reflecting = kube::telling_options(resource, options.seed, tell, stopping);
    reflecting.label_selector = label_selector;
    reflectors.push_back(ports.clock.start_thread([this, resource, &cache,
                                                   reflecting = std::move(reflecting)] {
      kube::Reflector<Record>(ports.api, ports.clock, resource, cache, reflecting).run(stopping);
    }));
  }

  MirroringOptions options;
  ControllerPorts ports;
  MirroringMetrics metrics;
  WorkQueueMetrics queue_metrics;
  MirroringCaches caches;
  MirrorIntake intake;
  BreakdownBook breakdowns;
  net::Cancellation stopping;
  std::mutex lifetime;  // of start() and stop()
  std::vector<Thread> reflectors;

  mutable std::mutex mutex;  // of what follows
  ConditionVariable changed;
  Wish wish;
  std::uint64_t granted = 0;  // the number of the last wish that was seen to
  std::unique_ptr<MirroringTerm> term;
  bool ended = false;
  Thread conductor;                // makes terms and takes them down, which may take a while
  telemetry::RenderingHook shown;  // the last, so that it asks for nothing that is gone
};

// One term is over before the next begins: a write of the old one must not come after the new
// one's.
void MirroringController::State::conduct() {
  std::unique_lock lock(mutex);
  while (true) {
    ports.clock.wait(lock, changed, [this] { return ended || granted != wish.number; });
    if (ended) return;
    const Wish wanted = wish;
    std::unique_ptr<MirroringTerm> old = std::move(term);
    lock.unlock();
    old.reset();
    std::unique_ptr<MirroringTerm> next;
    if (wanted.leads)
      next = std::make_unique<MirroringTerm>(
          MirroringTermParts{options, ports, caches, intake, metrics, queue_metrics, breakdowns},
          wanted.guard);
    lock.lock();
    term = std::move(next);
    if (term && wish.number != wanted.number) term->end();
    granted = wanted.number;
    changed.notify_all();
  }
}

void MirroringController::State::show_queue() {
  const std::lock_guard lock(mutex);
  if (term) term->show_queue();
}

void MirroringController::State::want(bool leads, std::optional<kube::LeadershipGuard> guard) {
  const std::lock_guard lock(mutex);
  if (ended) return;
  wish = {wish.number + 1, leads, std::move(guard)};
  if (term) term->end();
  changed.notify_all();
}

Result<std::unique_ptr<MirroringController>> MirroringController::create(
    MirroringOptions options, const ControllerPorts& ports) {
  const Range ranges[] = {
      {"mirroring-concurrent-service-endpoint-syncs", options.concurrent_syncs, 1, 50},
      {"mirroring-max-endpoints-per-subset", options.max_endpoints_per_subset, 1, 1000}};
  for (const Range& range : ranges)
    if (Status status = check(range); !status) return std::move(status).error();
  return std::unique_ptr<MirroringController>(
      new MirroringController(std::make_unique<State>(std::move(options), ports)));
}

MirroringController::MirroringController(std::unique_ptr<State> state) : state_(std::move(state)) {}

MirroringController::~MirroringController() { stop(); }

void MirroringController::start() {
  const std::lock_guard lifetime(state_->lifetime);
  if (!state_->reflectors.empty() || state_->stopping.cancelled()) return;
  const std::string mirrored =
      std::string(model::kManagedByLabel) + "=" + std::string(slices::kMirroringIdentity);
  state_->reflect(kube::kServices, state_->caches.services, {});
  state_->reflect(kube::kEndpoints, state_->caches.endpoints, {});
  state_->reflect(kube::kEndpointSlices, state_->caches.slices, mirrored);
}

void MirroringController::lead(std::optional<kube::LeadershipGuard> guard) {
  state_->want(true, std::move(guard));
}

void MirroringController::stop_leading() { state_->want(false, {}); }

void MirroringController::wait_until_idle() {
  std::unique_lock lock(state_->mutex);
  state_->ports.clock.wait(lock, state_->changed,
                           [this] { return state_->granted == state_->wish.number; });
}

void MirroringController::stop() {
  const std::lock_guard lifetime(state_->lifetime);
  stop_leading();
  wait_until_idle();
  {
    const std::lock_guard guard(state_->mutex);
    state_->ended = true;
    state_->changed.notify_all();
  }
  if (state_->conductor.joinable()) state_->conductor.join();
  state_->stopping.cancel();
  for (Thread& reflector : state_->reflectors) reflector.join();
  state_->reflectors.clear();
}

ControllerStatus MirroringController::status() const {
  const std::lock_guard guard(state_->mutex);
  ControllerStatus status;
  status.waiting_for = kinds_to_see(state_->caches);
  status.synced = status.waiting_for.empty();
  status.services = state_->caches.services.snapshot().size();
  status.leading = state_->wish.leads;
  if (!state_->term) return status;
  status.queued = state_->term->queued();
  status.waiting = state_->term->waiting();
  status.queued_events = state_->term->queued_events();
  return status;
}

MirroringCaches& MirroringController::caches() { return state_->caches; }

}  // namespace proxima::controller
