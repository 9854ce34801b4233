// SPDX-License-Identifier: Apache-2.0
#include "cli/simulated_lab.h"

#include <map>

namespace proxima::cli {
namespace {

using agents::MachineAddresses;

Result<MachineAddresses> addresses(const std::string& v4, const std::string& v6) {
  PROXIMA_TRY(const IpAddress four, IpAddress::parse(v4), "simulated address");
  PROXIMA_TRY(const IpAddress six, IpAddress::parse(v6), "simulated address");
  return MachineAddresses{four, six};
}

// Gives addresses, as the network of a real lab would, and nothing else.
class SimulatedMachines final : public agents::LabMachines {
 public:
  Result<MachineAddresses> add_node(const std::string& node) override {
    const std::string number =
        std::to_string(nodes_.emplace(node, nodes_.size() + 1).first->second);
    return addresses("192.168." + number + ".2", "fd00:192:168:" + number + "::2");
  }
  Status remove_node(const std::string&) override { return Unit{}; }
  Status set_power(const std::string&, agents::Power) override { return Unit{}; }
  // Numbers are not used again: a lab has an end before there are none left.
  Result<MachineAddresses> add_pod(const std::string&, const std::string&) override {
    ++pods_;
    const std::string high = std::to_string(pods_ / 250);
    const std::string low = std::to_string(pods_ % 250 + 1);
    return addresses("10.180." + high + "." + low, "fd00:10:180:" + high + "::" + low);
  }
  Status remove_pod(const std::string&) override { return Unit{}; }

 private:
  std::map<std::string, std::size_t> nodes_;
  std::size_t pods_ = 0;
};

class NoPrograms final : public agents::LabPrograms {
 public:
  Status start_backend(const agents::PodPlace&, std::uint16_t) override { return Unit{}; }
  void stop_backend(const std::string&) override {}
  void cut_backend(const std::string&) override {}
  Status start_client(const agents::PodPlace&) override { return Unit{}; }
  void stop_client(const std::string&) override {}
  void set_targets(const std::vector<agents::ServiceTarget>&) override {}
  void set_demand(double, const std::map<std::string, double>&) override {}
};

class SimulatedLab final : public RunningLab, private web::LiveSource {
 public:
  Status start(SimulatedLabOptions options, const RunningLabPorts& ports) {
    agents::LabOptions lab;
    lab.shape = std::move(options.shape);
    lab.seed = options.seed;
    PROXIMA_TRY(cluster_,
                agents::LabCluster::create(
                    std::move(lab), {ports.api, machines_, programs_, ports.clock, ports.log}),
                "simulated lab");
    return cluster_->start();
  }
  ~SimulatedLab() override {
    if (cluster_) cluster_->stop();
  }

  agents::LabCluster& cluster() override { return *cluster_; }
  const web::LiveSource& source() const override { return *this; }
  std::size_t proxies_ready() const override { return 0; }

 private:
  web::SeenWindow window(std::chrono::seconds) const override { return {}; }
  web::TrafficTotals totals() const override { return {}; }
  web::LabFacts facts() const override {
    const agents::LabStatus status = cluster_->status();
    web::LabFacts facts;
    facts.simulated = true;
    for (const agents::LabZoneStatus& zone : status.zones)
      facts.zones.push_back({.name = zone.name, .failed = zone.failed, .demand = zone.demand});
    for (const agents::LabNodeStatus& node : status.nodes)
      facts.nodes.push_back(
          {.name = node.name, .power = node.power == agents::Power::On, .status_url = ""});
    return facts;
  }

  SimulatedMachines machines_;
  NoPrograms programs_;
  std::unique_ptr<agents::LabCluster> cluster_;
};

}  // namespace

Result<std::unique_ptr<RunningLab>> start_simulated_lab(SimulatedLabOptions options,
                                                        const RunningLabPorts& ports) {
  auto lab = std::make_unique<SimulatedLab>();
  Status started = lab->start(std::move(options), ports);
  if (!started) return std::move(started).error();
  return std::unique_ptr<RunningLab>(std::move(lab));
}

}  // namespace proxima::cli
