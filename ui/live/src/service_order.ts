// SPDX-License-Identifier: Apache-2.0
// Which services are listed, and in which order.
import type { Service } from './contract';
import { byName } from './name_order';

export type SortKey = 'name' | 'local' | 'overload' | 'rate' | 'cost';
export interface Order { key: SortKey; descending: boolean }
export interface Filter { text: string; policy: string; attention: boolean }

export const localOf = ({ measured, plan }: Service): number | null => (measured ? measured.local : plan?.local ?? null);
export const overloadOf = ({ measured, plan }: Service): number | null => (measured ? measured.worstOverload : plan?.worstOverload ?? null);

// The worst overload of all plans; null when nothing is planned.
export const worstPlanned = (services: Service[]): number | null =>
  services.reduce<number | null>((worst, { plan }) => (plan ? Math.max(worst ?? 0, plan.worstOverload) : worst), null);

// Reasons that a person may want to do something about.
export const needsAttention = ({ plan, measured }: Service): boolean => (!!plan && ['fallback', 'refused', 'broken'].includes(plan.why.level))
  || (measured?.failed ?? 0) > 0;

const figureOf: Record<Exclude<SortKey, 'name'>, (service: Service) => number | null> = {
  local: localOf,
  overload: overloadOf,
  rate: ({ measured }) => measured?.requestsPerSecond ?? null,
  cost: ({ cost }) => cost?.perMonth ?? null,
};

// Every word must be in the name; case does not matter.
export function filtered(services: Service[], filter: Filter): Service[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return services.filter((service) => words.every((word) => service.service.toLowerCase().includes(word))
    && (!filter.policy || service.policy === filter.policy)
    && (!filter.attention || needsAttention(service)));
}

// What is not known comes last either way, and ties are in the order of names.
export function sorted(services: Service[], { key, descending }: Order): Service[] {
  const sign = descending ? -1 : 1;
  if (key === 'name') return [...services].sort((a, b) => sign * byName(a.service, b.service));
  const figure = figureOf[key];
  return [...services].sort((a, b) => {
    const [x, y] = [figure(a), figure(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a.service, b.service);
    return sign * (x - y) || byName(a.service, b.service);
  });
}
