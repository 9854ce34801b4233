// SPDX-License-Identifier: Apache-2.0
#include "controller/service_sync.h"

#include <algorithm>

#include "controller/condition_patch.h"
#include "controller/slice_events.h"
#include "controller/slice_writer.h"
#include "controller/upstream_mode.h"
#include "slices/decision_news.h"
#include "slices/pack_family.h"

namespace proxima::controller {
namespace {

std::optional<kube::ObjectKey> parse_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == key.size()) return std::nullopt;
  if (key.find('/', slash + 1) != std::string_view::npos) return std::nullopt;
  return kube::ObjectKey{key.substr(0, slash), key.substr(slash + 1)};
}

bool has_nothing_to_do(const kube::ServiceRecord& service) {
  return service.type == model::ServiceType::ExternalName || !service.selector;
}

policy::PolicyKind policy_of(const slices::ServiceDecision& decision, kube::AddressType family) {
  for (const slices::FamilyDecision& one : decision.families)
    if (one.family == family) return one.policy;
  return policy::PolicyKind::ClusterWide;
}

// Families share a condition; the one that keeps less of its traffic is the one to compare with.
double planned_local_share(const slices::ServiceDecision& decision) {
  double share = 1;
  for (const slices::FamilyDecision& family : decision.families)
    share = std::min(share, family.local_share);
  return share;
}

bool asks_for_something(const slices::ServiceDecision& decision) {
  return !decision.not_accepted.empty() ||
         std::any_of(decision.families.begin(), decision.families.end(), [](const auto& family) {
           return family.policy != policy::PolicyKind::ClusterWide;
         });
}

// Rounded up to a second, so that it is over then.
std::optional<kube::Duration> time_until(std::optional<WallTime> end, WallTime now) {
  if (!end) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::seconds>(*end - now);
  return std::max<kube::Duration>(left, std::chrono::seconds(1));
}

}  // namespace

// One sync's.
struct ServiceSync::Work {
  const std::string& key;
  ServiceRef service;
  std::vector<PodRef> pods;
  std::vector<SliceRef> slices;
  std::optional<kube::UnixSeconds> trigger_time;
  std::vector<slices::FamilyDraft> drafts;
  std::vector<slices::PublishedFamily> published;  // as the slices were
  std::vector<SliceRef> leftovers;                 // of families that the Service does not have
  slices::ServiceDecision decision;
};

std::string aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string_view> distinct;
  for (const std::string& error : errors)
    if (std::find(distinct.begin(), distinct.end(), error) == distinct.end())
      distinct.push_back(error);
  if (distinct.empty()) return {};
  if (distinct.size() == 1) return std::string(distinct[0]);
  std::string text = "[";
  for (const std::string_view error : distinct)
    text += (text.size() == 1 ? "" : ", ") + std::string(error);
  return text + "]";
}

SyncOutcome ServiceSync::sync(const std::string& key, SyncTarget& target) {
  SyncOutcome outcome;
  const auto breakdown = run_guarded([&] { outcome = sync_unguarded(key, target); });
  if (breakdown) return tell_breakdown(key, *breakdown, target);
  if (outcome.result == SyncResult::Success) breakdowns_.forget(key);
  return outcome;
}

// What is published stays, and so does what was decided last.
SyncOutcome ServiceSync::tell_breakdown(const std::string& key, const Breakdown& breakdown,
                                        SyncTarget& target) {
  const policy::Note why{.reason = policy::Reason::InternalError, .subject = breakdown.what};
  const auto noted = breakdowns_.note(key, breakdown.what, parts_.clock.steady_now());
  parts_.metrics.broke_down();
  const DecisionRef last = parts_.book.find(key);
  DecisionEntry entry = last ? *last : DecisionEntry();
  entry.error = policy::sentence(why);
  entry.broke_down = true;
  // Whatever it would have been made of: a change of nodes may mend it.
  parts_.intake.depends(key, {.nodes = true, .clients = entry.decision.client_workload});
  if (noted.is_news) {
    parts_.log.error("An internal error stopped the update of a Service", breakdown.what,
                     {{"service", key}});
    const auto service = parts_.caches.services.snapshot().find(*parse_key(key));
    if (service && target.event)
      target.event(*service, kube::EventType::Warning, plan::condition_reason(why.reason),
                   entry.error);
  }
  SyncOutcome outcome{.result = SyncResult::Error, .error = entry.error};
  outcome.wrote = target.writes == Writes::Real;
  outcome.again_after = noted.again_after;
  outcome.broke_down = true;
  parts_.book.put(key, std::move(entry));
  return outcome;
}

