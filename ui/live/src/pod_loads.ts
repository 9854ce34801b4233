// SPDX-License-Identifier: Apache-2.0
// How busy a pod is against the fair share of the services that it is behind.
import type { State } from './contract';
import type { View } from './zone_flows';

// The load of each pod ("shop/even-1"): 1 is the fair share, and the highest of its services counts.
export function podLoads(state: State, service: string | null, view: View): Map<string, number> {
  const loads = new Map<string, number>();
  for (const one of state.services) {
    if (service !== null && one.service !== service) continue;
    for (const { pod, load } of (view === 'measured' ? one.measured : one.plan)?.endpoints ?? []) {
      if (pod !== null && load !== null) loads.set(pod, Math.max(load, loads.get(pod) ?? 0));
    }
  }
  return loads;
}
