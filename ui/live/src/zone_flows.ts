// SPDX-License-Identifier: Apache-2.0
// The flows from zone to zone, of one service or of all together, as they are or as planned.
import type { Service, State } from './contract';
import { byName } from './name_order';

export type View = 'measured' | 'plan';
// Requests per second where clients are counted; otherwise shares of what is shown.
export type Unit = 'rate' | 'share';

export interface ZoneFlow { from: string; to: string; value: number }
export interface ZoneFlows { unit: Unit; flows: ZoneFlow[]; total: number }

const shown = (state: State, service: string | null): Service[] =>
  (service === null ? state.services : state.services.filter((one) => one.service === service));

function summed(parts: ZoneFlow[]): ZoneFlow[] {
  const sums = new Map<string, ZoneFlow>();
  for (const { from, to, value } of parts) {
    const key = `${from}\n${to}`;
    const sum = sums.get(key);
    if (sum) sum.value += value;
    else sums.set(key, { from, to, value });
  }
  return [...sums.values()].filter(({ value }) => value > 0)
    .sort((a, b) => byName(a.from, b.from) || byName(a.to, b.to));
}

export function zoneFlows(state: State, service: string | null, view: View): ZoneFlows {
  const services = shown(state, service);
  const measured = services.some((one) => one.measured);
  const parts = services.flatMap((one): ZoneFlow[] => {
    if (view === 'measured') return (one.measured?.flows ?? []).map(({ from, to, requestsPerSecond }) => ({ from, to, value: requestsPerSecond }));
    // Where only plans are known, one service counts like the other.
    const factor = measured ? one.measured?.requestsPerSecond ?? 0 : 1;
    return (one.plan?.flows ?? []).map(({ from, to, share }) => ({ from, to, value: share * factor }));
  });
  const flows = summed(parts);
  const total = flows.reduce((sum, flow) => sum + flow.value, 0);
  if (measured || total === 0) return { unit: 'rate', flows, total };
  return { unit: 'share', flows: flows.map((flow) => ({ ...flow, value: flow.value / total })), total: 1 };
}

export const localShare = ({ flows, total }: ZoneFlows): number | null => (total > 0
  ? flows.filter(({ from, to }) => from === to).reduce((sum, { value }) => sum + value, 0) / total : null);

// Every zone that has a node, a flow or an entry of its own, by name; "no zone" at the end.
export function zoneNames(state: State): string[] {
  const names = new Set(state.zones.map(({ name }) => name));
  for (const { zone } of state.nodes) names.add(zone);
  for (const { plan, measured } of state.services) {
    for (const { from, to } of measured?.flows ?? plan?.flows ?? []) names.add(from).add(to);
  }
  return [...names].sort((a, b) => Number(a === '') - Number(b === '') || byName(a, b));
}