SyncOutcome ServiceSync::sync_unguarded(const std::string& key, SyncTarget& target) {
  const auto name = parse_key(key);
  if (!name) return {SyncResult::Error, "no key of a Service: " + key, false};
  auto selection = parts_.intake.select(*name);
  if (!selection) {
    forget(key);
    return {};
  }
  if (has_nothing_to_do(*selection->service)) {
    // Its slices stay, as upstream leaves them; what was decided about them does not hold any more.
    parts_.book.erase(key);
    parts_.intake.forget(key);
    return {};
  }
  auto slices = fresh_slices(key);
  if (!slices) return {SyncResult::Stale, "the cache has not seen its own writes yet", false};
  Work work{key,
            std::move(selection->service),
            std::move(selection->pods),
            std::move(*slices),
            {},
            {},
            {},
            {}};
  work.trigger_time = parts_.trigger_times.next(*work.service, work.pods);
  return reconcile(work, target);
}

void ServiceSync::forget(const std::string& key) {
  parts_.trigger_times.forget(key);
  parts_.tracker.forget_service(key);
  parts_.book.erase(key);
  parts_.honored.forget(key);
  parts_.intake.forget(key);
  breakdowns_.forget(key);
  unseen_.forget(key);
}

std::vector<SliceRef> ServiceSync::slices_of(const kube::ObjectKey& service) const {
  std::vector<SliceRef> slices;
  parts_.caches.slices.snapshot().each_at(service.ns, service.name, [&](const SliceRef& slice) {
    if (is_managed(*slice) && !slice->meta.terminating) slices.push_back(slice);
  });
  return slices;
}

void ServiceSync::end_term() { unseen_.forget_all(); }

std::optional<std::vector<SliceRef>> ServiceSync::fresh_slices(const std::string& key) {
  const kube::ObjectKey name = *parse_key(key);
  kube::Version listed = parts_.caches.slices.listed_version();
  auto slices = slices_of(name);
  const bool is_stale = parts_.tracker.is_stale(key, slices, listed);
  if (is_stale && unseen_.are_lost(key)) parts_.tracker.forget_service(key);
  if (!parts_.tracker.is_stale(key, slices, listed)) {
    unseen_.forget(key);
    return slices;
  }
  parts_.intake.await_slices(key);
  // What came before it was awaited has told nobody.
  listed = parts_.caches.slices.listed_version();
  slices = slices_of(name);
  if (parts_.tracker.is_stale(key, slices, listed)) return std::nullopt;
  return slices;
}

bool ServiceSync::has_writes(const Work& work) {
  return !work.leftovers.empty() ||
         std::any_of(work.drafts.begin(), work.drafts.end(), [](const slices::FamilyDraft& draft) {
           return !draft.creates.empty() || !draft.updates.empty() || !draft.deletes.empty();
         });
}

SyncOutcome ServiceSync::reconcile(Work& work, SyncTarget& target) {
  pack(work);
  decide(work);
  for (slices::FamilyDraft& draft : work.drafts) slices::recycle_slices(*work.service, draft);

  ShadowSlicePort shadow;
  ApiSlicePort real(target.client, target.cancellation);
  const bool is_real = target.writes == Writes::Real;
  const auto errors = is_real ? write(work, real) : write(work, shadow);
  const std::string error = aggregate(errors);
  const bool wrote = is_real && has_writes(work);
  if (is_real) tell(work, target);
  const bool conditions_written = !is_real || publish_conditions(work, target);
  const auto again_after = time_until(work.decision.ends, parts_.clock.wall_now());
  remember(work, error, std::move(shadow.writes));
  if (error.empty()) return {SyncResult::Success, {}, !conditions_written, wrote, again_after};
  if (is_real && target.event)
    target.event(*work.service, kube::EventType::Warning, "FailedToUpdateEndpointSlices",
                 "Error updating Endpoint Slices for Service " + work.key + ": " + error);
  return {SyncResult::Error, error, !conditions_written, wrote, again_after};
}

void ServiceSync::pack(Work& work) const {
  const auto families = slices::address_families(*work.service);
  const auto nodes = parts_.caches.nodes.snapshot();
  const auto places = parts_.caches.places.get();
  for (const kube::AddressType family : families) {
    std::vector<SliceRef> present;
    for (const SliceRef& slice : work.slices)
      if (slice->address_type == family) present.push_back(slice);
    work.drafts.push_back(slices::pack_family({.service = *work.service,
                                               .family = family,
                                               .pods = work.pods,
                                               .nodes = nodes,
                                               .slices = present,
                                               .max_endpoints_per_slice = max_endpoints_per_slice_,
                                               .places = places.get()}));
  }
  for (const slices::FamilyDraft& draft : work.drafts)
    work.published.push_back(slices::published_of(draft));
  for (const SliceRef& slice : work.slices)
    if (std::find(families.begin(), families.end(), slice->address_type) == families.end())
      work.leftovers.push_back(slice);
}

