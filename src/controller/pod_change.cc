// SPDX-License-Identifier: Apache-2.0
#include "controller/pod_change.h"

namespace proxima::controller {
namespace {

bool same_workload_settings(const kube::PodRecord& a, const kube::PodRecord& b) {
  if (a.workload == b.workload) return true;
  return a.workload && b.workload && a.workload->weight == b.workload->weight;
}

bool same_name_in_dns(const kube::PodRecord& a, const kube::PodRecord& b) {
  const auto subdomain = [](const kube::PodRecord& pod) {
    return pod.workload ? pod.workload->subdomain.view() : std::string_view();
  };
  return a.hostname.view() == b.hostname.view() && subdomain(a) == subdomain(b);
}

bool same_endpoint(const kube::PodRecord& a, const kube::PodRecord& b) {
  return a.uid == b.uid && a.terminating == b.terminating && a.ready == b.ready &&
         a.addresses == b.addresses && same_workload_settings(a, b) &&
         (!b.terminating || a.phase == b.phase);
}

}  // namespace

PodEffect effect_of(const kube::Change<kube::PodRecord>& change) {
  if (!change.before || !change.now) return {.endpoint = true, .membership = true};
  const kube::PodRecord& before = *change.before;
  const kube::PodRecord& now = *change.now;
  return {.endpoint = !same_endpoint(before, now),
          .membership =
              !kube::same_labels(before.labels, now.labels) || !same_name_in_dns(before, now)};
}

bool concerns_clients(const kube::Change<kube::PodRecord>& change) {
  if (!change.before || !change.now) return true;
  const kube::PodRecord& before = *change.before;
  const kube::PodRecord& now = *change.now;
  return before.ready != now.ready || before.terminating != now.terminating ||
         before.phase != now.phase || before.node != now.node || before.workload != now.workload;
}

}  // namespace proxima::controller
