// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_sync.h"

#include <algorithm>

#include "base/guarded.h"

namespace proxima::proxy {
namespace {

std::vector<UdpFlow> stale(const RouteTable& table, const std::vector<UdpFlow>& flows) {
  std::vector<TrackedFlow> tracked;
  tracked.reserve(flows.size());
  for (const UdpFlow& flow : flows) tracked.push_back(flow.tracked);
  std::vector<UdpFlow> out;
  for (const std::size_t i : stale_flows(table, tracked)) out.push_back(flows[i]);
  return out;
}

void add_refused(const RouteChanges& changes, std::vector<PortRoutesRef>& refused) {
  for (const PortChange& change : changes.ports) {
    if (!change.after || change.after->port.refused_ips.empty()) continue;
    if (!change.before || change.before->port.refused_ips != change.after->port.refused_ips)
      refused.push_back(change.after);
  }
}

}  // namespace

RouteSync::RouteSync(NodeRoutesOptions options, const std::vector<FamilyPlane>& planes,
                     const RouteSyncPorts& ports)
    : routes_(std::move(options)), ports_(ports) {
  for (const FamilyPlane& plane : planes)
    families_.push_back({.family = plane.family,
                         .plane = plane.plane,
                         .triggers = TriggerTimes(ports.clock.wall_now()),
                         .counts = {},
                         .health_checks = {}});
}

RouteSync::Family* RouteSync::find(IpFamily family) {
  for (Family& known : families_) {
    if (known.family == family) return &known;
  }
  return nullptr;
}

void RouteSync::note_slice(const kube::Change<kube::EndpointSliceRecord>& change) {
  const kube::EndpointSliceRecord& slice = *(change.now ? change.now : change.before);
  if (slice.address_type == kube::AddressType::Fqdn) return;
  const bool v4 = slice.address_type == kube::AddressType::IPv4;
  Family* family = find(v4 ? IpFamily::V4 : IpFamily::V6);
  if (family == nullptr) return;
  if (change.now) {
    family->triggers.changed(slice);
  } else {
    family->triggers.removed(slice);
  }
}

RouteSync::Round RouteSync::run(SyncDepth depth) {
  Round round;
  const std::vector<FamilyChanges> all = routes_.update();
  for (const RouteFailure& failure : routes_.new_failures()) tell_failure(failure);
  for (const FamilyChanges& changes : all) {
    Family* family = find(changes.family);
    if (family == nullptr) continue;
    const Outcome outcome = sync_guarded(*family, changes.changes, depth, round);
    if (outcome == Outcome::Written) round.written.push_back(family->family);
    if (outcome == Outcome::Failed) round.failed.push_back(family->family);
    if (outcome == Outcome::Unsupported)
      round.unsupported.push_back({family->family, family->lacking});
    round.flows_left = round.flows_left || (outcome == Outcome::Written && family->udp_changed);
  }
  tell_broken();
  return round;
}

// What was in the middle of a change is not known after a breakdown: the figures are counted anew
// from the whole table, and what the kernel holds is taken over.
RouteSync::Outcome RouteSync::sync_guarded(Family& family, const RouteChanges& changes,
                                           SyncDepth depth, Round& round) {
  Outcome outcome = Outcome::Failed;
  const auto breakdown = run_guarded([&] { outcome = sync(family, changes, depth, round); });
  if (!breakdown) return outcome;
  family.counted = false;
  family.in_step = false;
  return note_failure(family, Error{ErrorCode::Retry, "internal error: " + breakdown->what});
}

RouteSync::Outcome RouteSync::sync(Family& family, const RouteChanges& changes, SyncDepth depth,
                                   Round& round) {
  family.udp_changed = family.udp_changed || changes.concern_udp();
  add_refused(changes, round.refused);
  count(family, changes);
  ports_.metrics.show(family.family, family.counts);
  return write(family, changes, depth);
}

void RouteSync::count(Family& family, const RouteChanges& changes) {
  const RouteTable& table = *routes_.table(family.family);
  if (family.counted) {
    family.counts.apply(changes);
    family.health_checks.apply(table, changes);
    return;
  }
  const RouteChanges all = diff_routes(RouteTable(), table);
  family.counts = {};
  family.counts.apply(all);
  family.health_checks = {};
  family.health_checks.apply(table, all);
  family.counted = true;
}

void RouteSync::tell_failure(const RouteFailure& failure) {
  ports_.metrics.broke_down();
  const policy::Note why{.reason = policy::Reason::InternalError, .subject = failure.what};
  const std::string ns(failure.ns.view()), name(failure.service.view());
  ports_.log.error("An internal error stopped the update of a Service's routes", failure.what,
                   {{"service", std::string(ns).append("/").append(name)}});
  if (!ports_.tell) return;
  ports_.tell({.about = {.api_version = "v1",
                         .kind = "Service",
                         .ns = ns,
                         .name = name,
                         .uid = std::string(failure.uid.view()),
                         .resource_version = {},
                         .field_path = {}},
               .type = kube::EventType::Warning,
               .reason = "InternalError",
               .message = policy::sentence(why)});
}

// What breaks in both families is told once.
void RouteSync::tell_broken() {
  BrokenServices now;
  for (const Family& family : families_) now.merge(family.plane.broken());
  for (const auto& [name, what] : now) {
    const auto known = broken_.find(name);
    if (known == broken_.end() || known->second != what)
      tell_failure({name.first, name.second, routes_.uid_of(name), what});
  }
  broken_ = std::move(now);
  BrokenServices all = routes_.failures();
  all.insert(broken_.begin(), broken_.end());
  ports_.metrics.show_broken(all.size());
}

// A kernel does not grow what it lacks from one change to the next. It may when a module is loaded.
RouteSync::Outcome RouteSync::note_failure(Family& family, const Error& error) {
  if (error.code != ErrorCode::Unsupported) {
    ports_.metrics.failed(family.family);
    ports_.log.error("Failed to write the routes; they are written anew as a whole", error.message,
                     {{"family", to_text(family.family)}});
    return Outcome::Failed;
  }
  ports_.metrics.unsupported(family.family);
  if (family.lacking.empty())
    ports_.log.error(
        "This kernel cannot hold routes of this family; it is left out, and tried again with each "
        "full check",
        error.message, {{"family", to_text(family.family)}});
  family.lacking = error.message;
  return Outcome::Unsupported;
}

RouteSync::Outcome RouteSync::write(Family& family, const RouteChanges& changes, SyncDepth depth) {
  if (!family.lacking.empty() && depth != SyncDepth::Everything) return Outcome::Unsupported;
  const auto begin = ports_.clock.steady_now();
  const bool adopts = !family.in_step;
  const Status status = bring_in_step(family, changes, depth);
  const auto duration = ports_.clock.steady_now() - begin;
  const bool all = adopts || depth == SyncDepth::Everything;
  ports_.metrics.wrote(family.family, all ? SyncDepth::Everything : SyncDepth::Changes, duration);
  family.in_step = status.has_value();
  if (!status) return note_failure(family, status.error());
  family.lacking.clear();
  const WallTime now = ports_.clock.wall_now();
  ports_.metrics.changed(family.family, changes);
  ports_.metrics.succeeded(family.family, now);
  for (const WallTime began : family.triggers.take())
    ports_.metrics.programmed(family.family, now - began);
  if (adopts || !changes.empty())
    ports_.log.detail(adopts ? 0 : 2, adopts ? "Adopted the routes" : "Wrote the changed routes",
                      {{"family", to_text(family.family)},
                       {"ports", family.counts.ports},
                       {"changedPorts", changes.ports.size()},
                       {"duration", duration}});
  if (family.udp_changed) clean_flows(family);
  return Outcome::Written;
}

// What a data plane was in the middle of is not known after a breakdown. It counts as a failure,
// after which what the kernel holds is taken over anew.
Status RouteSync::bring_in_step(Family& family, const RouteChanges& changes, SyncDepth depth) {
  Status status = Unit{};
  const auto breakdown = run_guarded([&] { status = write_changes(family, changes, depth); });
  if (breakdown) return Error{ErrorCode::Retry, "internal error: " + breakdown->what};
  return status;
}

Status RouteSync::write_changes(Family& family, const RouteChanges& changes, SyncDepth depth) {
  const RouteTable& table = *routes_.table(family.family);
  if (!family.in_step) return family.plane.adopt(table);
  if (!changes.empty()) {
    Status applied = family.plane.apply(table, changes);
    if (!applied) return applied;
  }
  if (depth == SyncDepth::Everything) return repair(family);
  return Unit{};
}

Status RouteSync::repair(Family& family) {
  auto repaired = family.plane.repair();
  if (!repaired) {
    ports_.metrics.repair_failed(family.family);
    return std::move(repaired).error().in("full check");
  }
  ports_.metrics.repaired(family.family, *repaired);
  if (*repaired > 0)
    ports_.log.warning("Somebody else had changed the rules; they are as they should be again",
                       {{"family", to_text(family.family)}, {"things", *repaired}});
  return Unit{};
}

// A list that could not be had is asked for again with the next round; what cannot be forgotten is
// looked at again after the next change of a UDP service.
void RouteSync::clean_flows(Family& family) {
  family.udp_changed = false;
  if (ports_.flows == nullptr) return;
  const auto begin = ports_.clock.steady_now();
  const auto flows = ports_.flows->udp_flows(family.family);
  if (!flows) {
    ports_.log.error("Failed to list tracked flows", flows.error().message);
    family.udp_changed = flows.error().code == ErrorCode::Retry;
    return;
  }
  const std::vector<UdpFlow> old = stale(*routes_.table(family.family), *flows);
  std::size_t forgotten = 0;
  if (!old.empty()) {
    const auto gone = ports_.flows->forget(old);
    if (gone) forgotten = *gone;
    if (!gone) ports_.log.error("Failed to forget tracked flows", gone.error().message);
  }
  ports_.metrics.cleaned_flows(family.family, ports_.clock.steady_now() - begin, forgotten);
}

const HealthCheckPorts* RouteSync::health_checks(IpFamily family) const {
  for (const Family& known : families_) {
    if (known.family == family) return &known.health_checks;
  }
  return nullptr;
}

std::vector<std::string> RouteSync::unreadable_services() const {
  std::vector<std::string> names;
  for (const Family& family : families_)
    for (const auto& [service, ports] : family.counts.unreadable)
      names.push_back(std::string(service.first.view()) + "/" + std::string(service.second.view()));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace proxima::proxy
