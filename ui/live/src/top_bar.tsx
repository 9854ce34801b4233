// SPDX-License-Identifier: Apache-2.0
import { clock } from './format';
import { connection, state } from './store';
import { Switch } from './switch';
import { large, theme } from './theme';

const modes = { lab: 'lab on this machine', simulator: 'simulator: traffic is predicted', cluster: 'cluster' };
const words = { connecting: 'connecting', live: 'live', lost: 'connection lost', refused: 'token refused' };

function Facts() {
  const now = state.value;
  if (!now) return null;
  return (
    <p class="facts">
      <span class="chip" id="mode">{modes[now.mode]}</span>
      {now.readOnly && <span class="chip" id="read-only">read-only</span>}
      <span class="quiet">version {now.version}</span>
    </p>
  );
}

export function TopBar() {
  return (
    <header class="top">
      <div class="wrap">
        <h1 class="brand">
          <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true"><circle cx="16" cy="16" r="12" fill="none" stroke="currentColor" stroke-width="3" /><circle cx="16" cy="16" r="4.5" fill="currentColor" /></svg>
          <span>Proxima <span class="quiet">live</span></span>
        </h1>
        <Facts />
        <p class={`link ${connection.value}`} id="connection"><span class="dot" aria-hidden="true" />{words[connection.value]}{state.value && <span class="quiet"> {clock(state.value.time)}</span>}</p>
        <div class="looks">
          <button type="button" id="large" aria-pressed={large.value} onClick={() => { large.value = !large.value; }}>Large type</button>
          <Switch label="Theme" value={theme.value} options={[['system', 'Auto'], ['light', 'Light'], ['dark', 'Dark']]} onChange={(value) => { theme.value = value; }} />
        </div>
      </div>
    </header>
  );
}
