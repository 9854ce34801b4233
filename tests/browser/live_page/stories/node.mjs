// SPDX-License-Identifier: Apache-2.0
// One node: its pods and its routes.
import assert from 'node:assert/strict';
import { page, posted } from '../story.mjs';

page('a node has its pods and its routes with reasons', {}, async (tab) => {
  await tab.read('document.querySelector("[data-node=node-1]").focus()');
  await tab.press('Enter');
  await tab.until('document.querySelector("#routes details")');
  assert.equal(await tab.count('#routes details'), 3);
  assert.match(await tab.text('#routes details'), /shop\/even.*Topology Aware Hints has been enabled\..*hints_assigned.*172\.30\.0\.1:80\/TCP.*50%/s);
  assert.match(await tab.text('.detail'), /shop\/even-\d/);
  await tab.click('#routes-again');
});

page('a node without power says why there are no routes', { address: '#/node/node-1' }, async (tab, program) => {
  await tab.click('.detail .kill');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/kill-node', { node: 'node-1' }]);
  await tab.until('document.querySelector("#routes").textContent.includes("No routes: node node-1 cannot be reached")');
  assert.equal(await tab.count('.flow-map .node.no-power'), 1);
  await tab.until('document.querySelector(".detail .heal")');
  await tab.click('.detail .heal');
  assert.deepEqual(await posted(tab, program, 2), ['/api/lab/heal', { node: 'node-1' }]);
  await tab.until('document.querySelector("#routes details")');
});
