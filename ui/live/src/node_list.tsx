// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { healNode, killNode } from './actions';
import type { Node } from './contract';
import { plural, rate, zoneName } from './format';
import { byName } from './name_order';
import { nodeState } from './node_blocks';
import { address } from './route';
import { useSize } from './size';
import { counted, hasLab, isMeasured, mayChange, state } from './store';
import { VirtualRows } from './virtual_rows';

const text = signal('');
const kFilterFrom = 10;

export function filteredNodes(nodes: Node[], words: string): Node[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return nodes.filter((node) => wanted.every((word) => `${node.name} ${node.zone} ${nodeState(node)}`.toLowerCase().includes(word)))
    .sort((a, b) => byName(a.zone, b.zone) || byName(a.name, b.name));
}

export function PowerButton({ node }: { node: Node }) {
  if (!hasLab.value) return null;
  const disabled = !mayChange.value;
  return node.power
    ? <button type="button" class="danger kill" disabled={disabled} onClick={() => void killNode(node.name)}>Kill<span class="hidden"> {node.name}</span></button>
    : <button type="button" class="heal" disabled={disabled} onClick={() => void healNode(node.name)}>Heal<span class="hidden"> {node.name}</span></button>;
}

export function NodeList() {
  const { ref, em } = useSize<HTMLDivElement>();
  const { nodes, pods } = state.value!;
  const list = filteredNodes(nodes, text.value);
  const podsOf = new Map<string, { count: number; rate: number }>();
  for (const pod of pods) {
    const sum = podsOf.get(pod.node) ?? { count: 0, rate: 0 };
    podsOf.set(pod.node, { count: sum.count + 1, rate: sum.rate + (pod.requestsPerSecond ?? 0) });
  }
  const height = Math.round(2.9 * em);
  return (
    <div class="node-list" ref={ref}>
      {nodes.length >= kFilterFrom && (
        <div class="filters" role="search" aria-label="Filter nodes">
          <label class="grow"><span class="hidden">Filter by name, zone or state</span><input type="search" id="filter-nodes" placeholder="Filter by name, zone or state" autocomplete="off" spellcheck={false} value={text.value} onInput={(event) => { text.value = event.currentTarget.value; }} /></label>
          <p class="quiet" role="status">{list.length === nodes.length ? plural(list.length, 'node') : `${list.length} of ${plural(nodes.length, 'node')}`}</p>
        </div>
      )}
      {nodes.length === 0 ? <p class="empty">No node has joined yet.</p> : (
        <div class="node-table" role="table" aria-label="Nodes" aria-rowcount={list.length + 1}>
          <div role="rowgroup"><div class="node-row headings" role="row"><span role="columnheader">Node</span><span role="columnheader">Zone</span><span role="columnheader">State</span><span role="columnheader">Pods</span><span role="columnheader">{isMeasured.value ? counted.value.column : ''}</span><span role="columnheader"><span class="hidden">Power</span></span></div></div>
          <VirtualRows label="Nodes" items={list} rowHeight={height} mostRows={13} row={(node, index) => (
            <div key={node.name} class="node-row" role="row" aria-rowindex={index + 2} style={{ height: `${height}px` }}>
              <span role="rowheader"><a href={address({ view: 'node', node: node.name })}>{node.name}</a></span>
              <span role="cell">{zoneName(node.zone)}</span>
              <span role="cell" class={nodeState(node) === 'ready' ? 'quiet' : 'gone'}>{nodeState(node)}</span>
              <span role="cell">{podsOf.get(node.name)?.count ?? 0}</span>
              <span role="cell">{isMeasured.value ? rate(podsOf.get(node.name)?.rate ?? 0) : ''}</span>
              <span role="cell"><PowerButton node={node} /></span>
            </div>
          )} />
        </div>
      )}
    </div>
  );
}
