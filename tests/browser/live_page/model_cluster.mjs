// SPDX-License-Identifier: Apache-2.0
// A cluster that acts as the program would towards the page: it has a state document, and every
// action of the contract changes it.
import { plan } from './model_plan.mjs';

const kHistoryLength = 300;  // states; the lab begins with 240 of them

const sum = (values) => values.reduce((a, b) => a + b, 0);

// The same figures every time.
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const kLab = {
  mode: 'lab', readOnly: false, zones: 3, nodesPerZone: 2, rate: 60,
  services: [['shop', 'even', [2, 2, 2], 'auto'], ['shop', 'lopsided', [2, 1, 1], 'auto'], ['shop', 'single', [3, 0, 0], 'prefer-same-zone']],
};

export function manyServices() {
  const words = ['cart', 'checkout', 'search', 'users', 'orders', 'mail', 'stock', 'price', 'media', 'audit'];
  const policies = ['auto', 'balanced', 'prefer-same-zone', 'cluster-wide'];
  const random = dice(7);
  const services = [];
  for (let i = 0; i < 1000; ++i) {
    const counts = [0, 1, 2, 3, 4].map(() => Math.floor(random() * 3));
    services.push([`team-${String(i % 40).padStart(2, '0')}`, `${words[i % 10]}-${i}`, counts, policies[i % 4]]);
  }
  return { mode: 'cluster', readOnly: true, zones: 5, nodesPerZone: 40, rate: 0, services };
}
export const kCluster = { ...kLab, mode: 'cluster', readOnly: true, rate: 0 };
// A cluster with kube-proxy, and one whose node proxies are Proxima's, all but one.
export const kUncounted = { ...kCluster, asked: { nodes: 6, asked: 6, answered: 0, problem: 'the proxy of node-1 at http://192.168.1.2:10249 has no /debug/flows' } };
export const kCounted = { ...kCluster, rate: 60, asked: { nodes: 6, asked: 6, answered: 5, problem: 'the proxy of node-6 at http://192.168.6.2:10249: connect: timed out' } };
// A lab whose traffic is predicted, not sent.
export const kSimulator = { ...kLab, mode: 'simulator', rate: 0 };
export const kEmpty = { mode: 'cluster', readOnly: true, zones: 0, nodesPerZone: 0, rate: 0, services: [] };

export class Cluster {
  constructor(shape = kLab, now = 1700000000) {
    Object.assign(this, { shape, time: now, revision: 0, random: dice(3), events: [], pods: [], nodes: [], services: [], history: [] });
    this.zones = Array.from({ length: shape.zones }, (_, i) => ({
      name: `zone-${String.fromCharCode(97 + i)}`, failed: false, demand: 1 / shape.zones,
    }));
    for (let n = 0; n < shape.nodesPerZone; ++n) for (const zone of this.zones) this.#newNode(zone.name);
    for (const [namespace, name, counts, policy] of shape.services) {
      const service = { service: `${namespace}/${name}`, namespace, name, policy, overload: policy === 'balanced' ? 0.2 : null, next: 1 };
      this.services.push(service);
      counts.forEach((count, zone) => this.#scale(service, this.zones[zone].name, count));
      this.#event('Normal', 'TopologyAwareHintsEnabled', service, 'Topology Aware Hints has been enabled, addressType: IPv4');
    }
  }

  #newNode(zone) {
    const number = this.nodes.length + 1;
    this.nodes.push({ name: `node-${number}`, zone, ready: true, cordoned: false, power: true, address: `192.168.${number}.2`, status: `http://127.0.0.1:${41000 + number}` });
  }

