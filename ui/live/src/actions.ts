// SPDX-License-Identifier: Apache-2.0
// What a person does here. Each action says how it went, on the page and to screen readers.
import { signal } from '@preact/signals';
import { post, servicePath, wordsOf } from './api';
import { announce } from './store';

export interface Outcome { text: string; failed: boolean }

export const outcome = signal<Outcome | null>(null);
// Actions under way: a second click on the same does nothing. Buttons stay enabled meanwhile, because
// one that is disabled loses the focus.
const underWay = new Set<string>();

function tell(text: string, failed: boolean): void {
  outcome.value = { text, failed };
  announce(text);
}

// True when it was done.
async function act(name: string, path: string, body: unknown, done: string): Promise<boolean> {
  if (underWay.has(name)) return false;
  underWay.add(name);
  try {
    await post(path, body);
    tell(done, false);
    return true;
  } catch (error) {
    tell(`That did not work: ${wordsOf(error)}.`, true);
    return false;
  } finally {
    underWay.delete(name);
  }
}

export const failZone = (zone: string) => act(`fail ${zone}`, '/api/lab/fail-zone', { zone }, `${zone} has no power now.`);
export const healZone = (zone: string) => act(`heal ${zone}`, '/api/lab/heal', { zone }, `${zone} has power again.`);
export const healEverything = () => act('heal', '/api/lab/heal', {}, 'Everything has power again.');
export const killNode = (node: string) => act(`kill ${node}`, '/api/lab/kill-node', { node }, `${node} has no power now.`);
export const healNode = (node: string) => act(`heal ${node}`, '/api/lab/heal', { node }, `${node} has power again.`);
export const addNode = (zone: string) => act(`add ${zone}`, '/api/lab/add-node', { zone }, `A node joins ${zone}.`);
// The last place of a slider must not be lost because an earlier one is still on its way.
export const setDemand = (zones: Record<string, number>) => act(`demand ${JSON.stringify(zones)}`, '/api/lab/demand', { zones }, 'The clients follow the new demand.');
export const scale = (service: string, zones: Record<string, number>) => act(`scale ${service}`, '/api/lab/scale', { service, zones }, `${service} is being scaled.`);
export const setPolicy = (service: string, policy: string | null, overload: number | string | null) =>
  act(`policy ${service}`, `/api/services/${servicePath(service)}/policy`, policy === null ? { policy } : { policy, overload },
    policy === null ? `The annotations of ${service} are removed.` : `${service} is annotated with ${policy}.`);
