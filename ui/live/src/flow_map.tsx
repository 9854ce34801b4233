// SPDX-License-Identifier: Apache-2.0
// The picture in the middle of the page: zones, their nodes and pods, and what flows between them.
import { signal } from '@preact/signals';
import type { Node, Pod, State } from './contract';
import { flowLayout, type Layout, type Link, type ZoneBox } from './flow_layout';
import { FlowTable } from './flow_table';
import { percent, plural, rate, zoneName } from './format';
import { NodeBlocks } from './node_blocks';
import { podLoads } from './pod_loads';
import { selectedService } from './route';
import { useSize } from './size';
import { counted, isMeasured, state } from './store';
import { Switch } from './switch';
import { type Unit, type View, localShare, zoneFlows, type ZoneFlow, type ZoneFlows, zoneNames } from './zone_flows';

const chosenView = signal<View>('measured');
export const mapView = (): View => (isMeasured.value ? chosenView.value : 'plan');

// From this many nodes on, a zone shows its nodes as small cells without names.
const kMaxNodeRows = 5;
const kCellsPerRow = 12;

export const figure = (value: number, unit: Unit): string => (unit === 'rate' ? rate(value) : percent(value));

const totalsBy = (flows: ZoneFlow[], side: 'from' | 'to'): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const flow of flows) sums.set(flow[side], (sums.get(flow[side]) ?? 0) + flow.value);
  return sums;
};

export interface ZoneContents { nodes: Node[]; pods: Map<string, Pod[]> }

function contents(now: State, service: string | null): Map<string, ZoneContents> {
  const zones = new Map<string, ZoneContents>();
  const of = (zone: string) => zones.get(zone) ?? zones.set(zone, { nodes: [], pods: new Map() }).get(zone)!;
  for (const node of now.nodes) of(node.zone).nodes.push(node);
  const zoneOf = new Map(now.nodes.map((node) => [node.name, node.zone]));
  for (const pod of now.pods) {
    // Pods behind no service, such as the lab's clients, take no requests.
    if (service === null ? pod.services.length === 0 : !pod.services.includes(service)) continue;
    const { pods } = of(zoneOf.get(pod.node) ?? pod.zone);
    const list = pods.get(pod.node);
    if (list) list.push(pod);
    else pods.set(pod.node, [pod]);
  }
  return zones;
}

const rowsOf = (nodes: number): number => (nodes <= kMaxNodeRows ? Math.max(nodes, 1) : 1 + Math.ceil(nodes / kCellsPerRow) * 0.55);

function Band({ link, unit }: { link: Link; unit: Unit }) {
  const kind = link.local ? 'stays' : 'leaves';
  return (
    <g class={`band ${kind}`}>
      <title>{`${zoneName(link.from)} → ${zoneName(link.to)}: ${figure(link.value, unit)}${unit === 'rate' ? ` ${counted.value.many} a second` : ''}`}</title>
      <path class="body" d={link.path} stroke-width={link.width.toFixed(1)} />
      <path class="dashes" d={link.path} stroke-width={Math.max(1, Math.min(2.5, link.width / 3)).toFixed(1)} />
    </g>
  );
}

function ZonePanel({ zone, failed, starts, em }: { zone: ZoneBox; failed: boolean; starts: string; em: number }) {
  const { box, title } = zone;
  return (
    <g class={failed ? 'zone failed' : 'zone'}>
      <rect class="panel" x={box.x + 0.5} y={box.y + 0.5} width={Math.max(0, box.width - 1)} height={box.height - 1} rx={0.6 * em} />
      {failed && <rect class="hatched" x={box.x + 0.5} y={box.y + 0.5} width={Math.max(0, box.width - 1)} height={box.height - 1} rx={0.6 * em} fill="url(#hatch)" />}
      <text class="zone-name" x={title.x} y={title.y}>{zoneName(zone.name)}{failed && <tspan class="gone" dx={0.5 * em}>failed</tspan>}</text>
      <text class="zone-fact" x={title.x} y={title.y + 1.3 * em}>{starts}</text>
    </g>
  );
}

