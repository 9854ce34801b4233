// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { flowLayout, niceMost } from '../../../../ui/live/src/flow_layout';
import { podLoads } from '../../../../ui/live/src/pod_loads';
import { localShare, zoneFlows, zoneNames } from '../../../../ui/live/src/zone_flows';
import { Cluster, kCluster, kEmpty, kLab } from '../model_cluster.mjs';

const lab = new Cluster(kLab).tick();
const cluster = new Cluster(kCluster).tick();

test('flows of all services are summed, in requests a second', () => {
  const { unit, total, flows } = zoneFlows(lab, null, 'measured');
  assert.equal(unit, 'rate');
  assert.ok(Math.abs(total - 60) < 4, `${total}`);
  assert.equal(flows.length, new Set(flows.map(({ from, to }) => `${from} ${to}`)).size);
});

test('a plan is scaled by what is measured', () => {
  const { unit, total } = zoneFlows(lab, 'shop/even', 'plan');
  assert.equal(unit, 'rate');
  assert.ok(Math.abs(total - 20) < 0.001, `${total}`);
});

test('without measurement, flows are shares', () => {
  const flows = zoneFlows(cluster, null, 'plan');
  assert.equal(flows.unit, 'share');
  assert.ok(Math.abs(flows.flows.reduce((sum, { value }) => sum + value, 0) - 1) < 1e-9);
  assert.ok(localShare(flows) > 0.4);
});

test('nothing is measured where nothing is there', () => {
  const empty = new Cluster(kEmpty).tick();
  assert.deepEqual(zoneFlows(empty, null, 'plan').flows, []);
  assert.equal(localShare(zoneFlows(empty, null, 'plan')), null);
  assert.deepEqual(zoneNames(empty), []);
});

test('no zone comes last', () => {
  const state = { ...lab, nodes: [...lab.nodes, { ...lab.nodes[0], name: 'stray', zone: '' }] };
  assert.deepEqual(zoneNames(state), ['zone-a', 'zone-b', 'zone-c', '']);
});

test('a pod behind two services shows the higher load', () => {
  const endpoint = (load) => ({ pod: 'x/y', address: '', zone: '', node: '', load });
  const state = { services: [{ service: 'a/a', plan: { endpoints: [endpoint(0.5)] } }, { service: 'a/b', plan: { endpoints: [endpoint(1.5)] } }] };
  assert.equal(podLoads(state, null, 'plan').get('x/y'), 1.5);
  assert.equal(podLoads(state, 'a/a', 'plan').get('x/y'), 0.5);
});

const zones = ['a', 'b', 'c'].map((name) => ({ name, nodes: 2, rows: 2 }));
const flows = zones.flatMap(({ name: from }) => zones.map(({ name: to }) => ({ from, to, value: from === to ? 6 : 2 })));
const layoutAt = (width, more = {}) => flowLayout({ width, em: 15, zones, flows, most: 10, ...more });

test('a wide page has zones side by side, a narrow one below each other', () => {
  const wide = layoutAt(700);
  const narrow = layoutAt(350);
  assert.ok(wide.upright && wide.zones.every(({ box }) => box.y === 0));
  assert.ok(!narrow.upright && narrow.zones.every(({ box }) => box.x === 0));
  for (const { zones: boxes, width } of [wide, narrow]) {
    for (const { box } of boxes) assert.ok(box.x + box.width <= width + 0.01, 'a zone stands out');
  }
});

test('links fill their bars exactly', () => {
  const { zones: boxes, links } = layoutAt(700);
  for (const { name, start, end } of boxes) {
    const sum = (side) => links.filter((link) => link[side] === name).reduce((total, { width }) => total + width, 0);
    assert.ok(Math.abs(start.width - sum('from')) < 0.01);
    assert.ok(Math.abs(end.width - sum('to')) < 0.01);
  }
});

test('labels that are shown do not lie on each other', () => {
  for (const width of [350, 600, 700, 1200]) {
    const labels = layoutAt(width).links.map(({ label }) => label).filter(({ shown }) => shown);
    assert.ok(labels.length >= 6, `${labels.length} at ${width}`);
    for (const a of labels) for (const b of labels) if (a !== b) assert.ok(Math.abs(a.x - b.x) > 30 || Math.abs(a.y - b.y) > 15);
  }
});

test('many zones make the picture wider instead of unreadable', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `z${i}`, nodes: 1, rows: 1 }));
  assert.ok(layoutAt(700, { zones: many, flows: [] }).width >= 20 * 8 * 15);
});

test('a flow to a zone that nobody knows is left out', () => {
  assert.equal(layoutAt(700, { flows: [{ from: 'a', to: 'x', value: 1 }] }).links.length, 0);
});

test('the scale does not breathe with the traffic', () => {
  assert.equal(niceMost(19.2), niceMost(19.9));
  assert.equal(niceMost(0), 1);
});
