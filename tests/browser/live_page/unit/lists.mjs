// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointLines } from '../../../../ui/live/src/endpoint_table';
import { eventLines } from '../../../../ui/live/src/event_lines';
import { appended, kMaxPoints, shownFigures } from '../../../../ui/live/src/history_points';
import { lastSeconds, markAt, marksOf } from '../../../../ui/live/src/history_marks';
import { kDialEnd, placeOf, thetaAt } from '../../../../ui/live/src/dial_values';
import { address, parseRoute } from '../../../../ui/live/src/route';
import { filtered, needsAttention, sorted } from '../../../../ui/live/src/service_order';
import { rowsInSight } from '../../../../ui/live/src/virtual_rows';
import { matrix } from '../../../../ui/live/src/zone_matrix';
import { Cluster, kLab } from '../model_cluster.mjs';

const cluster = new Cluster(kLab);
const lab = cluster.tick();
const names = (services) => services.map(({ name }) => name);
const any = { text: '', policy: '', attention: false };

test('every word of the filter must be in the name', () => {
  assert.deepEqual(names(filtered(lab.services, { ...any, text: 'SHOP ev' })), ['even']);
  assert.deepEqual(names(filtered(lab.services, { ...any, text: 'even lopsided' })), []);
  assert.deepEqual(names(filtered(lab.services, { ...any, policy: 'auto' })), ['even', 'lopsided']);
});

test('services that do not get what they ask for can be picked out', () => {
  assert.deepEqual(names(filtered(lab.services, { ...any, attention: true })), ['lopsided', 'single']);
  assert.equal(needsAttention({ plan: null, measured: null }), false);
});

test('what is not known is sorted last either way', () => {
  const services = [{ service: 'b', cost: null }, { service: 'a', cost: { perMonth: 1 } }, { service: 'c', cost: { perMonth: 2 } }];
  const by = (descending) => sorted(services, { key: 'cost', descending }).map(({ service }) => service).join('');
  assert.equal(by(false), 'acb');
  assert.equal(by(true), 'cab');
});

test('names with numbers are in the order of the numbers', () => {
  assert.deepEqual(sorted([{ service: 'a-10' }, { service: 'a-9' }], { key: 'name', descending: false }).map(({ service }) => service), ['a-9', 'a-10']);
});

test('only rows in sight are drawn', () => {
  assert.deepEqual(rowsInSight(0, 600, 60, 1000), { first: 0, last: 16 });
  assert.deepEqual(rowsInSight(30000, 600, 60, 1000), { first: 494, last: 516 });
  assert.deepEqual(rowsInSight(1e9, 600, 60, 3), { first: 3, last: 3 });
});

test('addresses lead to what they name', () => {
  for (const route of [{ view: 'services' }, { view: 'nodes' }, { view: 'service', service: 'shop/even' }, { view: 'node', node: 'node 1/x' }]) {
    assert.deepEqual(parseRoute(address(route)), route);
  }
  for (const odd of ['', '#', '#/', '#/nothing', '#/service/shop', '#/service/%']) assert.deepEqual(parseRoute(odd), { view: 'services' }, odd);
});

test('the dial knows every bound', () => {
  for (let place = 0; place <= kDialEnd; ++place) assert.equal(placeOf(thetaAt(place)), place);
  assert.equal(placeOf(null), 4);
  assert.equal(placeOf(7), kDialEnd - 1);
  assert.equal(placeOf('what'), kDialEnd);
});

test('an endpoint that is only planned or only measured has a line', () => {
  const planned = { pod: 'a/x', address: '1', zone: 'z', node: 'n', load: 1 };
  const seen = { pod: 'a/y', zone: 'z', node: 'n', load: 2, requestsPerSecond: 3 };
  assert.deepEqual(endpointLines({ plan: { endpoints: [planned] }, measured: { endpoints: [seen] } }).map(({ pod, plan, measured }) => [pod, plan, measured]), [['a/x', 1, null], ['a/y', null, 2]]);
});

test('the matrix has shares of what starts in a zone', () => {
  const service = { plan: { flows: [{ from: 'a', to: 'a', share: 0.1 }, { from: 'a', to: 'b', share: 0.3 }] }, measured: null };
  const [[aa, ab], [ba]] = matrix(service, ['a', 'b']);
  assert.deepEqual([aa.plan, ab.plan, ba.plan, aa.measured].map((value) => value && Math.round(value * 100)), [25, 75, null, null]);
});

