// SPDX-License-Identifier: Apache-2.0
import { Banners, Toast } from './banner';
import { EventLog } from './event_log';
import { FlowMap } from './flow_map';
import { Headline } from './headline';
import { HistoryCard } from './history_card';
import { LabControls } from './lab_controls';
import { route } from './route';
import { Side } from './side';
import { announcement, connection, hasLab, state } from './store';
import { TopBar } from './top_bar';

// Details are long, so the log moves to the shorter column then.
function Live() {
  const detailed = 'service' in route.value || 'node' in route.value;
  return (
    <>
      <Headline />
      <div class="columns">
        <FlowMap />
        <div class="right">
          <Side />
          {!detailed && <EventLog />}
        </div>
        {hasLab.value && <LabControls />}
        <HistoryCard />
        {detailed && <EventLog />}
      </div>
    </>
  );
}

function Waiting() {
  return connection.value === 'connecting' ? <p class="card" role="status">Waiting for the program's first word…</p> : null;
}

export function Page() {
  const now = state.value;
  return (
    <>
      <a class="skip" href="#side" onClick={(event) => { event.preventDefault(); document.getElementById('side')?.focus(); }}>Skip to the services</a>
      <TopBar />
      <main class={`wrap ${connection.value === 'lost' && now ? 'stale' : ''}`} {...(now ? { 'data-ready': 'true' } : {})}>
        <Banners />
        {now ? <Live /> : <Waiting />}
      </main>
      {now && <footer class="wrap foot quiet">Costs are those of traffic between zones at {now.price.currency}{now.price.perGb} a gigabyte; a month has 730 hours. The same figures: <code>proxima explain</code>, <code>/api/state</code>.</footer>}
      <Toast />
      <p class="hidden" role="status" aria-live="polite">{announcement.value}</p>
    </>
  );
}
