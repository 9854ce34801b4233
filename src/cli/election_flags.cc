// SPDX-License-Identifier: Apache-2.0
#include "cli/election_flags.h"

#include "cli/value_rows.h"
#include "kube/election.h"

namespace proxima::cli {

FlagRows election_flags(ElectionFlags& flags) {
  const std::string group = "Leader election";
  const std::string duration = "DURATION";
  return {
      switch_row("--leader-elect", group, flags.enabled,
                 "Work only while holding a Lease, so that several can run (default true)"),
      value_row("--leader-elect-lease-duration", duration, group, flags.lease_duration,
                parse_duration,
                "How long others wait before they take over a Lease that is not renewed (default "
                "15s)"),
      value_row("--leader-elect-renew-deadline", duration, group, flags.renew_deadline,
                parse_duration,
                "How long a leader goes on without a renewal that succeeds (default 10s)"),
      value_row("--leader-elect-retry-period", duration, group, flags.retry_period, parse_duration,
                "How long to wait between two tries (default 2s)"),
      text_row("--leader-elect-resource-name", "NAME", group, flags.resource_name,
               "The Lease (default proxima-controller)"),
      text_row("--leader-elect-resource-namespace", "NAME", group, flags.resource_namespace,
               "Its namespace (default kube-system)"),
  };
}

std::string contradiction(const ElectionFlags& flags) {
  if (!flags.enabled) return {};
  const Status timings = kube::check(kube::ElectionOptions{.identity = "any",
                                                           .lease_duration = flags.lease_duration,
                                                           .renew_deadline = flags.renew_deadline,
                                                           .retry_period = flags.retry_period});
  return timings ? std::string() : "--leader-elect-…: " + timings.error().message;
}

}  // namespace proxima::cli