test('a new state is a new point of history, an old one is not', () => {
  const history = cluster.historyDocument();
  const points = history.times.length;
  assert.equal(appended(history, lab), history);
  const next = appended(history, cluster.tick());
  assert.equal(next.times.length, points + 1);
  for (const column of [...Object.values(next.services['shop/even']), next.totals.local, next.totals.cost]) assert.equal(column.length, points + 1);
});

test('history keeps the plan of each time, and what is measured when it is known', () => {
  const before = { ...lab, time: lab.time + 100, services: lab.services.map((one) => ({ ...one, plan: { ...one.plan, local: 0.25 }, measured: { ...one.measured, worstOverload: null } })) };
  const { services } = appended(cluster.historyDocument(), before);
  const { planLocal, overload, local } = services['shop/even'];
  assert.equal(planLocal.at(-1), 0.25);
  assert.notEqual(planLocal.at(-2), 0.25, 'a plan says nothing of before');
  assert.equal(overload.at(-1), null);
  assert.ok(local.at(-1) > 0);
});

test('where nothing was ever measured the plan is what is shown', () => {
  const unmeasured = { local: [null, null], overload: [null, null], planLocal: [0.3, 0.9], planOverload: [0, 0.2], rate: [], failed: [] };
  assert.deepEqual(shownFigures(unmeasured), { local: [0.3, 0.9], overload: [0, 0.2], plan: null });
  const measured = { ...unmeasured, local: [null, 0.8], overload: [null, null] };
  assert.deepEqual(shownFigures(measured), { local: [null, 0.8], overload: [null, null], plan: { local: [0.3, 0.9], overload: [0, 0.2] } });
  assert.equal(shownFigures({ local: [0.5], overload: [0], rate: [], failed: [] }).plan, null);
});

test('the end of the dial is no bound, in the words of the annotation', () => {
  assert.deepEqual([0, 4, kDialEnd - 1, kDialEnd].map(thetaAt), [0, 0.2, 1, 'inf']);
  assert.deepEqual([0, 0.2, 1, 5, 'inf', null].map(placeOf), [0, 4, kDialEnd - 1, kDialEnd - 1, kDialEnd, 4]);
});

test('history has an end, and services that are gone leave it', () => {
  let history = cluster.historyDocument();
  history.services['gone/away'] = { local: [], overload: [], rate: [], failed: [] };
  for (let i = 0; i < kMaxPoints + 5; ++i) history = appended(history, { ...lab, time: lab.time + 10 + i });
  assert.equal(history.times.length, kMaxPoints);
  assert.equal(history.services['shop/even'].local.length, kMaxPoints);
  assert.ok(!('gone/away' in history.services));
});

test('marks are of one service or of all, one a second', () => {
  const events = [[10.2, 'Service a/a'], [10.7, 'Service a/b'], [12, 'Node'], [99, 'Service a/a']].map(([time, object]) => ({ time, object, type: 'Normal', reason: 'R', message: 'm' }));
  assert.deepEqual(marksOf(events, null, 0, 50).map(({ time }) => time), [10, 12]);
  assert.deepEqual(marksOf(events, 'a/b', 0, 50).map(({ text }) => text), ['R Service a/b: m', 'R Node: m']);
});

test('an event of both address families is one line', () => {
  const event = (time, message, object = 'Service a/a') => ({ time, type: 'Normal', reason: 'R', object, message });
  const lines = eventLines([event(5, 'on, addressType: IPv6'), event(7, 'late'), event(7, 'late'), event(5, 'on, addressType: IPv4'), event(5, 'on, addressType: IPv4', 'Service a/b')]);
  assert.deepEqual(lines.map(({ object, message }) => `${object} ${message}`), ['Service a/a late', 'Service a/a late', 'Service a/a on (IPv4, IPv6)', 'Service a/b on (IPv4)']);
});

test('the nearest mark is meant, if it is near', () => {
  const marks = [{ time: 10 }, { time: 14 }];
  assert.equal(markAt(marks, 13, 4), marks[1]);
  assert.equal(markAt(marks, 20, 4), null);
});

test('a span of history is cut from all its columns', () => {
  assert.deepEqual(lastSeconds([1, 2, 3, 4], [[5, 6, 7, 8]], 1), { times: [3, 4], columns: [[7, 8]] });
  assert.deepEqual(lastSeconds([], [[]], 1), { times: [], columns: [[]] });
});
