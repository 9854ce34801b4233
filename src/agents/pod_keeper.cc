// SPDX-License-Identifier: Apache-2.0
#include "agents/pod_keeper.h"

#include "agents/lab_objects.h"
#include "agents/pod_zone.h"
#include "agents/service_targets.h"

namespace proxima::agents {
namespace {

// A Pod that nobody takes is told about after this: nodes may be on their way.
constexpr std::chrono::seconds kUnplacedTold{3};
// A node that is missing may be one that the cache has not seen yet.
constexpr std::chrono::seconds kOrphanGone{10};
constexpr std::chrono::milliseconds kProxyAsked{100};

std::string key_of(const kube::PodRecord& pod) { return kube::to_text(pod.key()); }
std::string book_key(const kube::PodRecord& pod) { return "Pod " + key_of(pod); }

kube::ObjectReference reference(const kube::PodRecord& pod) {
  kube::ObjectReference about;
  about.api_version = "v1";
  about.kind = "Pod";
  about.ns = pod.ns.view();
  about.name = pod.name.view();
  about.uid = pod.uid.view();
  return about;
}

}  // namespace

void PodKeeper::pass(const AgentView& view, const NodesSeen& nodes, Agenda& agenda) {
  Pass pass{view, nodes, agenda, {}, {}, {}, {}};
  count_rooms(pass);
  view.pods.each([&](const PodRef& pod) { tend(pass, *pod); });
  std::vector<std::string> unwanted;
  for (const auto& [key, running] : running_) {
    const std::size_t slash = key.find('/');
    if (view.pods.peek({key.substr(0, slash), key.substr(slash + 1)}) == nullptr)
      unwanted.push_back(key);
  }
  for (const std::string& key : unwanted) discard(key);
  serve_clients(pass);
  unplaced_ = std::move(pass.unplaced);
  orphans_ = std::move(pass.orphans);
  assumed_ = std::move(pass.assumed);
}

void PodKeeper::count_rooms(Pass& pass) const {
  std::map<std::string_view, std::size_t> used;
  pass.view.pods.each([&](const PodRef& pod) {
    if (!is_wanted(*pod) || is_client(*pod)) return;
    const auto assumed = assumed_.find(std::string(pod->uid.view()));
    if (pod->node) {
      ++used[pod->node.view()];
    } else if (assumed != assumed_.end()) {
      ++used[assumed->second];
    }
  });
  for (const auto& [name, lab] : pass.nodes.lab) {
    const kube::NodeRecord* node = pass.view.nodes.peek({{}, name});
    if (node != nullptr && lab.power == Power::On) pass.rooms.push_back({node, used[name]});
  }
}

NodeState PodKeeper::state_of(Pass& pass, const kube::PodRecord& pod) const {
  if (!pod.node) return NodeState::Foreign;
  const std::string name(pod.node.view());
  const auto lab = pass.nodes.lab.find(name);
  const bool present = pass.view.nodes.peek({{}, name}) != nullptr;
  const LabNode* known = lab == pass.nodes.lab.end() ? nullptr : &lab->second;
  if (present || pass.nodes.gone.contains(name)) return node_state(present, known, pass.view.now);
  const std::string uid(pod.uid.view());
  const auto before = orphans_.find(uid);
  const auto since = before == orphans_.end() ? pass.view.now : before->second;
  pass.orphans.emplace(uid, since);
  pass.agenda.at(since + kOrphanGone);
  return pass.view.now - since < kOrphanGone ? NodeState::Foreign : NodeState::Gone;
}

PodFacts PodKeeper::facts_of(Pass& pass, const std::string& key, const kube::PodRecord& pod) {
  const auto running = running_.find(key);
  PodFacts facts;
  facts.pod = &pod;
  facts.running = running == running_.end() ? nullptr : &running->second;
  facts.node = state_of(pass, pod);
  facts.now = pass.view.now;
  const std::uint16_t present = facts.running == nullptr ? 0 : facts.running->port;
  if (!is_client(pod)) facts.port = backend_port(pod, pass.view.services, present);
  return facts;
}

// A Pod that is told to end makes no requests any more, but answers them.
void PodKeeper::note_end(Pass& pass, const std::string& key, const kube::PodRecord& pod) {
  const auto found = running_.find(key);
  if (!pod.terminating || found == running_.end()) return;
  RunningPod& running = found->second;
  if (!running.serves_until) {
    const auto serves =
        is_client(pod) ? std::chrono::milliseconds(0) : serving_time(pod, pass.view.wall);
    running.serves_until = pass.view.now + serves;
    if (running.client_on) parts_.programs.stop_client(key);
    running.client_on = false;
  }
  pass.agenda.at(*running.serves_until);
}

void PodKeeper::tend(Pass& pass, const kube::PodRecord& pod) {
  const std::string key = key_of(pod);
  note_end(pass, key, pod);
  PodFacts facts = facts_of(pass, key, pod);
  PodDuty duty = pod_duty(facts);
  if (duty == PodDuty::Discard) {
    discard(key);
    facts.running = nullptr;
    duty = pod_duty(facts);
  }
  switch (duty) {
    case PodDuty::None:
    case PodDuty::Discard:
      return;
    case PodDuty::Place:
      return place(pass, pod);
    case PodDuty::Start:
      return start(pass, pod, facts.port);
    case PodDuty::Report:
      return report(pass, pod);
    case PodDuty::ReportLost:
      write_once(parts_, book_key(pod), pod.version, pass.view.now,
                 [&] { return parts_.api.report_lost(pod, pass.view.wall); });
      return;
    case PodDuty::End:
      return end(pass, pod);
    case PodDuty::Remove:
      return remove_object(pass, pod);
  }
}

void PodKeeper::place(Pass& pass, const kube::PodRecord& pod) {
  const std::string uid(pod.uid.view());
  if (const auto assumed = assumed_.find(uid); assumed != assumed_.end())
    pass.assumed.insert(*assumed);
  if (!parts_.book.may_write(book_key(pod), pod.version, pass.view.now)) return;
  const auto node = place_pod(pod, pass.rooms);
  if (!node) return tell_unplaced(pass, pod, node.error().message);
  const bool bound = write_once(parts_, book_key(pod), pod.version, pass.view.now,
                                [&] { return parts_.api.bind(pod, *node); });
  if (!bound) return;
  pass.assumed[uid] = *node;
  for (NodeRoom& room : pass.rooms)
    if (room.node->meta.name.view() == *node) ++room.pods;
}

void PodKeeper::tell_unplaced(Pass& pass, const kube::PodRecord& pod, const std::string& why) {
  const std::string uid(pod.uid.view());
  const auto before = unplaced_.find(uid);
  Unplaced unplaced = before == unplaced_.end() ? Unplaced{pass.view.now, false} : before->second;
  const auto told_at = unplaced.since + kUnplacedTold;
  if (!unplaced.told && pass.view.now >= told_at) {
    parts_.events.record(reference(pod), kube::EventType::Warning, "FailedScheduling", why);
    unplaced.told = true;
  }
  if (!unplaced.told) pass.agenda.at(told_at);
  pass.unplaced.insert_or_assign(uid, unplaced);
}

void PodKeeper::start(Pass& pass, const kube::PodRecord& pod, std::uint16_t port) {
  const std::string key = "start of " + key_of(pod);
  // The version says nothing here: whatever the object says, the machine is the same.
  if (!parts_.book.may_write(key, 0, pass.view.now)) return;
  if (const Status started = start_running(pass, pod, port); !started) {
    parts_.book.failed(key, pass.view.now);
    parts_.log.error("A Pod does not start; it is tried again", started.error().message,
                     {{"pod", key_of(pod)}});
    return;
  }
  report(pass, pod);
}

Status PodKeeper::start_running(const Pass& pass, const kube::PodRecord& pod, std::uint16_t port) {
  const std::string key = key_of(pod);
  const std::string node(pod.node.view());
  auto found = running_.find(key);
  if (found == running_.end()) {
    PROXIMA_TRY(const MachineAddresses addresses, parts_.machines.add_pod(node, key), "network");
    RunningPod running;
    running.uid = pod.uid.view();
    running.node = node;
    running.addresses = addresses;
    found = running_.emplace(key, std::move(running)).first;
  }
  if (is_client(pod)) return Unit{};
  if (found->second.port != 0) parts_.programs.cut_backend(key);
  found->second.port = 0;
  const PodPlace place{key, node, pass.nodes.lab.at(node).zone};
  PROXIMA_TRY([[maybe_unused]] const Unit started, parts_.programs.start_backend(place, port),
              "backend");
  found->second.port = port;
  return Unit{};
}

void PodKeeper::report(const Pass& pass, const kube::PodRecord& pod) {
  const RunningPod& running = running_.at(key_of(pod));
  const MachineAddresses& host = pass.nodes.lab.at(running.node).addresses;
  write_once(parts_, book_key(pod), pod.version, pass.view.now, [&] {
    return parts_.api.report_running(pod, running.addresses, host, pass.view.wall);
  });
}

void PodKeeper::end(const Pass& pass, const kube::PodRecord& pod) {
  const std::string key = key_of(pod);
  if (running_.contains(key)) {
    parts_.programs.stop_backend(key);
    discard(key);
  }
  remove_object(pass, pod);
}

void PodKeeper::remove_object(const Pass& pass, const kube::PodRecord& pod) {
  write_once(parts_, book_key(pod), pod.version, pass.view.now,
             [&] { return parts_.api.remove_pod(pod.key(), pod.uid.view(), Grace::None); });
}

void PodKeeper::discard(const std::string& key) {
  const auto found = running_.find(key);
  if (found == running_.end()) return;
  if (found->second.client_on) parts_.programs.stop_client(key);
  parts_.programs.cut_backend(key);
  running_.erase(found);
  const Status removed = parts_.machines.remove_pod(key);
  if (!removed && removed.error().code != ErrorCode::NotFound)
    parts_.log.error("The network of a Pod stays behind", removed.error().message, {{"pod", key}});
}

// Clients ask nothing before the proxy of their node can answer.
void PodKeeper::serve_clients(Pass& pass) {
  for (auto& [key, running] : running_) {
    const auto node = pass.nodes.lab.find(running.node);
    const bool wanted = key.starts_with(std::string(kClientNamespace) + "/") &&
                        !running.serves_until && node != pass.nodes.lab.end() &&
                        node->second.power == Power::On;
    if (!wanted || running.client_on) continue;
    if (parts_.hooks.proxy_ready && !parts_.hooks.proxy_ready(running.node)) {
      pass.agenda.at(pass.view.now + kProxyAsked);
      continue;
    }
    if (!parts_.book.may_write("client " + key, 0, pass.view.now)) continue;
    const Status started = parts_.programs.start_client({key, running.node, node->second.zone});
    running.client_on = started.has_value();
    if (started) continue;
    parts_.book.failed("client " + key, pass.view.now);
    parts_.log.error("A client does not start; it is tried again", started.error().message,
                     {{"pod", key}});
  }
}

void PodKeeper::cut_node(const std::string& node) {
  for (auto& [key, running] : running_) {
    if (running.node != node) continue;
    if (running.port != 0) parts_.programs.cut_backend(key);
    if (running.client_on) parts_.programs.stop_client(key);
    running.port = 0;
    running.client_on = false;
  }
}

void PodKeeper::drop_node(const std::string& node) {
  cut_node(node);
  std::erase_if(running_, [&](const auto& entry) { return entry.second.node == node; });
}

void PodKeeper::drop_all() {
  for (auto& [key, running] : running_) {
    if (running.port != 0) parts_.programs.cut_backend(key);
    if (running.client_on) parts_.programs.stop_client(key);
  }
  running_.clear();
}

}  // namespace proxima::agents
