// SPDX-License-Identifier: Apache-2.0
// What can be done in a lab.
import assert from 'node:assert/strict';
import { announced, page, posted } from '../story.mjs';

page('a zone fails and heals', {}, async (tab, program) => {
  await tab.click('[data-zone="zone-b"] .fail');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/fail-zone', { zone: 'zone-b' }]);
  await tab.until('document.querySelector(".zone.failed")');
  assert.match(await tab.text('[data-tile="nodes"]'), /4 of 6/);
  await announced(tab, /zone-b has no power now/);
  await tab.click('[data-zone="zone-b"] .heal');
  assert.deepEqual(await posted(tab, program, 2), ['/api/lab/heal', { zone: 'zone-b' }]);
  await tab.until('!document.querySelector(".zone.failed")');
  await tab.click('[data-zone="zone-a"] .fail');
  await tab.until('!document.querySelector("#heal-all").disabled');
  await tab.click('#heal-all');
  assert.deepEqual(await posted(tab, program, 4), ['/api/lab/heal', {}]);
});

page('nodes are added and killed from lists', {}, async (tab, program) => {
  await tab.click('[data-zone="zone-c"] .add');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/add-node', { zone: 'zone-c' }]);
  await tab.until('document.querySelectorAll(".flow-map .node").length === 7');
  await tab.click('.tabs a[href="#/nodes"]');
  await tab.until('document.querySelectorAll(".node-row .kill").length === 7');
  await tab.click('.node-row .kill');
  assert.deepEqual(await posted(tab, program, 2), ['/api/lab/kill-node', { node: 'node-1' }]);
  await tab.until('document.querySelector(".node-row .heal")');
});

page('demand is moved by keys, and makes a whole', {}, async (tab, program) => {
  await tab.read('document.querySelector("[data-demand=zone-a]").focus()');
  for (let i = 0; i < 7; ++i) await tab.press('ArrowRight');
  const [path, { zones }] = await posted(tab, program, 1);
  assert.equal(path, '/api/lab/demand');
  assert.deepEqual(zones, { 'zone-a': 0.4, 'zone-b': 0.3, 'zone-c': 0.3 });
  await tab.until('document.querySelector("[data-zone=zone-a] output").textContent === "40%"');
  await tab.press('End');
  assert.deepEqual((await posted(tab, program, 2))[1].zones, { 'zone-a': 1, 'zone-b': 0, 'zone-c': 0 });
});

page('a service is scaled by zone', { address: '#/service/shop/lopsided' }, async (tab, program) => {
  assert.equal(await tab.read('document.querySelector("#scale").disabled'), true);
  await tab.set('[data-scale="zone-c"]', '3', 'input');
  await tab.until('!document.querySelector("#scale").disabled');
  await tab.click('#scale');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/scale', { service: 'shop/lopsided', zones: { 'zone-c': 3 } }]);
  await tab.until('document.querySelectorAll("#endpoints tbody tr").length === 6');
});

page('a refusal is told in the program\'s words', {}, async (tab, program) => {
  program.refuse = 'zone-a is the last zone with power';
  await tab.click('[data-zone="zone-a"] .fail');
  await tab.until('document.querySelector("#outcome")?.textContent.includes("zone-a is the last zone with power")');
  await tab.click('#outcome button');
  await tab.until('!document.querySelector("#outcome")');
});
