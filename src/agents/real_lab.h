// SPDX-License-Identifier: Apache-2.0
// Machines that are network namespaces, and programs that make and answer real requests in them.
#pragma once

#include <memory>

#include "agents/lab_ports.h"
#include "lab/lab_network.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace proxima::agents {

class RealLab final : public LabMachines, public LabPrograms {
 public:
  // Everything must outlive it.
  RealLab(lab::LabNetwork& network, traffic::BackendFarm& farm, traffic::ClientFleet& fleet)
      : network_(network), farm_(farm), fleet_(fleet) {}

  Result<MachineAddresses> add_node(const std::string& node) override;
  Status remove_node(const std::string& node) override;
  Status set_power(const std::string& node, Power power) override;
  Result<MachineAddresses> add_pod(const std::string& node, const std::string& pod) override;
  Status remove_pod(const std::string& pod) override;

  Status start_backend(const PodPlace& place, std::uint16_t port) override;
  void stop_backend(const std::string& pod) override { farm_.stop(pod); }
  void cut_backend(const std::string& pod) override { farm_.cut(pod); }
  Status start_client(const PodPlace& place) override;
  void stop_client(const std::string& pod) override { fleet_.remove(pod); }
  void set_targets(const std::vector<ServiceTarget>& targets) override;
  void set_demand(double requests_per_second, const std::map<std::string, double>& zones) override;

 private:
  lab::LabNetwork& network_;
  traffic::BackendFarm& farm_;
  traffic::ClientFleet& fleet_;
};

}  // namespace proxima::agents
