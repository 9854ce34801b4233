// SPDX-License-Identifier: Apache-2.0
import { Services } from './services';
import { TopBar } from './top_bar';
import { announcement, state } from './store';

export function Page() {
  return (
    <>
      <a class="skip" href="#side">Skip to the services</a>
      <TopBar />
      <main class="wrap">
        {state.value ? <Services /> : <p class="card">Waiting for the first state…</p>}
      </main>
      <p class="hidden" role="status" aria-live="polite">{announcement.value}</p>
    </>
  );
}
