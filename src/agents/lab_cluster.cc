// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_cluster.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "agents/first_lab_objects.h"
#include "agents/lab_agent.h"
#include "agents/lab_objects.h"
#include "agents/lab_view.h"
#include "agents/name_list.h"
#include "agents/scale_plan.h"
#include "core/policy/policy_names.h"
#include "core/policy/settings.h"

namespace proxima::agents {
namespace {

// How long an action waits until the agents have seen what it wrote.
constexpr std::chrono::seconds kSeenWithin{5};

Error unknown(const std::string& what, const std::string& name,
              const std::vector<std::string>& present) {
  return {ErrorCode::NotFound, "no " + what + " \"" + name + "\"; there are " + name_list(present)};
}

class RunningLab final : public LabCluster {
 public:
  RunningLab(LabOptions options, const LabPorts& ports)
      : options_(std::move(options)), clock_(ports.clock), agent_(options_, ports) {}
  ~RunningLab() override { stop(); }

  Status start() override;
  void stop() override { agent_.stop(); }
  bool wait_until_ready(Clock::SteadyTime deadline) override;
  Result<std::string> add_node(const std::string& zone) override;
  Status scale(const std::string& service,
               const std::map<std::string, std::size_t>& zones) override;
  Status kill_node(const std::string& node) override;
  Status fail_zone(const std::string& zone) override;
  Status heal(const HealTarget& target) override;
  Status set_demand(const std::map<std::string, double>& zones) override;
  Status set_rate(double requests_per_second) override;
  Status set_policy(const std::string& service, const std::optional<std::string>& policy,
                    const std::optional<double>& overload) override;
  LabStatus status() const override { return lab_status(agent_.view(), agent_.wishes()); }

 private:
  Status make_objects();
  Status check_zone(const std::string& zone) const;
  Status check_zones(const std::map<std::string, std::size_t>& zones) const;
  Result<Ref<const kube::ServiceRecord>> find_service(const std::string& service) const;
  Status cut(const std::vector<std::string>& nodes);
  Status apply(const ScalePlan& plan, const kube::ServiceRecord& service);
  Status remove(const kube::ObjectKey& key);
  Status wait_until_seen(const std::function<bool(const AgentView&)>& seen);
  bool is_ready(const LabAgent::Progress& progress);

