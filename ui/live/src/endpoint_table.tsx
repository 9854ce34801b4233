// SPDX-License-Identifier: Apache-2.0
import type { Measured, Service } from './contract';
import { load, rate, zoneName } from './format';
import { LoadGauge } from './gauge';
import { byName } from './name_order';
import { address } from './route';
import { counted } from './store';

export interface EndpointLine { pod: string; zone: string; node: string; plan: number | null; measured: number | null; rate: number | null }

// Planned and measured endpoints side by side: one may be in only one of the two for a while.
export function endpointLines({ plan, measured }: Service): EndpointLine[] {
  const lines = new Map<string, EndpointLine>();
  for (const { pod, address: ip, zone, node, load: value } of plan?.endpoints ?? []) {
    lines.set(pod || ip, { pod: pod || ip, zone, node, plan: value, measured: null, rate: null });
  }
  for (const { pod: name, address: ip, zone, node, load: value, requestsPerSecond } of measured?.endpoints ?? []) {
    const pod = name || ip || node;
    const line = lines.get(pod) ?? { pod, zone, node, plan: null, measured: null, rate: null };
    lines.set(pod, { ...line, measured: value, rate: requestsPerSecond });
  }
  return [...lines.values()].sort((a, b) => byName(a.zone, b.zone) || byName(a.pod, b.pod));
}

const kMostShown = 200;

const loadNote = ({ worstOverload, loadSeconds }: Measured): string => (worstOverload === null
  ? ` Measured loads come when there were enough ${counted.value.many} since the shares, the plan or the clients changed.`
  : ` Measured loads are those of the last ${loadSeconds} s.`);

export function EndpointTable({ service }: { service: Service }) {
  const lines = endpointLines(service);
  const measured = !!service.measured;
  return (
    <section class="part" aria-labelledby="endpoints-title">
      <h3 id="endpoints-title">Endpoints</h3>
      <p class="note">1.00× is the fair share of an endpoint; what is above it is overload.{service.measured && loadNote(service.measured)}{lines.length > kMostShown && ` The first ${kMostShown} of ${lines.length}.`}</p>
      {lines.length === 0 ? <p class="empty">No endpoint is ready.</p> : (
        <div class="scroll tall" role="region" aria-labelledby="endpoints-title" tabIndex={0}>
          <table class="figures endpoints" id="endpoints">
            <thead><tr><th scope="col">Pod</th><th scope="col" class="text">Zone, node</th><th scope="col">Plan</th>{measured && <><th scope="col">Measured</th><th scope="col">{counted.value.column}</th></>}<th scope="col" class="bar"><span class="hidden">Picture</span></th></tr></thead>
            <tbody>
              {lines.slice(0, kMostShown).map((line) => (
                <tr key={line.pod}>
                  <th scope="row">{line.pod.split('/').pop()}</th>
                  <td class="text">{zoneName(line.zone)}, <a href={address({ view: 'node', node: line.node })}>{line.node || 'no node'}</a></td>
                  <td>{load(line.plan)}</td>
                  {measured && <><td class={(line.measured ?? 0) > 1.005 ? 'leaves' : ''}>{load(line.measured)}</td><td>{rate(line.rate)}</td></>}
                  <td class="bar"><LoadGauge value={measured ? line.measured : line.plan} plan={measured ? line.plan : null} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
