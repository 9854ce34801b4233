// SPDX-License-Identifier: Apache-2.0
// From which zone to which, plan against measured, as shares of what starts in a zone.
import type { Flow, Service } from './contract';
import { percent, zoneName } from './format';
import { counted } from './store';

export interface Cell { from: string; to: string; plan: number | null; measured: number | null }

function shareOfStart(flows: Flow[] | undefined, from: string, to: string): number | null {
  if (!flows) return null;
  const starting = flows.filter((flow) => flow.from === from);
  const total = starting.reduce((sum, { share }) => sum + share, 0);
  return total > 0 ? starting.filter((flow) => flow.to === to).reduce((sum, { share }) => sum + share, 0) / total : null;
}

// One line a zone; zones where nothing starts or arrives have a line all the same.
export function matrix(service: Service, zones: string[]): Cell[][] {
  return zones.map((from) => zones.map((to) => ({
    from, to, plan: shareOfStart(service.plan?.flows, from, to), measured: shareOfStart(service.measured?.flows, from, to),
  })));
}

function Share({ cell, measured }: { cell: Cell; measured: boolean }) {
  const kind = cell.from === cell.to ? 'stays' : 'leaves';
  const main = measured ? cell.measured : cell.plan;
  return (
    <td class={`share ${kind} ${main && main > 0.0005 ? '' : 'nothing'}`}>
      <span class="tint" style={{ opacity: String(Math.min(1, main ?? 0) * 0.42) }} />
      <b>{percent(main)}</b>{measured && <small>plan {percent(cell.plan)}</small>}
    </td>
  );
}

export function ZoneMatrix({ service, zones }: { service: Service; zones: string[] }) {
  const measured = !!service.measured;
  return (
    <section class="part" aria-labelledby="matrix-title">
      <h3 id="matrix-title">From zone to zone</h3>
      <p class="note">Of the {counted.value.many} that start in a zone, the share that each zone serves{measured ? ': measured, and planned below it' : ', as planned'}.</p>
      <div class="scroll" role="region" aria-labelledby="matrix-title" tabIndex={0}>
        <table class="figures matrix" id="matrix">
          <thead><tr><th scope="col">From ↓ to →</th>{zones.map((zone) => <th key={zone} scope="col">{zoneName(zone)}</th>)}</tr></thead>
          <tbody>
            {matrix(service, zones).map((row) => (
              <tr key={row[0]!.from}><th scope="row">{zoneName(row[0]!.from)}</th>{row.map((cell) => <Share key={cell.to} cell={cell} measured={measured} />)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