  #scale(service, zone, count) {
    const mine = this.pods.filter((pod) => pod.services.includes(service.service) && pod.zone === zone);
    for (const pod of mine.slice(count)) this.pods.splice(this.pods.indexOf(pod), 1);
    const nodes = this.nodes.filter((node) => node.zone === zone && node.power);
    for (let i = mine.length; i < count && nodes.length; ++i) {
      const node = nodes[(i + this.services.length) % nodes.length];
      this.pods.push({ namespace: service.namespace, name: `${service.name}-${service.next}`, node: node.name, zone, address: `10.180.${this.nodes.indexOf(node) + 1}.${10 + this.pods.length % 240}`, ready: true, terminating: false, services: [service.service] });
      service.next += 1;
    }
  }

  #event(type, reason, service, message) {
    this.events.unshift({ time: this.time, type, reason, object: service ? `Service ${service.service}` : 'Node', message });
    this.events.length = Math.min(this.events.length, 200);
  }

  #planOf(service, policy = service.policy, theta = service.overload) {
    const up = this.zones.filter((zone) => !zone.failed);
    const total = sum(up.map((zone) => zone.demand)) || 1;
    const demand = this.zones.map((zone) => (zone.failed ? 0 : zone.demand / total));
    const ready = this.pods.filter((pod) => pod.services.includes(service.service) && this.#isUp(pod.node));
    return plan(this.zones.map((zone) => zone.name), demand, ready, policy, theta);
  }
  // One of the services is dual-stack.
  #secondFamily({ service }, planned) {
    if (service !== 'shop/even') return {};
    const endpoints = planned.endpoints.map((endpoint, i) => ({ ...endpoint, address: `fd00:10:180:1::${i + 10}` }));
    return { clusterIPs: ['172.30.0.1', 'fd00:172:30::1'], otherFamilies: [{ family: 'IPv6', endpoints: endpoints.length, plan: { ...planned, endpoints } }] };
  }
  #isUp(name) { return this.nodes.find((node) => node.name === name)?.power ?? false; }

  #measured(planned) {
    const rate = this.shape.rate / this.services.length;
    const near = (value) => value * (0.94 + 0.12 * this.random());
    const flows = planned.flows.map((flow) => ({ ...flow, requestsPerSecond: near(flow.share * rate) }));
    const total = sum(flows.map((flow) => flow.requestsPerSecond)) || 1;
    for (const flow of flows) flow.share = flow.requestsPerSecond / total;
    const endpoints = planned.endpoints.map(({ pod, zone, node, load }) => {
      const seen = near(load);
      return { pod, zone, node, load: seen, requestsPerSecond: (seen * rate) / planned.endpoints.length };
    });
    const worstOverload = this.measuring ? null : Math.max(0, ...endpoints.map((endpoint) => endpoint.load - 1));
    if (this.measuring) for (const endpoint of endpoints) endpoint.load = null;
    return {
      local: sum(flows.filter((flow) => flow.from === flow.to).map((flow) => flow.share)),
      worstOverload, overloadMargin: 0.06, loadSeconds: this.measuring ? 3 : 47,
      requestsPerSecond: rate, retried: 0, failed: 0, flows, endpoints,
    };
  }

  tick() {
    this.time += 1;
    this.revision += 1;
    const state = this.state();
    this.history.push({ time: this.time, state });
    if (this.history.length > kHistoryLength) this.history.shift();
    return state;
  }

  state() {
    const counted = this.shape.rate > 0;
    const gigabytes = 310;
    const services = this.services.map((service) => {
      const planned = this.#planOf(service);
      const measured = counted ? this.#measured(planned) : null;
      const local = measured ? measured.local : planned.local;
      return {
        service: service.service, namespace: service.namespace, name: service.name, clusterIP: `172.30.0.${this.services.indexOf(service) % 250 + 1}`,
        policy: service.policy, overload: service.overload, endpoints: planned.endpoints.length, plan: planned, measured,
        annotated: true, family: 'IPv4', ...this.#secondFamily(service, planned),
        cost: !counted ? null : { perMonth: gigabytes * (1 - local) * 0.02, clusterWidePerMonth: gigabytes * 0.02 * (1 - 1 / Math.max(1, this.zones.length)), gigabytesPerMonth: gigabytes },
      };
    });
    const shown = services.map((service) => service.measured ?? service.plan);
    const rateOf = (name) => sum(services.flatMap((service) => service.measured?.endpoints ?? []).filter((endpoint) => endpoint.pod === name).map((endpoint) => endpoint.requestsPerSecond));
    return {
      version: '0.6.0', mode: this.shape.mode, readOnly: this.shape.readOnly, time: this.time, revision: this.revision, windowSeconds: this.shape.asked ? 60 : 5, asked: this.shape.asked ?? null,
      price: { currency: '$', perGb: 0.02 },
      zones: this.zones.map((zone) => ({ ...zone, demand: this.shape.mode === 'lab' ? zone.demand : null, requestsPerSecond: counted ? sum(services.flatMap((service) => service.measured.flows).filter((flow) => flow.from === zone.name).map((flow) => flow.requestsPerSecond)) : null })),
      nodes: this.nodes,
      pods: this.pods.map((pod) => ({ ...pod, ready: this.#isUp(pod.node), requestsPerSecond: counted ? rateOf(`${pod.namespace}/${pod.name}`) : null })),
      services,
      totals: {
        local: counted ? sum(shown.map((one) => one.local)) / shown.length : null,
        worstOverload: counted && !this.measuring ? Math.max(...shown.map((one) => one.worstOverload)) : null,
        measuring: counted ? (this.measuring ? shown.length : 0) : null,
        requestsPerSecond: counted ? this.shape.rate : null, retried: counted ? (this.zones.some((zone) => zone.failed) ? 4 : 0) : null, failed: counted ? 0 : null, failedEver: counted ? 0 : null,
        costPerMonth: counted ? sum(services.map((service) => service.cost.perMonth)) : null, clusterWidePerMonth: counted ? sum(services.map((service) => service.cost.clusterWidePerMonth)) : null,
      },
      events: this.events,
    };
  }

  historyDocument() {
    const points = this.history;
    const column = (pick) => points.map(({ state }) => pick(state));
    const services = {};
    for (const [i, service] of this.services.entries()) {
      if (i >= 20) break;
      const of = (pick) => column((state) => { const one = state.services[i]; return one ? pick(one) : null; });
      services[service.service] = {
        local: of((one) => one.measured?.local ?? null), overload: of((one) => one.measured?.worstOverload ?? null),
        planLocal: of((one) => one.plan.local), planOverload: of((one) => one.plan.worstOverload),
        rate: of((one) => one.measured?.requestsPerSecond ?? null), failed: of((one) => one.measured?.failed ?? null),
      };
    }
    return {
      step: 1, times: points.map(({ time }) => time), services,
      totals: {
        local: column((state) => state.totals.local), overload: column((state) => state.totals.worstOverload), rate: column((state) => state.totals.requestsPerSecond),
        planLocal: column((state) => sum(state.services.map(({ plan: planned }) => planned.local)) / (state.services.length || 1)), planOverload: column((state) => Math.max(0, ...state.services.map(({ plan: planned }) => planned.worstOverload))),
        failed: column((state) => state.totals.failed), cost: column((state) => state.totals.costPerMonth),
      },
    };
  }

  find(name) { return this.services.find((service) => service.service === name); }
  predict({ service, policy, overload }) {
    const found = this.find(service);
    return { service, now: this.#planOf(found), then: this.#planOf(found, policy ?? 'cluster-wide', overload) };
  }
  setPolicy(name, { policy, overload }) {
    const service = this.find(name);
    Object.assign(service, { policy: policy ?? 'cluster-wide', overload: policy === 'balanced' ? (overload ?? 0.2) : null });
    const { why } = this.#planOf(service);
    this.#event(why.level === 'ok' ? 'Normal' : 'Warning', why.reason, service, why.text);
  }
  failZone(name) {
    this.zones.find((zone) => zone.name === name).failed = true;
    for (const node of this.nodes.filter((one) => one.zone === name)) Object.assign(node, { power: false, ready: false });
    this.#event('Warning', 'NodeNotReady', null, `zone ${name} lost power`);
  }
  killNode(name) {
    Object.assign(this.nodes.find((node) => node.name === name), { power: false, ready: false });
    this.#event('Warning', 'NodeNotReady', null, `node ${name} lost power`);
  }
  heal({ zone, node }) {
    for (const one of this.nodes) {
      if ((!zone && !node) || one.zone === zone || one.name === node) Object.assign(one, { power: true, ready: true });
    }
    for (const one of this.zones) if (!node && (!zone || one.name === zone)) one.failed = false;
    this.#event('Normal', 'NodeReady', null, `${zone ?? node ?? 'everything'} has power again`);
  }
  addNode(zone) { this.#newNode(zone); }
  scale(name, zones) { for (const [zone, count] of Object.entries(zones)) this.#scale(this.find(name), zone, count); }
  demand(zones) { for (const zone of this.zones) zone.demand = zones[zone.name] ?? zone.demand; }

  explain(name) {
    const planned = this.#planOf(this.find(name));
    const reason = ({ reason: code, level, text, advice }) => ({ code, severity: level === 'ok' ? 'good' : level, sentence: text, ...(advice ? { remedy: advice } : {}) });
    return {
      kind: 'Explanation', policy: planned.policy,
      policyChain: [{ code: 'policy_from_service_annotation', severity: 'good', sentence: `the Service's annotation proxima.io/policy chooses ${planned.policy}` }],
      decisions: [reason(planned.why)],
      onNode: [{ code: 'uses_split', severity: 'good', sentence: 'traffic follows the zone split of the plan: 53.3% stays in the zone' }],
    };
  }
  routes(name) {
    const node = this.nodes.find((one) => one.name === name);
    const ports = this.services.map((service) => {
      const { endpoints, why } = this.#planOf(service);
      const mine = endpoints.filter((endpoint) => endpoint.zone === node.zone);
      const used = mine.length ? mine : endpoints;
      return {
        namespace: service.namespace, service: service.name, port: 'http', protocol: 'TCP',
        reason: { code: why.reason, sentence: why.text, ...(why.advice ? { remedy: why.advice } : {}) },
        frontends: [{ at: `172.30.0.${this.services.indexOf(service) + 1}:80/TCP`, kind: 'ClusterIP', fromPods: 'cluster', fromNode: 'cluster, masqueraded', fromOutside: 'drop' }],
        cluster: used.map((endpoint) => ({ endpoint: `${endpoint.address}:8080`, permille: Math.round(1000 / used.length), local: endpoint.node === name, zone: endpoint.zone })),
        local: [],
      };
    });
    return { families: [{ family: 'IPv4', ports }, { family: 'IPv6', ports: [] }] };
  }
}