function Drawing({ layout, flows, now, service, em }: { layout: Layout; flows: ZoneFlows; now: State; service: string | null; em: number }) {
  const inside = contents(now, service);
  const loads = podLoads(now, service, mapView());
  const starting = totalsBy(flows.flows, 'from');
  const arriving = totalsBy(flows.flows, 'to');
  const failed = new Set(now.zones.filter((zone) => zone.failed).map(({ name }) => name));
  const words = (value: number | undefined, what: string) => (flows.total > 0
    ? `${figure(value ?? 0, flows.unit)}${flows.unit === 'rate' ? '/s' : ''} ${what}` : '');
  return (
    <svg class="flow-map" width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`} role="group" aria-label="Map of zones, nodes and flows">
      <defs>
        <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-line" width="2" height="8" /></pattern>
      </defs>
      <g aria-hidden="true">
        {layout.zones.map((zone) => <ZonePanel key={zone.name} zone={zone} em={em} failed={failed.has(zone.name)} starts={words(starting.get(zone.name), 'start here')} />)}
        {[...layout.links].sort((a, b) => Number(b.local) - Number(a.local)).map((link) => <Band key={`${link.from} ${link.to}`} link={link} unit={flows.unit} />)}
        {layout.zones.flatMap(({ name, start, end }) => [
          <rect key={`${name} start`} class="bar" x={start.x} y={start.y} width={Math.max(start.width, 0)} height={Math.max(start.height, 0)} />,
          <rect key={`${name} end`} class="bar" x={end.x} y={end.y} width={Math.max(end.width, 0)} height={Math.max(end.height, 0)} />,
        ])}
        {layout.upright && layout.zones.map((zone) => (
          <text key={zone.name} class="zone-fact" text-anchor="middle" x={zone.box.x + zone.box.width / 2} y={zone.end.y + 1.5 * em}>{words(arriving.get(zone.name), 'served here')}</text>
        ))}
        {layout.links.filter(({ label }) => label.shown).map((link) => (
          <text key={`${link.from} ${link.to}`} class={`flow-label ${link.local ? 'stays' : 'leaves'}`} x={link.label.x} y={link.label.y + 0.32 * em} text-anchor="middle">{figure(link.value, flows.unit)}</text>
        ))}
      </g>
      {layout.zones.map((zone) => (
        <NodeBlocks key={zone.name} zone={zone} contents={inside.get(zone.name)} loads={loads} em={em} most={kMaxNodeRows} cells={kCellsPerRow} />
      ))}
    </svg>
  );
}

function Legend({ unit }: { unit: Unit }) {
  return (
    <ul class="legend" aria-hidden="true">
      <li><span class="key stays" />stays in its zone</li>
      <li><span class="key leaves" />leaves its zone: costs money</li>
      <li><svg width="14" height="18" viewBox="0 0 14 18"><rect class="pod-frame" x="1" y="1" width="12" height="16" rx="2" /><rect class="pod-fill" x="1" y="9" width="12" height="8" /><rect class="pod-excess" x="1" y="5" width="12" height="4" /><line class="pod-fair" x1="1" x2="13" y1="9" y2="9" /></svg>a pod: line = fair share, above = overload</li>
      <li>width and figures: {unit === 'rate' ? `${counted.value.many} a second` : 'share of traffic'}</li>
    </ul>
  );
}

// Who measured; of a cluster also who did not, and why.
function measuredBy({ asked, windowSeconds }: State): string {
  if (!asked) return `As clients saw it in the last ${windowSeconds} s.`;
  const some = asked.answered < asked.nodes ? ` on ${asked.answered} of ${plural(asked.nodes, 'node')}` : '';
  return `As node proxies${some} counted connections in the last ${windowSeconds} s.${asked.problem ? ` Not counted: ${asked.problem}.` : ''}`;
}

export function FlowMap() {
  const { ref, width, em } = useSize<HTMLDivElement>();
  const now = state.value!;
  const service = selectedService();
  const view = mapView();
  const flows = zoneFlows(now, service, view);
  const names = zoneNames(now);
  const nodes = new Map<string, number>();
  for (const { zone } of now.nodes) nodes.set(zone, (nodes.get(zone) ?? 0) + 1);
  const zones = names.map((name) => ({ name, nodes: nodes.get(name) ?? 0, rows: rowsOf(nodes.get(name) ?? 0) }));
  const most = Math.max(0, ...totalsBy(flows.flows, 'from').values(), ...totalsBy(flows.flows, 'to').values());
  const layout = width > 0 ? flowLayout({ width, em, zones, flows: flows.flows, most }) : null;
  const local = localShare(flows);
  return (
    <section class="card map" aria-labelledby="map-title">
      <div class="head">
        <div>
          <h2 id="map-title">{service ? `Traffic of ${service}` : 'Traffic between zones'}</h2>
          <p class="note">
            {view === 'measured' ? measuredBy(now) : 'As planned.'}
            {local !== null && <> <b class="stays">{percent(local)}</b> stays in its zone, <b class="leaves">{percent(1 - local)}</b> leaves it.</>}
            {service && <> <a class="nowrap" href="#/">Show all services</a></>}
          </p>
        </div>
        {isMeasured.value && <Switch label="Flows shown" value={view} options={[['measured', 'Measured'], ['plan', 'Planned']]} onChange={(value) => { chosenView.value = value; }} />}
      </div>
      <div class="scroll drawing" ref={ref}>
        {names.length === 0 ? <p class="empty">No node has joined yet, so there is no zone to show.</p>
          : layout && <Drawing layout={layout} flows={flows} now={now} service={service} em={em} />}
      </div>
      {names.length > 0 && <Legend unit={flows.unit} />}
      {names.length > 0 && <FlowTable flows={flows} />}
      <p class="hidden">{plural(names.length, 'zone')}, {plural(now.nodes.length, 'node')}, {plural(now.pods.length, 'pod')}.</p>
    </section>
  );
}