  LabOptions options_;
  Clock& clock_;
  std::mutex actions_;  // one action that writes objects at a time: they count what is there
  std::set<std::string> unseen_;  // Pods that were made and that no view has shown so far, by key
  LabAgent agent_;
};

Status RunningLab::start() {
  LabApi& api = agent_.api();
  const kube::ObjectRef marker{kube::kConfigMaps, std::string(kMarkerNamespace),
                               std::string(kMarkerName)};
  PROXIMA_TRY(const bool made, api.has(marker), "look for a lab");
  if (!made) {
    PROXIMA_TRY([[maybe_unused]] const Unit objects, make_objects(), "make the lab");
    PROXIMA_TRY([[maybe_unused]] const Unit marked,
                api.create(kube::kConfigMaps, marker.ns, render_marker()), "make the lab");
  }
  agent_.start();
  return Unit{};
}

Status RunningLab::make_objects() {
  for (FirstObject& object : first_lab_objects(options_.shape)) {
    PROXIMA_TRY([[maybe_unused]] const Unit made,
                agent_.api().create(object.resource, object.ns, std::move(object.json)),
                std::string(object.resource.kind) + " " + object.name);
    if (object.resource.kind == kube::kPods.kind) unseen_.insert(object.ns + "/" + object.name);
  }
  return Unit{};
}

// One at a time: the agent calls it under its lock.
bool RunningLab::is_ready(const LabAgent::Progress& progress) {
  if (!agent_.has_synced()) return false;
  const AgentView view = agent_.view();
  std::erase_if(unseen_, [&](const std::string& key) {
    const std::size_t slash = key.find('/');
    return view.pods.peek({key.substr(0, slash), key.substr(slash + 1)}) != nullptr;
  });
  return unseen_.empty() && is_settled(view, progress.nodes) &&
         progress.clients == progress.nodes && serves_all(view, progress.targets);
}

bool RunningLab::wait_until_ready(Clock::SteadyTime deadline) {
  return agent_.wait_for(deadline, [&](const auto& progress) { return is_ready(progress); });
}

Status RunningLab::wait_until_seen(const std::function<bool(const AgentView&)>& seen) {
  const bool came = agent_.wait_for(clock_.steady_now() + kSeenWithin,
                                    [&](const auto&) { return seen(agent_.view()); });
  if (came) return Unit{};
  return Error{ErrorCode::Retry, "it is written, but the agents of the lab have not seen it yet"};
}

Status RunningLab::check_zone(const std::string& zone) const {
  const std::vector<std::string> zones = zones_of(agent_.view());
  if (std::find(zones.begin(), zones.end(), zone) != zones.end()) return Unit{};
  return unknown("zone", zone, zones);
}

Result<std::string> RunningLab::add_node(const std::string& zone) {
  const std::lock_guard lock(actions_);
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check_zone(zone), "add-node");
  const AgentView view = agent_.view();
  if (view.nodes.size() >= kLabNodesMax)
    return Error{ErrorCode::Denied,
                 "add-node: a lab has " + std::to_string(kLabNodesMax) + " nodes at most"};
  std::size_t number = 1;
  while (view.nodes.peek({{}, "node-" + std::to_string(number)}) != nullptr) ++number;
  std::string name = "node-" + std::to_string(number);
  PROXIMA_TRY([[maybe_unused]] const Unit made,
              agent_.api().create_new(kube::kNodes, "", render_node(name, zone)), "add-node");
  PROXIMA_TRY([[maybe_unused]] const Unit seen, wait_until_seen([&](const AgentView& now) {
                return now.nodes.peek({{}, name}) != nullptr;
              }),
              "add-node " + name);
  return name;
}

Result<Ref<const kube::ServiceRecord>> RunningLab::find_service(const std::string& service) const {
  const AgentView view = agent_.view();
  const std::size_t slash = service.find('/');
  if (slash != std::string::npos) {
    auto found = view.services.find({service.substr(0, slash), service.substr(slash + 1)});
    if (found) return found;
  }
  std::vector<std::string> names;
  view.services.each([&](const Ref<const kube::ServiceRecord>& one) {
    if (one->selector) names.push_back(kube::to_text(one->key()));
  });
  return unknown("Service", service, names);
}

Status RunningLab::check_zones(const std::map<std::string, std::size_t>& zones) const {
  if (zones.empty())
    return Error{ErrorCode::InvalidInput, "say for a zone at least how many Pods it should have"};
  for (const auto& [zone, count] : zones) {
    PROXIMA_TRY([[maybe_unused]] const Unit checked, check_zone(zone), "zones");
    if (count > kPodsOfAServiceInAZoneMax)
      return Error{ErrorCode::InvalidInput,
                   zone + ": " + std::to_string(kPodsOfAServiceInAZoneMax) + " Pods at most"};
  }
  return Unit{};
}

Status RunningLab::scale(const std::string& service,
                         const std::map<std::string, std::size_t>& zones) {
  const std::lock_guard lock(actions_);
  PROXIMA_TRY(const auto record, find_service(service), "scale");
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check_zones(zones), "scale " + service);
  if (!record->selector || record->selector->all().empty())
    return Error{ErrorCode::InvalidInput, "scale " + service + ": it selects no Pods"};
  const ScalePlan plan = plan_scale(agent_.view(), *record, zones);
  PROXIMA_TRY([[maybe_unused]] const Unit applied, apply(plan, *record), "scale " + service);
  return Unit{};
}

Status RunningLab::apply(const ScalePlan& plan, const kube::ServiceRecord& service) {
  const std::string ns(service.meta.ns.view());
  std::map<std::string, std::string> labels;
  for (const kube::LabelText& label : service.selector->all())
    labels.emplace(label.key.view(), label.value.view());
  for (const auto& [name, zone] : plan.created) {
    PROXIMA_TRY([[maybe_unused]] const Unit created,
                agent_.api().create_new(kube::kPods, ns, render_pod({ns, name, zone, labels})),
                "Pod " + name);
  }
  for (const std::string& name : plan.deleted) {
    PROXIMA_TRY([[maybe_unused]] const Unit removed, remove({ns, name}), "Pod " + name);
  }
  return wait_until_seen([&](const AgentView& view) { return shows(view, ns, plan); });
}

