// SPDX-License-Identifier: Apache-2.0
#include "kube/leader_election.h"

#include "kube/cancellable_wait.h"
#include "kube/random_uuid.h"

namespace proxima::kube {

using Kind = ElectionStep::Kind;

Result<std::string> new_identity(std::string_view host) {
  PROXIMA_TRY(const std::string uuid, random_uuid(), "identity");
  return std::string(host) + "_" + uuid;
}

Result<std::unique_ptr<LeaderElector>> LeaderElector::create(const LeaderElectorOptions& options,
                                                             KubeApi& api, Clock& clock,
                                                             LeaderCallbacks callbacks) {
  PROXIMA_TRY(Unit{}, check(options.election), options.ns + "/" + options.name);
  return std::unique_ptr<LeaderElector>(
      new LeaderElector(options, api, clock, std::move(callbacks)));
}

// One request may take half the deadline, as upstream's components have it: so a second one still
// has time.
LeaderElector::LeaderElector(const LeaderElectorOptions& options, KubeApi& api, Clock& clock,
                             LeaderCallbacks callbacks)
    : lease_{kLeases, options.ns, options.name},
      identity_(options.election.identity),
      clock_(clock),
      client_(api,
              std::chrono::ceil<std::chrono::milliseconds>(options.election.renew_deadline / 2)),
      callbacks_(std::move(callbacks)),
      election_(options.election, options.seed),
      leadership_(std::make_shared<Leadership>(clock)) {}

void LeaderElector::run(const net::Cancellation& cancellation) {
  ElectionStep step = election_.next(now());
  while (!cancellation.cancelled()) {
    step = perform(step, cancellation);
    publish();
  }
  release();
}

ElectionStep LeaderElector::perform(const ElectionStep& step,
                                    const net::Cancellation& cancellation) {
  switch (step.kind) {
    case Kind::Wait:
      wait_for(clock_, step.wait, cancellation);
      return election_.next(now());
    case Kind::Read: {
      const auto reading = read(cancellation);
      return election_.read_done(reading, now());
    }
    case Kind::Create:
    case Kind::Update:
      return write(step, cancellation);
  }
  return step;
}

Result<std::optional<LeaseRecord>> LeaderElector::read(const net::Cancellation& cancellation) {
  auto object = client_.get(lease_, cancellation);
  if (!object && is_not_found(object.error())) return std::optional<LeaseRecord>();
  if (!object) {
    report("reading", object.error());
    return to_error(object.error());
  }
  object_ = std::move(object).value();
  PROXIMA_TRY(LeaseRecord record, parse_lease(object_), lease_.name);
  return std::optional(std::move(record));
}

ElectionStep LeaderElector::write(const ElectionStep& step, const net::Cancellation& cancellation) {
  const Clock::SteadyTime sent = clock_.steady_now();
  auto written = step.kind == Kind::Create
                     ? client_.create(lease_, new_lease(lease_, step.record), cancellation)
                     : client_.update(lease_, with_record(object_, step.record), cancellation);
  if (!written) {
    // Losing a race is how elections go.
    if (!is_conflict(written.error()) && !is_already_exists(written.error()))
      report("writing", written.error());
    return election_.write_done(Election::Wrote::No, sent, now());
  }
  // An answer from something between here and the server is no proof that the Lease names us.
  const auto record = parse_lease(*written);
  if (!record || record->holder != identity_) {
    report("writing", {0, {}, "the answer is not the Lease that was written", std::nullopt, {}});
    return election_.write_done(Election::Wrote::No, sent, now());
  }
  object_ = std::move(written).value();
  return election_.write_done(Election::Wrote::Yes, sent, now());
}

void LeaderElector::publish() {
  const auto until = election_.leading_until();
  const bool leads = until && *until > clock_.steady_now();
  // A term that ended between two steps is over, whatever the next one brings.
  const bool lost = leading_ && (!leads || !leadership_->left(term_));
  if (lost) {
    leadership_->end();
    leading_ = false;
    if (callbacks_.on_stopped_leading) callbacks_.on_stopped_leading();
  }
  if (election_.leader() != reported_leader_) {
    reported_leader_ = election_.leader();
    if (callbacks_.on_new_leader) callbacks_.on_new_leader(reported_leader_);
  }
  if (!leads) return;
  term_ = leadership_->lead_until(*until);
  const bool began = !std::exchange(leading_, true);
  if (began && callbacks_.on_started_leading)
    callbacks_.on_started_leading(LeadershipGuard(leadership_, term_));
}

void LeaderElector::release() {
  election_.stop_leading();
  const bool led = leading_;
  publish();
  if (!led || keeps_lease_) return;
  // The cancellation has done its work; this last exchange is bounded by its own time.
  const net::Cancellation never;
  const auto present = read(never);
  if (!present || !present->has_value() || (*present)->holder != identity_) return;
  const auto released =
      client_.update(lease_, with_record(object_, election_.released(**present, now())), never);
  if (!released) report("releasing", released.error());
}

void LeaderElector::report(const std::string& doing, const ApiFailure& failure) const {
  if (callbacks_.on_error)
    callbacks_.on_error(doing + " Lease " + lease_.ns + "/" + lease_.name + ": " +
                        to_error(failure).message);
}

}  // namespace proxima::kube
