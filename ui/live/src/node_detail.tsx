// SPDX-License-Identifier: Apache-2.0
// A node: its pods, and the routes that its proxy put into the kernel, with the reason of each.
import { useState } from 'preact/hooks';
import { get } from './api';
import type { Node, RoutePort, Routes } from './contract';
import { useFetched } from './fetched';
import { percent, plural, rate, sentence, zoneName } from './format';
import { nodeState } from './node_blocks';
import { PowerButton } from './node_list';
import { address } from './route';
import { counted, isMeasured, state } from './store';

const kMostPorts = 50;

function Port({ port, open }: { port: RoutePort; open: boolean }) {
  return (
    <details class="route" open={open} data-service={`${port.namespace}/${port.service}`}>
      <summary><b>{port.namespace}/{port.service}</b> <span class="quiet">{port.port && `${port.port}/`}{port.protocol}, {plural(port.cluster.length, 'endpoint')}</span><span class="route-reason">{sentence(port.reason.sentence)}</span></summary>
      <p class="quiet"><code>{port.reason.code}</code>{port.reason.remedy && <> {sentence(port.reason.remedy)}</>}</p>
      {port.localReason && <p class="quiet">Traffic policy Local: {port.localReason.sentence}. <code>{port.localReason.code}</code></p>}
      <ul class="frontends">{port.frontends.map((front) => <li key={front.at}><code>{front.at}</code> <span class="quiet">{front.kind}{front.takenBy ? `, taken by ${front.takenBy}` : `, from pods: ${front.fromPods}`}</span></li>)}</ul>
      {port.cluster.length > 0 && <div class="scroll">
        <table class="figures">
          <thead><tr><th scope="col">Endpoint</th><th scope="col" class="text">Zone</th><th scope="col">Share</th></tr></thead>
          <tbody>{port.cluster.map((backend) => (
            <tr key={backend.endpoint}><th scope="row"><code>{backend.endpoint}</code></th><td class="text">{zoneName(backend.zone ?? '')}{backend.local && <span class="stays"> on this node</span>}</td><td>{percent(backend.permille / 1000)}</td></tr>
          ))}</tbody>
        </table>
      </div>}
    </details>
  );
}

function RouteTable({ node }: { node: Node }) {
  const [asked, setAsked] = useState(0);
  const [words, setWords] = useState('');
  const services = state.value!.services.map(({ plan }) => plan?.local ?? 0).reduce((sum, local) => sum + local, 0);
  const question = JSON.stringify([node.name, node.power, node.ready, asked, services.toFixed(3)]);
  const isSimulated = state.value!.mode === 'simulator';
  const { value, error } = useFetched(() => get<Routes>(`/api/nodes/${encodeURIComponent(node.name)}/routes`), isSimulated ? null : question, 300);
  const families = value?.families?.filter(({ ports }) => ports.length > 0) ?? [];
  const wanted = (port: RoutePort) => `${port.namespace}/${port.service}`.toLowerCase().includes(words.toLowerCase());
  const many = families.some(({ ports }) => ports.length > 8);
  return (
    <section class="part" aria-labelledby="routes-title" id="routes">
      <div class="part-head"><h3 id="routes-title">Routes</h3>{!isSimulated && <button type="button" id="routes-again" onClick={() => setAsked(asked + 1)}>Read again</button>}</div>
      {isSimulated && <p class="empty">A simulator has no machines: no proxy runs on this node, and no kernel has rules. Where network namespaces can be made, as root or in a user namespace, <code>proxima up</code> has both.</p>}
      {error && <p class="reason refused" role="status">No routes: {error}.</p>}
      {value && families.length === 0 && <p class="empty">The node's proxy routes nothing.</p>}
      {many && <label><span class="hidden">Filter routes by service</span><input type="search" placeholder="Filter by service" value={words} onInput={(event) => setWords(event.currentTarget.value)} /></label>}
      {families.map(({ family, ports }) => {
        const list = ports.filter(wanted);
        return (
          <div key={family}>
            <h4>{family}{list.length > kMostPorts && ` (the first ${kMostPorts} of ${list.length})`}</h4>
            {list.slice(0, kMostPorts).map((port) => <Port key={`${port.namespace}/${port.service}/${port.port}/${port.protocol}`} port={port} open={!many} />)}
          </div>
        );
      })}
    </section>
  );
}

export function NodeDetail({ name }: { name: string }) {
  const now = state.value!;
  const node = now.nodes.find((one) => one.name === name);
  if (!node) return <p class="empty">There is no node {name} (any more). <a href="#/nodes">All nodes</a></p>;
  const pods = now.pods.filter((pod) => pod.node === name);
  const status = nodeState(node);
  return (
    <div class="detail">
      <p class="back"><a href="#/nodes">← All nodes</a></p>
      <div class="part-head"><h2 tabIndex={-1} id="detail-title">{name}</h2><PowerButton node={node} /></div>
      <p class="facts"><span class={`chip ${status === 'ready' ? '' : 'bad'}`}>{status}</span><span class="quiet">{zoneName(node.zone)}{node.address && `, ${node.address}`}</span></p>
      {node.status && <p class="quiet">Its proxy tells more at <code>{node.status}</code></p>}
      <section class="part" aria-labelledby="pods-title">
        <h3 id="pods-title">Pods</h3>
        {pods.length === 0 ? <p class="empty">No pod runs here.</p> : (
          <table class="figures">
            <thead><tr><th scope="col">Pod</th><th scope="col" class="text">Service</th><th scope="col">State</th>{isMeasured.value && <th scope="col">{counted.value.column}</th>}</tr></thead>
            <tbody>{pods.map((pod) => (
              <tr key={`${pod.namespace}/${pod.name}`}>
                <th scope="row">{pod.namespace}/{pod.name}</th>
                <td class="text">{pod.services.length === 0 && <span class="quiet">none</span>}{pod.services.map((service) => <a key={service} href={address({ view: 'service', service })}>{service}</a>)}</td>
                <td class={pod.ready ? '' : 'gone'}>{pod.terminating ? 'terminating' : pod.ready ? 'ready' : 'not ready'}</td>
                {isMeasured.value && <td>{pod.services.length ? rate(pod.requestsPerSecond) : ''}</td>}
              </tr>
            ))}</tbody>
          </table>
        )}
      </section>
      <RouteTable key={name} node={node} />
    </div>
  );
}
