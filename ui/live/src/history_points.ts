// SPDX-License-Identifier: Apache-2.0
// History as the program sent it, and the states that came since. Points are added to the arrays in
// place: with a thousand services, copies of them would be most of what the page does.
import type { Figures, History, Recorded, State } from './contract';
import { worstPlanned } from './service_order';
import { localShare, zoneFlows } from './zone_flows';

export const kMaxPoints = 3600;

function push(figures: Figures, value: number | null | undefined): Figures {
  figures.push(value ?? null);
  if (figures.length > kMaxPoints) figures.shift();
  return figures;
}

const nothing = (length: number): Figures => new Array<null>(length).fill(null);

const unrecorded = (points: number): Recorded => ({
  local: nothing(points), overload: nothing(points), planLocal: nothing(points), planOverload: nothing(points), rate: nothing(points), failed: nothing(points), cost: nothing(points),
});

const has = (figures: Figures): boolean => figures.some((value) => value !== null);

// What a chart shows: what was measured with the plan of each time beside it, or the plan alone where nothing was ever measured.
export function shownFigures({ local, overload, planLocal = [], planOverload = [] }: Recorded): { local: Figures; overload: Figures; plan: { local: Figures; overload: Figures } | null } {
  if (!has(local) && has(planLocal)) return { local: planLocal, overload: planOverload, plan: null };
  return { local, overload, plan: has(planLocal) ? { local: planLocal, overload: planOverload } : null };
}

// The history with one more point; the very same when that point is not newer. Between the steps of a
// cluster states come when something has changed, and a change has its own time.
export function appended(history: History, state: State): History {
  const points = history.times.length;
  const last = history.times[points - 1] ?? -Infinity;
  if (state.time - last < Math.min(history.step, 1) * 0.9) return history;
  for (const { service, plan, measured, cost } of state.services) {
    const of = history.services[service] ??= unrecorded(points);
    push(of.local, measured?.local);
    push(of.overload, measured?.worstOverload);
    // Nothing is local or not where nothing flows.
    const flows = plan && plan.flows.length > 0 ? plan : null;
    push(of.planLocal ??= nothing(points), flows?.local);
    push(of.planOverload ??= nothing(points), flows?.worstOverload);
    push(of.rate, measured?.requestsPerSecond);
    push(of.failed, measured?.failed);
    push(of.cost ??= nothing(points), cost?.perMonth);
  }
  const { totals } = history;
  push(totals.local, state.totals.local);
  push(totals.overload, state.totals.worstOverload);
  push(totals.planLocal ??= nothing(points), localShare(zoneFlows(state, null, 'plan')));
  push(totals.planOverload ??= nothing(points), worstPlanned(state.services));
  push(totals.rate, state.totals.requestsPerSecond);
  push(totals.failed, state.totals.failed);
  push(totals.cost ??= nothing(points), state.totals.costPerMonth);
  history.times.push(state.time);
  if (history.times.length > kMaxPoints) history.times.shift();
  // Services that are gone have no new point; an array of another length would be out of step.
  const present = new Set(state.services.map(({ service }) => service));
  for (const name of Object.keys(history.services)) if (!present.has(name)) delete history.services[name];
  return { ...history };
}
