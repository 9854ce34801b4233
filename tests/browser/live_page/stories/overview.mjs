// SPDX-License-Identifier: Apache-2.0
// The first page: the map, the figures above it, the list of services.
import assert from 'node:assert/strict';
import { page } from '../story.mjs';

page('zones, nodes, pods and flows are on the map', {}, async (tab) => {
  await tab.until('document.querySelector(".flow-map")');
  assert.equal(await tab.count('.flow-map .panel'), 3);
  assert.equal(await tab.count('.flow-map .node'), 6);
  assert.equal(await tab.count('.flow-map .pod'), 13);
  assert.ok(await tab.count('.band.leaves') > 0 && await tab.count('.band.stays') > 0);
  assert.equal(await tab.count('#flow-table tbody tr'), await tab.count('.band'));
  await tab.click('.map [data-value="plan"]');
  assert.match(await tab.text('.map .note'), /As planned/);
});

page('thicker is more', {}, async (tab) => {
  await tab.until('document.querySelector(".band")');
  const bands = await tab.read('[...document.querySelectorAll(".band")].map((b) => [parseFloat(b.querySelector("title").textContent.split(": ")[1]), parseFloat(b.querySelector(".body").getAttribute("stroke-width"))])');
  const widest = bands.reduce((a, b) => (b[1] > a[1] ? b : a));
  assert.equal(widest[0], Math.max(...bands.map(([rate]) => rate)));
});

page('figures of the whole cluster are at the top', {}, async (tab) => {
  assert.equal(await tab.count('.tile'), 5);
  assert.match(await tab.text('[data-tile="cost"]'), /\$8\.\d\d.*saved: \$12\.40 cluster-wide/);
  assert.match(await tab.text('[data-tile="rate"]'), /0 failed ever/);
});

page('a service in the list has policy, shares, reason and money', {}, async (tab) => {
  const row = await tab.read('document.querySelector("[data-service=\\"shop/lopsided\\"]").closest("[role=row]").textContent');
  assert.match(row, /shop\/lopsided.*3\d%.*planned 33%.*\$4.*auto.*Unable to allocate minimum required endpoints/);
  await tab.click('[data-sort="local"] button');
  assert.notEqual(await tab.text('.service-row a'), 'shop/even', 'the other two are measured to be a third, more or less');
  await tab.click('[data-sort="local"] button');
  assert.equal(await tab.text('.service-row a'), 'shop/even');
  assert.equal(await tab.read('document.querySelector("[data-sort=local]").getAttribute("aria-sort")'), 'descending');
});

page('a thousand services are filtered, and few of them are drawn', { shape: 'many', still: true }, async (tab, program) => {
  assert.ok(await tab.count('.service-row') < 40);
  assert.equal(await tab.read('document.querySelector(".service-table").getAttribute("aria-rowcount")'), '1001');
  await tab.set('#filter', 'TEAM-07 price-4', 'input');
  const wanted = program.cluster.services.map(({ service }) => service).filter((name) => name.startsWith('team-07/price-4'));
  assert.equal(wanted.length, 4);
  await tab.until('document.querySelector("#count").textContent.startsWith("4 of 1,000")');
  assert.deepEqual(await tab.read('[...document.querySelectorAll(".service-row a")].map(({ textContent }) => textContent)'), wanted);
  await tab.set('#filter', 'no such service', 'input');
  await tab.until('document.querySelector(".service-table .empty")');
  await tab.set('#filter', '', 'input');
  await tab.set('#filter-policy', 'balanced', 'change');
  await tab.until('document.querySelector("#count").textContent.startsWith("250 of")');
  await tab.read('document.querySelector(".rows").scrollTop = 5000');
  await tab.until('document.querySelector(".rows-in-sight .service-row").getAttribute("aria-rowindex") > 50');
  await tab.click('#filter-attention');
  await tab.until('!document.querySelector("#count").textContent.startsWith("250 of")');
});

page('a state with a thousand services costs little to draw', { shape: 'many', still: true }, async (tab, program) => {
  // The processor's time of the page's thread, so that a busy machine does not count.
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await tab.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const [before, revision] = [await spent(), program.cluster.revision];
  for (let i = 0; i < 4; ++i) {
    const time = await tab.text('#connection');
    program.push();
    await tab.until(`document.querySelector("#connection").textContent !== ${JSON.stringify(time)}`);
  }
  const each = (await spent() - before) / (program.cluster.revision - revision);
  assert.ok(each < 0.5, `${each} s of processor time a state`);
});
