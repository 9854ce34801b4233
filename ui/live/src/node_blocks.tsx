// SPDX-License-Identifier: Apache-2.0
// The nodes of a zone on the map: a line each with their pods, or cells where there are many.
import type { Node, Pod } from './contract';
import type { ZoneBox } from './flow_layout';
import type { ZoneContents } from './flow_map';
import { load, plural } from './format';
import { address } from './route';

interface Props { zone: ZoneBox; contents: ZoneContents | undefined; loads: Map<string, number>; em: number; most: number; cells: number }

export function nodeState({ power, ready, cordoned }: Pick<Node, 'power' | 'ready' | 'cordoned'>): string {
  if (!power) return 'no power';
  if (!ready) return 'not ready';
  return cordoned ? 'cordoned' : 'ready';
}

const podName = (pod: Pod): string => `${pod.namespace}/${pod.name}`;
const podState = (pod: Pod): string => (pod.terminating ? 'terminating' : pod.ready ? 'ready' : 'not ready');

// A tube with a line at the fair share; what is above the line is overload. Twice the fair share
// and more fill it.
function PodTube({ pod, x, y, width, height, value }: { pod: Pod; x: number; y: number; width: number; height: number; value: number | undefined }) {
  const fill = Math.min(value ?? 0, 1) * height / 2;
  const excess = Math.min(Math.max((value ?? 0) - 1, 0), 1) * height / 2;
  const bottom = y + height;
  return (
    <g class={`pod ${podState(pod).replace(' ', '-')}`}>
      <title>{`${podName(pod)}: ${podState(pod)}${value === undefined ? '' : `, load ${load(value)}`}`}</title>
      <rect class="pod-frame" x={x} y={y} width={width} height={height} rx="2" />
      {fill > 0 && <rect class="pod-fill" x={x} y={bottom - fill} width={width} height={fill} />}
      {excess > 0.4 && <rect class="pod-excess" x={x} y={bottom - fill - excess} width={width} height={excess} />}
      <line class="pod-fair" x1={x} x2={x + width} y1={y + height / 2} y2={y + height / 2} />
    </g>
  );
}

function NodeLine({ node, pods, loads, em, x, y, width }: { node: Node; pods: Pod[]; loads: Map<string, number>; em: number; x: number; y: number; width: number }) {
  const state = nodeState(node);
  const nameEms = width > 11 * em ? 5 : 3.6;
  const letters = Math.floor(nameEms / 0.52);
  const name = node.name.length > letters ? `${node.name.slice(0, letters - 1)}…` : node.name;
  const tube = 0.72 * em;
  const step = tube + 0.22 * em;
  const room = Math.max(0, Math.floor((width - (nameEms + 0.6) * em) / step));
  const shown = pods.length <= room ? pods : pods.slice(0, Math.max(0, room - 2));
  return (
    <a class={`node ${state.replace(' ', '-')}`} href={address({ view: 'node', node: node.name })} data-node={node.name}
      aria-label={`Node ${node.name}, ${state}, ${plural(pods.length, 'pod')}`}>
      <title>{`${node.name}: ${state}, ${plural(pods.length, 'pod')}`}</title>
      <rect class="node-box" x={x} y={y} width={width} height={2 * em} rx={0.35 * em} />
      <text class="node-name" x={x + 0.5 * em} y={y + 1.32 * em}>{name}</text>
      {state === 'ready' || shown.length > 0 ? null : <text class="node-state" x={x + width - 0.5 * em} y={y + 1.32 * em} text-anchor="end">{state}</text>}
      {shown.map((pod, index) => (
        <PodTube key={podName(pod)} pod={pod} x={x + width - 0.45 * em - tube - index * step} y={y + 0.35 * em} width={tube} height={1.3 * em} value={loads.get(podName(pod))} />
      ))}
      {shown.length < pods.length && <text class="node-state" x={x + width - 0.5 * em - shown.length * step} y={y + 1.32 * em} text-anchor="end">+{pods.length - shown.length}</text>}
    </a>
  );
}

function NodeCells({ zone, contents, em, cells }: { zone: ZoneBox; contents: ZoneContents; em: number; cells: number }) {
  const { nodes, pods } = contents;
  const { x, y, width } = zone.nodes;
  const step = width / cells;
  const count = [...pods.values()].reduce((sum, list) => sum + list.length, 0);
  const down = nodes.filter((node) => nodeState(node) !== 'ready').length;
  return (
    <a class="node-cells" href={address({ view: 'nodes' })} aria-label={`${zone.name}: ${plural(nodes.length, 'node')}, ${plural(count, 'pod')}, ${down} not ready`}>
      <text class="zone-fact" x={x} y={y + 1.1 * em}>{plural(nodes.length, 'node')}{width > 9.5 * em && `, ${plural(count, 'pod')}`}</text>
      {nodes.map((node, index) => {
        const state = nodeState(node);
        const own = pods.get(node.name)?.length ?? 0;
        return (
          <rect key={node.name} class={`cell ${state.replace(' ', '-')} ${own ? 'used' : ''}`} x={x + (index % cells) * step} y={y + 1.9 * em + Math.floor(index / cells) * 1.25 * em} width={step - 2.5} height={1.05 * em} rx="2">
            <title>{`${node.name}: ${state}, ${plural(own, 'pod')}`}</title>
          </rect>
        );
      })}
    </a>
  );
}

export function NodeBlocks({ zone, contents, loads, em, most, cells }: Props) {
  if (!contents || contents.nodes.length === 0) return null;
  if (contents.nodes.length > most) return <NodeCells zone={zone} contents={contents} em={em} cells={cells} />;
  return (
    <g>
      {contents.nodes.map((node, index) => (
        <NodeLine key={node.name} node={node} pods={contents.pods.get(node.name) ?? []} loads={loads} em={em} x={zone.nodes.x} y={zone.nodes.y + index * 2.3 * em} width={zone.nodes.width} />
      ))}
    </g>
  );
}
