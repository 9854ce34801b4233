// SPDX-License-Identifier: Apache-2.0
import { connection, state } from './store';

export function TopBar() {
  return (
    <header class="top">
      <p class="brand">Proxima <span class="quiet">live</span></p>
      <p class="quiet">{state.value ? `${state.value.mode} ${state.value.version}` : ''} {connection.value}</p>
    </header>
  );
}
