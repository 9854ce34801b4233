// SPDX-License-Identifier: Apache-2.0
#include "simulation/replica.h"

#include "cli/elected_controller.h"
#include "controller/controller.h"
#include "controller/mirroring_controller.h"

namespace proxima::simulation {
namespace {

// Holds every change of a cache against the one before: an older version never follows a newer one,
// and nothing comes back that was deleted since.
template <class Record>
void watch_for_regress(kube::Cache<Record>& cache, const char* kind, const Process& process,
                       const std::function<void(const std::string&)>& violation) {
  auto newest = std::make_shared<std::map<std::string, kube::Version>>();
  cache.subscribe([newest, kind, &process, violation](const kube::Change<Record>& change) {
    const std::string key = kube::to_text(change.key());
    kube::Version& known = (*newest)[key];
    const bool is_older =
        change.now ? change.version <= known : change.version != 0 && change.version < known;
    if (is_older && !process.is_dead())
      violation(process.name() + ": the cache of " + kind + " goes back: " + key + " from " +
                std::to_string(known) + " to " + std::to_string(change.version));
    known = std::max(known, change.version);
  });
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
        election_api_(replica.make_api(process, {.qps = 0})) {
    controller::ControllerOptions options;
    options.max_endpoints_per_slice = kEndpointsPerSlice;
    options.concurrent_syncs = 3;
    options.plan = plan_options();
    options.seed = replica.random().next();
    controller_ = controller::Controller::create(options, {*api_, process, metrics_, log_}).value();
    watch(process, replica.ports().violation);
    controller::MirroringOptions mirroring;
    mirroring.concurrent_syncs = 1;
    mirroring.seed = replica.random().next();
    mirroring_ =
        controller::MirroringController::create(mirroring, {*api_, process, metrics_, log_})
            .value();
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
  Load load() const {
    const controller::ControllerStatus status = controller_->status();
    return {status.queued, status.waiting};
  }

 private:
  void watch(const Process& process, const std::function<void(const std::string&)>& violation) {
    controller::ClusterCaches& caches = controller_->caches();
    watch_for_regress(caches.pods, "pods", process, violation);
    watch_for_regress(caches.services, "services", process, violation);
    watch_for_regress(caches.nodes, "nodes", process, violation);
    watch_for_regress(caches.slices, "endpointslices", process, violation);
  }

  telemetry::Log log_;
  telemetry::MetricsRegistry metrics_;
  std::unique_ptr<kube::HttpApi> api_;
  std::unique_ptr<kube::HttpApi> election_api_;
  std::unique_ptr<controller::Controller> controller_;
  std::unique_ptr<controller::MirroringController> mirroring_;
  std::unique_ptr<cli::ElectedController> elected_;
};

std::unique_ptr<Member::Parts> Replica::make(Process& process) {
  return std::make_unique<Running>(*this, process);
}

std::optional<Replica::Load> Replica::load() const {
  const auto* running = static_cast<const Running*>(parts());
  if (running == nullptr) return std::nullopt;
  return running->load();
}

}  // namespace proxima::simulation
