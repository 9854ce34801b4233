// SPDX-License-Identifier: Apache-2.0
// What was: shares over time, and decisions.
import assert from 'node:assert/strict';
import { announced, page } from '../story.mjs';

page('history is drawn, told and marked', { address: '#/service/shop/even' }, async (tab, program) => {
  await tab.until('document.querySelectorAll(".chart canvas").length === 2');
  await tab.settled();
  const painted = 'document.querySelectorAll(".chart canvas")[0].getContext("2d").getImageData(0, 0, 600, 100).data.some((byte) => byte > 0)';
  assert.ok(await tab.read(painted));
  assert.match(await tab.text('.readout'), /100% local/);
  const first = await tab.text('#history-table tbody th');
  await tab.until(`document.querySelector("#history-table tbody th").textContent !== ${JSON.stringify(first)}`);
  await tab.click('.history [data-value="900"]');
  program.cluster.setPolicy('shop/even', { policy: 'balanced', overload: 0.2 });
  await tab.until('/[12] decisions? in sight/.test(document.querySelector(".readout").textContent)');
});

page('the history of a cluster is that of its plans, and says so', { shape: 'cluster', address: '#/service/shop/even' }, async (tab) => {
  await tab.until('document.querySelectorAll(".chart canvas").length === 2');
  assert.match(await tab.text('.readout'), /100% local/);
  assert.match(await tab.text('.history'), /Stays in its zone, planned/);
  assert.match(await tab.text('#why-planned'), /does not see traffic, and node proxies are not asked: what is drawn is the plan/);
});

page('decisions are logged, those of a service with the service', {}, async (tab, program) => {
  assert.equal(await tab.count('.events li'), 3);
  program.cluster.failZone('zone-b');
  await tab.until('document.querySelector(".events li.warning")');
  await announced(tab, /NodeNotReady.*zone-b lost power/);
  await tab.click('[data-service="shop/even"]');
  await tab.until('document.querySelectorAll(".events li").length === 1');
});
