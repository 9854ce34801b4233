// SPDX-License-Identifier: Apache-2.0
// Where there is no lab, no traffic, or nothing at all.
import assert from 'node:assert/strict';
import { clean, looks } from '../looks.mjs';
import { page, posted } from '../story.mjs';

page('a simulator says that it has neither proxies nor clients', { shape: 'simulator', address: '#/node/node-1' }, async (tab) => {
  await tab.until('document.querySelector("#routes .empty")');
  assert.match(await tab.text('#routes'), /A simulator has no machines: no proxy runs on this node/);
  assert.ok(!(await tab.text('.detail')).includes('Req/s'));
  assert.match(await tab.text('.lab'), /no clients whose demand could be moved/);
  assert.equal(await tab.count('.lab input[type=range]'), 0);
  await tab.until('document.querySelector("#why-planned")');
  assert.match(await tab.text('#why-planned'), /what is drawn is the plan/);
  for (const dark of [false, true]) {
    await tab.prefer({ dark });
    await tab.settled();
    assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' });
  }
});

page('a lab without traffic has its controls, and shows plans', { shape: 'simulator' }, async (tab, program) => {
  assert.match(await tab.text('.map .note'), /As planned/);
  await tab.click('[data-zone="zone-b"] .fail');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/fail-zone', { zone: 'zone-b' }]);
  await tab.until('document.querySelector(".zone.failed")');
});

page('a read-only cluster has no controls, and predicts all the same', { shape: 'cluster', address: '#/service/shop/lopsided' }, async (tab) => {
  assert.equal(await tab.count('.lab, #apply, .kill, [data-scale]'), 0);
  assert.equal(await tab.text('#read-only'), 'read-only');
  await tab.set('#policy', 'balanced', 'change');
  await tab.until('document.querySelector("#prediction")?.textContent.includes("leaves its zone")');
  assert.match(await tab.text('.map .note'), /As planned/);
  assert.match(await tab.text('.map .legend'), /share of traffic/);
});

page('a cluster whose node proxies count shows connections, and who did not answer', { shape: 'counted', address: '#/service/shop/lopsided' }, async (tab) => {
  assert.match(await tab.text('.map .note'), /As node proxies on 5 of 6 nodes counted connections in the last 60 s\. Not counted: the proxy of node-6 at .*: timed out\./);
  assert.match(await tab.text('.map .legend'), /connections a second/);
  assert.match(await tab.text('[data-tile=rate]'), /Connections a second.*0 unanswered since somebody looks/);
  assert.match(await tab.text('[data-tile=cost]'), /saved|more/);
  assert.match(await tab.text('#plan-measured'), /Connections a second.*0 unanswered/);
  assert.match(await tab.text('#endpoints'), /Conn\/s/);
  assert.ok(!/Req\/s|[Rr]equests|retried/.test(await tab.text('body')));
  assert.equal(await tab.count('#why-planned'), 0);
  for (const dark of [false, true]) {
    await tab.prefer({ dark });
    await tab.settled();
    assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' });
  }
});

page('a cluster whose node proxies do not count says which and why', { shape: 'uncounted' }, async (tab) => {
  await tab.until('document.querySelector("#why-planned")');
  assert.equal(await tab.text('#why-planned'), 'What is drawn is the plan, because no node proxy says what it counted: the proxy of node-1 at http://192.168.1.2:10249 has no /debug/flows.');
});

page('an empty cluster says what is missing', { shape: 'empty' }, async (tab) => {
  assert.match(await tab.text('.map'), /No node has joined yet/);
  assert.match(await tab.text('.side'), /There is no Service yet/);
});
