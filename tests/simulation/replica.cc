// SPDX-License-Identifier: Apache-2.0
#include "simulation/replica.h"

#include "cli/elected_controller.h"
#include "controller/controller.h"
#include "controller/mirroring_controller.h"
#include "simulation/cache_watch.h"

namespace proxima::simulation {
namespace {

// More are dropped. A hundred are no wonder: Services whose nodes are not in view yet fail often.
constexpr std::size_t kQueuedEventsMax = 1000;

// Keys that have failed often wait for up to 1,000 s, longer than their object may be there.
void add_queues(const controller::ControllerStatus& status, const std::string& whose,
                const std::vector<std::string>& kinds, std::vector<Held>& held) {
  const std::string end = whose.empty() ? "" : " of " + whose;
  held.push_back({.what = "keys that want work" + end,
                  .count = status.queued,
                  .kinds = kinds,
                  .idle = Held::Idle::Nothing});
  held.push_back(
      {.what = "keys that want work later" + end, .count = status.waiting, .kinds = kinds});
  held.push_back({.what = "events that are to be written" + end,
                  .count = status.queued_events,
                  .per = Held::Per::Nothing,
                  .least = kQueuedEventsMax,
                  .idle = Held::Idle::Nothing});
}

}  // namespace

plan::PlanOptions Replica::plan_options() {
  plan::PlanOptions options;
  options.defaults.zone_aware.basis = policy::LocalityBasis::HealthyHostsWeight;
  return options;
}

class Replica::Running final : public Member::Parts {
 public:
  Running(Replica& replica, Process& process)
      : log_(replica.make_log(process)),
        api_(replica.make_api(process, {.qps = 50, .burst = 100})),
        election_api_(replica.make_api(process, {.qps = 0})),
        watch_(process, replica.ports().violation) {
    controller::ControllerOptions options;
    options.max_endpoints_per_slice = kEndpointsPerSlice;
    options.concurrent_syncs = 3;
    options.plan = plan_options();
    options.seed = replica.random().next();
    controller_ = controller::Controller::create(options, {*api_, process, metrics_, log_}).value();
    controller::MirroringOptions mirroring;
    mirroring.concurrent_syncs = 1;
    mirroring.seed = replica.random().next();
    mirroring_ =
        controller::MirroringController::create(mirroring, {*api_, process, metrics_, log_})
            .value();
    watch();
    view_ =
        std::make_unique<SenderView>(controller_->caches(), process.scheduler(), plan_options());
    cli::ElectionFlags flags;
    flags.resource_namespace = "kube-system";
    flags.resource_name = "proxima-controller";
    elected_ = cli::ElectedController::create(
                   flags, process.name(),
                   {*controller_, mirroring_.get(), *election_api_, process, metrics_, log_})
                   .value();
    controller_->start();
    mirroring_->start();
    elected_->start();
  }
  // As ControllerProcess does it: the Lease is given back when nothing writes any more.
  void stop() override {
    controller_->stop();
    mirroring_->stop();
    elected_->stop();
  }
  std::vector<Held> held() const override {
    std::vector<Held> held = watch_.held();
    add_queues(controller_->status(), "", {"services"}, held);
    add_queues(mirroring_->status(), "mirroring", {"services", "endpoints"}, held);
    return held;
  }
  SenderView& view() const { return *view_; }

 private:
  void watch() {
    controller::ClusterCaches& caches = controller_->caches();
    watch_.add(caches.pods, "pods");
    watch_.add(caches.services, "services");
    watch_.add(caches.nodes, "nodes");
    watch_.add(caches.namespaces, "namespaces");
    watch_.add(caches.slices, "endpointslices");
    controller::MirroringCaches& mirroring = mirroring_->caches();
    watch_.add(mirroring.services, "services", "mirroring");
    watch_.add(mirroring.endpoints, "endpoints", "mirroring");
    watch_.add(mirroring.slices, "endpointslices", "mirroring");
  }

  telemetry::Log log_;
  telemetry::MetricsRegistry metrics_;
  std::unique_ptr<kube::HttpApi> api_;
  std::unique_ptr<kube::HttpApi> election_api_;
  CacheWatch watch_;  // these two listen to caches, and outlive them
  std::unique_ptr<SenderView> view_;
  std::unique_ptr<controller::Controller> controller_;
  std::unique_ptr<controller::MirroringController> mirroring_;
  std::unique_ptr<cli::ElectedController> elected_;
};

std::unique_ptr<Member::Parts> Replica::make(Process& process) {
  return std::make_unique<Running>(*this, process);
}

SenderView* Replica::view() const {
  const auto* running = static_cast<const Running*>(parts());
  return running == nullptr ? nullptr : &running->view();
}

}  // namespace proxima::simulation
