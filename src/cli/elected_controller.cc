// SPDX-License-Identifier: Apache-2.0
#include "cli/elected_controller.h"

namespace proxima::cli {

ElectedController::ElectedController(const ElectionFlags& flags, std::string identity,
                                     const Ports& ports)
    : ports_(ports),
      lease_(flags.resource_namespace + "/" + flags.resource_name),
      identity_(std::move(identity)),
      leading_(ports.metrics
                   .gauges({.name = "leader_election_master_status",
                            .help = "[ALPHA] Gauge of if the reporting system is master of the "
                                    "relevant lease, 0 indicates backup, 1 indicates master. "
                                    "'name' is the string used to identify the lease. Please make "
                                    "sure to group by name.",
                            .labels = {"name"}})
                   .with({flags.resource_name})) {}

Result<std::unique_ptr<ElectedController>> ElectedController::create(const ElectionFlags& flags,
                                                                     const std::string& identity,
                                                                     const Ports& ports) {
  std::unique_ptr<ElectedController> out(new ElectedController(flags, identity, ports));
  const kube::LeaderElectorOptions options = {.ns = flags.resource_namespace,
                                              .name = flags.resource_name,
                                              .election = {.identity = identity,
                                                           .lease_duration = flags.lease_duration,
                                                           .renew_deadline = flags.renew_deadline,
                                                           .retry_period = flags.retry_period},
                                              .seed = std::hash<std::string>()(identity)};
  PROXIMA_TRY(out->elector_,
              kube::LeaderElector::create(options, ports.api, ports.clock, out->callbacks()),
              "leader election");
  return out;
}

kube::LeaderCallbacks ElectedController::callbacks() {
  kube::LeaderCallbacks out;
  out.on_started_leading = [this](const kube::LeadershipGuard& guard) {
    const std::lock_guard lock(mutex_);
    guard_ = guard;
    leading_.set(1);
    ports_.log.info("Successfully acquired lease", {{"lock", lease_}, {"identity", identity_}});
    ports_.controller.lead(guard);
    if (ports_.mirroring != nullptr) ports_.mirroring->lead(guard);
  };
  out.on_stopped_leading = [this] {
    const std::lock_guard lock(mutex_);
    guard_.reset();
    leading_.set(0);
    // Giving it back at the end is no loss.
    if (!stopping_.cancelled())
      ports_.log.error("Leader election lost", "the lease could not be renewed in time",
                       {{"lock", lease_}, {"identity", identity_}});
    ports_.controller.stop_leading();
    if (ports_.mirroring != nullptr) ports_.mirroring->stop_leading();
  };
  out.on_new_leader = [this](const std::string& leader) {
    if (leader != identity_)
      ports_.log.info("New leader elected", {{"lock", lease_}, {"identity", leader}});
  };
  out.on_error = [this](const std::string& message) {
    ports_.log.error("Leader election attempt failed", message, {{"lock", lease_}});
  };
  return out;
}

void ElectedController::start() {
  ports_.log.info("Attempting to acquire leader lease",
                  {{"lock", lease_}, {"identity", identity_}});
  thread_ = ports_.clock.start_thread([this] { elector_->run(stopping_); });
}

void ElectedController::stop() {
  if (ports_.controller.has_cut_writes()) elector_->keep_lease();
  stopping_.cancel();
  if (thread_.joinable()) thread_.join();
}

Status ElectedController::health() const {
  const std::lock_guard lock(mutex_);
  if (!guard_ || guard_->valid()) return Unit{};
  return Error{ErrorCode::Retry, "failed election to renew leadership on lease " + lease_};
}

}  // namespace proxima::cli
