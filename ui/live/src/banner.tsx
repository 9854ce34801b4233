// SPDX-License-Identifier: Apache-2.0
// What a person must know before trusting the rest of the page.
import { useEffect } from 'preact/hooks';
import { outcome } from './actions';
import { clock } from './format';
import { connection, lostSince, state } from './store';

const kToastMilliseconds = 8000;

function Connection() {
  if (connection.value === 'refused') {
    return <div class="banner lost" role="alert"><b>The program does not accept this page's token.</b> Open the address that it printed when it started.</div>;
  }
  if (connection.value !== 'lost') return null;
  return (
    <div class="banner lost" role="alert">
      <b>{state.value ? 'Connection lost.' : 'The program does not answer.'}</b>{' '}
      {state.value && `What is shown is of ${clock(state.value.time)}. `}Trying again every 2 seconds{lostSince.value ? `, since ${clock(lostSince.value / 1000)}` : ''}.
    </div>
  );
}

// How the last action went: over the page, so that nothing under a person's hand moves. Screen
// readers have heard it.
export function Toast() {
  const last = outcome.value;
  useEffect(() => {
    if (!last || last.failed) return undefined;
    const timer = setTimeout(() => { if (outcome.value === last) outcome.value = null; }, kToastMilliseconds);
    return () => clearTimeout(timer);
  }, [last]);
  if (!last) return null;
  return <div class={`toast ${last.failed ? 'failed' : 'done'}`} id="outcome"><span>{last.text}</span><button type="button" class="plain" aria-label="Hide this message" onClick={() => { outcome.value = null; }}>×</button></div>;
}

export function Banners() {
  const waiting = state.value?.waitingFor;
  return (
    <div class="banners">
      <Connection />
      {waiting && <div class="banner" role="status"><span><b>Not everything is known yet.</b> Waiting for {waiting}.</span></div>}
    </div>
  );
}
