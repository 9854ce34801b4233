// SPDX-License-Identifier: Apache-2.0
// Keeps the state up to date: server-sent events, opened again by the page itself when they end,
// because a browser gives up for good on some ends and is slow on others.
import { get, Refusal } from './api';
import type { History, State } from './contract';
import { appended } from './history_points';
import { announce, connection, history, lostSince, state } from './store';

const kRetryMilliseconds = 2000;
// Keep-alives are comments, which scripts do not see. After this long without a word we ask: it may
// be that nothing has changed, or that nobody is there.
const kSilenceMilliseconds = 20000;

let source: EventSource | null = null;
let silence: ReturnType<typeof setTimeout> | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

// Screen readers hear the latest warning; the log has them all.
function tellWarnings(before: State | null, next: State): void {
  const known = before?.events.reduce((latest, { time }) => Math.max(latest, time), 0) ?? Infinity;
  const warning = next.events.find(({ type, time }) => type === 'Warning' && time > known);
  if (warning) announce(`${warning.reason}, ${warning.object}: ${warning.message}`);
}

function accept(next: State): void {
  const before = connection.value;
  tellWarnings(state.value, next);
  state.value = next;
  if (history.value) history.value = appended(history.value, next);
  if (before !== 'live') {
    connection.value = 'live';
    lostSince.value = null;
    if (before === 'lost') announce('Connected again.');
  }
}

function lose(): void {
  source?.close();
  source = null;
  clearTimeout(silence);
  if (connection.value === 'live') announce('The connection to the program is lost. What is shown is old.');
  if (connection.value !== 'refused') {
    lostSince.value ??= Date.now();
    connection.value = 'lost';
  }
  clearTimeout(retry);
  retry = setTimeout(() => void connect(), kRetryMilliseconds);
}

function listen(): void {
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => get<State>('/api/state').then((now) => { heard(); accept(now); }, lose), kSilenceMilliseconds);
  };
  source = new EventSource('/api/stream');
  source.addEventListener('open', heard);
  source.addEventListener('state', (event) => {
    heard();
    accept(JSON.parse((event as MessageEvent<string>).data) as State);
  });
  source.addEventListener('error', lose);
  heard();
}

// State and history first: a page that shows something at once, and a clear word when the token is
// wrong, which an EventSource cannot tell from a lost connection.
export async function connect(): Promise<void> {
  try {
    const first = await get<State>('/api/state');
    history.value = await get<History>('/api/history').catch(() => null);
    accept(first);
    listen();
  } catch (error) {
    if (error instanceof Refusal && (error.status === 401 || error.status === 403)) connection.value = 'refused';
    lose();
  }
}
