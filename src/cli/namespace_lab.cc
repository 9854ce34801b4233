// SPDX-License-Identifier: Apache-2.0
#include "cli/namespace_lab.h"

#include <optional>

#include "agents/real_lab.h"
#include "cli/api_door.h"
#include "cli/lab_source.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace proxima::cli {
namespace {

// In the order in which each part needs those before it.
class NamespaceLab final : public RunningLab {
 public:
  explicit NamespaceLab(const RunningLabPorts& ports) : ports_(ports), meter_(ports.clock) {}
  ~NamespaceLab() override {
    if (cluster_) cluster_->stop();
  }

  Status start(NamespaceLabOptions options) {
    Status made = make_parts(options);
    if (!made) return made;
    agents::LabOptions lab;
    lab.shape = std::move(options.shape);
    lab.seed = options.seed;
    lab.hooks = proxies_->hooks();
    PROXIMA_TRY(cluster_,
                agents::LabCluster::create(std::move(lab),
                                           {ports_.api, *real_, *real_, ports_.clock, ports_.log}),
                "the lab");
    source_.emplace(LabSource::Ports{meter_, *cluster_, *proxies_});
    PROXIMA_TRY(door_, ApiDoor::open(*network_, ports_.api, options.proxies.api_port), "the lab");
    return cluster_->start();
  }

  agents::LabCluster& cluster() override { return *cluster_; }
  const web::LiveSource& source() const override { return *source_; }
  std::size_t proxies_ready() const override { return proxies_->count().ready; }

 private:
  Status make_parts(const NamespaceLabOptions& options) {
    PROXIMA_TRY(lab::LabNetwork network, lab::LabNetwork::create(), "the lab's network");
    network_.emplace(std::move(network));
    PROXIMA_TRY(proxies_,
                NodeProxies::create(options.proxies, {*network_, ports_.clock, ports_.log}),
                "the lab");
    PROXIMA_TRY(farm_, traffic::BackendFarm::create(), "the lab's servers");
    traffic::ClientFleetOptions clients;
    clients.seed = options.seed;
    PROXIMA_TRY(fleet_, traffic::ClientFleet::create(meter_, clients), "the lab's clients");
    real_.emplace(*network_, *farm_, *fleet_);
    return Unit{};
  }

  RunningLabPorts ports_;
  traffic::TrafficMeter meter_;
  std::optional<lab::LabNetwork> network_;
  std::unique_ptr<ApiDoor> door_;
  std::unique_ptr<NodeProxies> proxies_;
  std::unique_ptr<traffic::BackendFarm> farm_;
  std::unique_ptr<traffic::ClientFleet> fleet_;
  std::optional<agents::RealLab> real_;
  std::unique_ptr<agents::LabCluster> cluster_;
  std::optional<LabSource> source_;
};

}  // namespace

Result<std::unique_ptr<RunningLab>> start_namespace_lab(NamespaceLabOptions options,
                                                        const RunningLabPorts& ports) {
  auto lab = std::make_unique<NamespaceLab>(ports);
  Status started = lab->start(std::move(options));
  if (!started) return std::move(started).error();
  return std::unique_ptr<RunningLab>(std::move(lab));
}

}  // namespace proxima::cli
