// SPDX-License-Identifier: Apache-2.0
// Power of zones, their share of demand, and new nodes. Only where there is a lab.
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { addNode, failZone, healEverything, healZone, setDemand } from './actions';
import type { Zone } from './contract';
import { withShare } from './demand';
import { percent, plural } from './format';
import { mayChange, state } from './store';

// What is being dragged, until the program says the same.
const wanted = signal<Record<string, number> | null>(null);
const kSettleMilliseconds = 250;

// A program that says nothing about demand takes every zone to start the same.
const current = (zones: Zone[]): Record<string, number> =>
  Object.fromEntries(zones.map(({ name, demand }) => [name, demand ?? 1 / zones.length]));

function Slider({ zone, shares, onShare }: { zone: Zone; shares: Record<string, number>; onShare: (share: number) => void }) {
  const share = shares[zone.name] ?? 0;
  return (
    <label class="slider">
      <span class="hidden">Share of demand of {zone.name}</span>
      <input type="range" min="0" max="100" step="1" data-demand={zone.name} value={Math.round(share * 100)} aria-valuetext={percent(share)} disabled={!mayChange.value}
        onInput={(event) => onShare(Number(event.currentTarget.value) / 100)} />
      <output>{percent(Math.round(share * 100) / 100)}</output>
    </label>
  );
}

export function LabControls() {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const { zones, nodes, mode } = state.value!;
  const isSimulated = mode === 'simulator';
  const shares = wanted.value ?? current(zones);
  const drag = (zone: string, share: number) => {
    const next = withShare(shares, zone, share);
    wanted.value = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void setDemand(next).finally(() => { if (wanted.value === next) wanted.value = null; }), kSettleMilliseconds);
  };
  const down = zones.some(({ failed }) => failed) || nodes.some(({ power }) => !power);
  return (
    <section class="card lab" aria-labelledby="lab-title">
      <div class="head">
        <div>
          <h2 id="lab-title">Try it</h2>
          <p class="note">{isSimulated ? 'What has power. A simulator has no clients whose demand could be moved: the plan takes it from the CPU of the nodes.' : 'Where requests start, and what has power. The demand of all zones makes 100%.'}</p>
        </div>
        <button type="button" id="heal-all" disabled={!down || !mayChange.value} onClick={() => void healEverything()}>Heal everything</button>
      </div>
      <ul class="lab-zones">
        {zones.map((zone) => {
          const count = nodes.filter((node) => node.zone === zone.name).length;
          return (
            <li key={zone.name} data-zone={zone.name}>
              <span class="lab-name"><b>{zone.name}</b> {zone.failed ? <span class="gone">failed</span> : <span class="quiet">{plural(count, 'node')}</span>}</span>
              {!isSimulated && <Slider zone={zone} shares={shares} onShare={(share) => drag(zone.name, share)} />}
              <span class="lab-buttons">
                {zone.failed
                  ? <button type="button" class="heal" disabled={!mayChange.value} onClick={() => void healZone(zone.name)}>Heal<span class="hidden"> {zone.name}</span></button>
                  : <button type="button" class="danger fail" disabled={!mayChange.value} onClick={() => void failZone(zone.name)}>Fail<span class="hidden"> {zone.name}</span></button>}
                <button type="button" class="add" disabled={!mayChange.value} onClick={() => void addNode(zone.name)}>Add node<span class="hidden"> to {zone.name}</span></button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
