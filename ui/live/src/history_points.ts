// SPDX-License-Identifier: Apache-2.0
// History as the program sent it, and the states that came since. Points are added to the arrays in
// place: with a thousand services, copies of them would be most of what the page does.
import type { Figures, History, State } from './contract';
import { worstPlanned } from './service_order';
import { localShare, zoneFlows } from './zone_flows';

export const kMaxPoints = 3600;

function push(figures: Figures, value: number | null | undefined): Figures {
  figures.push(value ?? null);
  if (figures.length > kMaxPoints) figures.shift();
  return figures;
}

const nothing = (length: number): Figures => new Array<null>(length).fill(null);

// The history with one more point; the very same when that point is not a step newer.
export function appended(history: History, state: State): History {
  const points = history.times.length;
  const last = history.times[points - 1] ?? -Infinity;
  if (state.time - last < history.step * 0.9) return history;
  for (const { service, plan, measured } of state.services) {
    const of = history.services[service] ??= {
      local: nothing(points), overload: nothing(points), rate: nothing(points), failed: nothing(points),
    };
    push(of.local, measured ? measured.local : plan?.local);
    push(of.overload, measured ? measured.worstOverload : plan?.worstOverload);
    push(of.rate, measured?.requestsPerSecond);
    push(of.failed, measured?.failed);
  }
  const { totals } = history;
  // Nothing is measured on a cluster without a lab: what is recorded there is the plan.
  const planned = !state.services.some(({ measured }) => measured);
  push(totals.local, planned ? localShare(zoneFlows(state, null, 'plan')) : state.totals.local);
  push(totals.overload, planned ? worstPlanned(state.services) : state.totals.worstOverload);
  push(totals.rate, state.totals.requestsPerSecond);
  push(totals.failed, state.totals.failed);
  if (totals.cost) push(totals.cost, state.totals.costPerMonth);
  history.times.push(state.time);
  if (history.times.length > kMaxPoints) history.times.shift();
  // Services that are gone have no new point; an array of another length would be out of step.
  const present = new Set(state.services.map(({ service }) => service));
  for (const name of Object.keys(history.services)) if (!present.has(name)) delete history.services[name];
  return { ...history };
}