void ServiceSync::decide(Work& work) {
  const kube::ServiceRecord& service = *work.service;
  const auto ns = parts_.caches.namespaces.snapshot().find({{}, service.meta.ns.view()});
  const auto pods = parts_.caches.pods.snapshot();
  std::string workload = parts_.planner.use([&](const slices::SlicePlanner& planner) {
    return planner.client_workload(service, ns.get());
  });
  const auto clients = workload.empty() ? std::vector<PodRef>() : parts_.intake.clients(workload);
  work.decision = parts_.planner.use([&](slices::SlicePlanner& planner) {
    return planner.decide(service, ns.get(), pods, clients, work.drafts, parts_.clock.wall_now());
  });
  parts_.intake.depends(work.key,
                        {.nodes = work.decision.depends_on_nodes, .clients = std::move(workload)});
}

std::vector<std::string> ServiceSync::write(Work& work, SlicePort& port) {
  std::vector<std::string> errors;
  SliceWriter writer(port, parts_.tracker,
                     [this](SliceOperation operation) { parts_.metrics.wrote(operation); });
  for (slices::FamilyDraft& draft : work.drafts) {
    parts_.metrics.packed(draft);
    errors.insert(errors.end(), draft.problems.begin(), draft.problems.end());
    auto report = writer.write(*work.service, draft, work.trigger_time);
    if (report.end == SliceWriter::End::Failed) errors.push_back(std::move(report.error));
    if (report.end == SliceWriter::End::Done)
      parts_.metrics.changed(*work.service, policy_of(work.decision, draft.family),
                             draft.creates.size() + draft.updates.size() + draft.deletes.size());
  }
  auto left = writer.remove_leftovers(*work.service, work.leftovers);
  errors.insert(errors.end(), std::make_move_iterator(left.begin()),
                std::make_move_iterator(left.end()));
  return errors;
}

void ServiceSync::tell(const Work& work, SyncTarget& target) const {
  if (!target.event) return;
  const DecisionRef before = parts_.book.find(work.key);
  const auto events =
      slices::decision_news(before ? &before->decision : nullptr, work.decision, work.published);
  for (const slices::DecisionEvent& event : events)
    target.event(*work.service, event.type, event.reason, event.message);
}

bool ServiceSync::is_status_due(const std::string& key, const DecisionEntry& entry) const {
  if (!asks_for_something(entry.decision)) return false;
  const auto service = parts_.caches.services.snapshot().find(*parse_key(key));
  return service &&
         parts_.honored
             .propose(key, *service, planned_local_share(entry.decision), parts_.clock.steady_now())
             .is_news;
}

bool ServiceSync::publish_conditions(const Work& work, SyncTarget& target) {
  std::vector<plan::ServiceCondition> wanted;
  HonoredConditions::Proposal honored;
  const auto now = parts_.clock.steady_now();
  if (asks_for_something(work.decision)) {
    wanted = work.decision.conditions;
    honored =
        parts_.honored.propose(work.key, *work.service, planned_local_share(work.decision), now);
    wanted.push_back(honored.condition);
  }
  auto patch = condition_patch(*work.service, wanted, parts_.clock.wall_now());
  if (!patch) return true;
  const kube::ObjectRef ref{kube::kServices, std::string(work.service->meta.ns.view()),
                            std::string(work.service->meta.name.view())};
  const auto answer = target.client.patch_status(ref, kube::PatchKind::Strategic, std::move(*patch),
                                                 target.cancellation);
  if (answer) parts_.honored.wrote(work.key, honored, now);
  if (answer || kube::is_not_found(answer.error())) return true;
  constexpr int kForbidden = 403;
  if (answer.error().status == kForbidden) {
    // Nothing but a change of rights helps; slices need none of that, and one line is enough.
    if (!conditions_denied_.exchange(true))
      parts_.log.warning("Conditions are left out: the rights to write them are missing",
                         {{"problem", answer.error().message}});
    return true;
  }
  parts_.log.error("Conditions could not be written", answer.error().message,
                   {{"service", work.key}});
  return false;
}

void ServiceSync::remember(Work& work, const std::string& error, std::vector<ShadowWrite> shadow) {
  DecisionEntry entry;
  entry.traffic_distribution = followed_traffic_distribution(*work.service);
  for (const slices::FamilyDraft& draft : work.drafts) {
    entry.endpoints += draft.endpoints_desired;
    entry.slices += draft.unchanged.size() + draft.updates.size() + draft.creates.size();
    entry.slices_wanted += draft.slices_desired;
  }
  entry.decision = std::move(work.decision);
  entry.error = error;
  entry.shadow = std::move(shadow);
  parts_.book.put(work.key, std::move(entry));
}

}  // namespace proxima::controller
