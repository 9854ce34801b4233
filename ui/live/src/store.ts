// SPDX-License-Identifier: Apache-2.0
// What the page knows now. Parts read the signals and are drawn again when these change.
import { computed, signal } from '@preact/signals';
import type { History, State } from './contract';

export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export const state = signal<State | null>(null);
export const history = signal<History | null>(null);
export const connection = signal<Connection>('connecting');
export const lostSince = signal<number | null>(null);  // milliseconds, of Date.now()

export const hasLab = computed(() => !!state.value && state.value.mode !== 'cluster');
export const mayChange = computed(() => !!state.value && !state.value.readOnly);
export const isMeasured = computed(() => !!state.value?.services.some((service) => service.measured));
export const hasCosts = computed(() => !!state.value?.services.some((service) => service.cost));
// A lab's clients tell of requests; in a cluster node proxies see connections.
export const counted = computed(() => (hasLab.value
  ? { many: 'requests', title: 'Requests', column: 'Req/s', failed: 'failed' }
  : { many: 'connections', title: 'Connections', column: 'Conn/s', failed: 'unanswered' }));
export const currency = computed(() => state.value?.price.currency ?? '$');

// What a screen reader says at its next pause.
export const announcement = signal('');
export const announce = (text: string): void => { announcement.value = text; };
