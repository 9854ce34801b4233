// SPDX-License-Identifier: Apache-2.0
// Pods of a service by zone, in the lab.
import { useState } from 'preact/hooks';
import { scale } from './actions';
import type { Service } from './contract';
import { mayChange, state } from './store';

const kMostPods = 20;

export function ScaleForm({ service, zones }: { service: Service; zones: string[] }) {
  const [wanted, setWanted] = useState<Record<string, number>>({});
  const count = (zone: string) => state.value!.pods.filter((pod) => pod.zone === zone && !pod.terminating && pod.services.includes(service.service)).length;
  const changed = Object.fromEntries(Object.entries(wanted).filter(([zone, pods]) => pods !== count(zone)));
  const submit = async (event: Event) => {
    event.preventDefault();
    if (Object.keys(changed).length && await scale(service.service, changed)) setWanted({});
  };
  const set = (zone: string, text: string) => {
    const pods = Math.round(Number(text));
    if (text !== '' && Number.isFinite(pods)) setWanted({ ...wanted, [zone]: Math.max(0, Math.min(kMostPods, pods)) });
  };
  return (
    <section class="part" aria-labelledby="scale-title">
      <h3 id="scale-title">Pods by zone</h3>
      <form class="dial-row" onSubmit={(event) => void submit(event)}>
        {zones.filter(Boolean).map((zone) => (
          <label key={zone} class="count">{zone}<input type="number" min="0" max={kMostPods} step="1" data-scale={zone} disabled={!mayChange.value} value={wanted[zone] ?? count(zone)} onInput={(event) => set(zone, event.currentTarget.value)} /></label>
        ))}
        <button type="submit" id="scale" disabled={!mayChange.value || Object.keys(changed).length === 0}>Scale</button>
      </form>
    </section>
  );
}