// A node without power cannot end its Pods, so they are taken away.
Status RunningLab::remove(const kube::ObjectKey& key) {
  const Ref<const kube::PodRecord> pod = agent_.view().pods.find(key);
  if (!pod) return Unit{};
  const bool lost = agent_.wishes().cuts.contains(std::string(pod->node.view()));
  return agent_.api().remove_pod(key, pod->uid.view(), lost ? Grace::None : Grace::AsThePodSays);
}

Status RunningLab::cut(const std::vector<std::string>& nodes) {
  const auto now = clock_.steady_now();
  return agent_.change([&](LabWishes& wishes) {
    for (const std::string& node : nodes) wishes.cuts.try_emplace(node, now);
  });
}

Status RunningLab::kill_node(const std::string& node) {
  const auto nodes = nodes_of(agent_.view());
  if (!nodes.contains(node)) return unknown("node", node, names_of(nodes)).in("kill-node");
  return cut({node});
}

Status RunningLab::fail_zone(const std::string& zone) {
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check_zone(zone), "fail-zone");
  return cut(nodes_in(agent_.view(), zone));
}

Status RunningLab::heal(const HealTarget& target) {
  std::vector<std::string> healed;
  const auto nodes = nodes_of(agent_.view());
  if (target.kind == HealTarget::Kind::Zone) {
    PROXIMA_TRY([[maybe_unused]] const Unit checked, check_zone(target.name), "heal");
    healed = nodes_in(agent_.view(), target.name);
  } else if (target.kind == HealTarget::Kind::Node) {
    if (!nodes.contains(target.name))
      return unknown("node", target.name, names_of(nodes)).in("heal");
    healed = {target.name};
  }
  return agent_.change([&](LabWishes& wishes) {
    if (target.kind == HealTarget::Kind::Everything) wishes.cuts.clear();
    for (const std::string& node : healed) wishes.cuts.erase(node);
  });
}

Status RunningLab::set_demand(const std::map<std::string, double>& zones) {
  const std::vector<std::string> present = zones_of(agent_.view());
  Status changed = Unit{};
  Status done = agent_.change([&](LabWishes& wishes) {
    auto shares = changed_shares(shares_of(wishes.demand, present), zones);
    if (shares)
      wishes.demand = std::move(shares).value();
    else
      changed = std::move(shares).error();
  });
  return changed ? done : changed;
}

Status RunningLab::set_rate(double requests_per_second) {
  if (!std::isfinite(requests_per_second) || requests_per_second < 0 ||
      requests_per_second > kRequestsPerSecondMax)
    return Error{ErrorCode::InvalidInput, "rate: from 0 to 5000 requests per second"};
  return agent_.change(
      [&](LabWishes& wishes) { wishes.requests_per_second = requests_per_second; });
}

Status RunningLab::set_policy(const std::string& service, const std::optional<std::string>& policy,
                              const std::optional<double>& overload) {
  PROXIMA_TRY(const auto record, find_service(service), "policy");
  if (policy && !policy::parse_policy(*policy))
    return Error{ErrorCode::InvalidInput,
                 "policy: no policy \"" + *policy + "\"; there are " + policy::policy_names()};
  if (overload && (std::isnan(*overload) || *overload < 0))
    return Error{ErrorCode::InvalidInput, "policy: overload: a number that is 0 or more"};
  const kube::ObjectRef ref{kube::kServices, std::string(record->meta.ns.view()),
                            std::string(record->meta.name.view())};
  PROXIMA_TRY([[maybe_unused]] const Unit written,
              agent_.api().merge(ref, render_policy(policy, overload)), "policy of " + service);
  return Unit{};
}

}  // namespace

Result<std::unique_ptr<LabCluster>> LabCluster::create(LabOptions options, const LabPorts& ports) {
  if (const auto fault = fault_in(options.shape))
    return Error{ErrorCode::InvalidInput, "lab: " + fault->field + ": " + fault->message};
  return std::unique_ptr<LabCluster>(std::make_unique<RunningLab>(std::move(options), ports));
}

}  // namespace proxima::agents
