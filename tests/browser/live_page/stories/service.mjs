// SPDX-License-Identifier: Apache-2.0
// One service: plan against measured, the dial, both address families.
import assert from 'node:assert/strict';
import { clean, looks } from '../looks.mjs';
import { page, posted } from '../story.mjs';

page('a click on a service shows plan against measured', {}, async (tab) => {
  await tab.click('[data-service="shop/lopsided"]');
  await tab.until('document.querySelector("#plan-measured")');
  assert.match(await tab.text('#why'), /Unable to allocate.*overload_too_high.*use policy balanced/s);
  assert.equal(await tab.count('#matrix tbody td'), 9);
  assert.equal(await tab.count('#endpoints tbody tr'), 4);
  assert.match(await tab.text('#endpoints tbody tr'), /lopsided-1zone-a, node-\d1\.00×\d\.\d\d×/);
  assert.match(await tab.text('#map-title'), /shop\/lopsided/);
  assert.match(await tab.text('#history-title'), /shop\/lopsided/);
  assert.equal(await tab.read('document.activeElement.id'), 'detail-title');
  assert.equal(await tab.read('document.title'), 'shop/lopsided – Proxima live');
  await tab.until('document.querySelector("#explanation [data-code=overload_too_high]")');
  await tab.set('#explain-from', 'zone-c', 'change');
  await tab.press('Tab');
  await tab.read('history.back()');
  await tab.until('document.querySelector(".service-table")');
});

page('a service that is gone is said to be gone', { address: '#/service/shop/nothing' }, async (tab) => {
  assert.match(await tab.text('.side'), /There is no Service shop\/nothing/);
});

page('the dial predicts, applies, and shows what comes of it', { address: '#/service/shop/lopsided' }, async (tab, program) => {
  assert.equal(await tab.count('#apply, #prediction'), 0);
  assert.equal(await tab.read('document.querySelector("#theta").disabled'), true);
  await tab.set('#policy', 'balanced', 'change');
  await tab.until('document.querySelector("#prediction")?.textContent.includes("leaves its zone, the least that an overload bound of 20%")');
  assert.equal(program.posts.length, 0, 'a prediction changes nothing');
  await tab.read('document.querySelector("#theta").focus()');
  await tab.press('ArrowRight');
  await tab.press('ArrowRight');
  await tab.until('document.querySelector("#prediction").textContent.includes("bound of 30%")');
  assert.equal(await tab.read('document.querySelector("#theta").getAttribute("aria-valuetext")'), '30%');
  await tab.click('#undo');
  await tab.until('document.querySelector("#policy").value === "auto"');
  await tab.set('#policy', 'balanced', 'change');
  await tab.until('document.querySelector("#apply")');
  await tab.click('#apply');
  await tab.until('document.querySelector("#watch")');
  assert.deepEqual(program.posts, [['/api/services/shop/lopsided/policy', { policy: 'balanced', overload: 0.2 }]]);
  await tab.until('/→ 9\\d%/.test(document.querySelector("#watch").textContent)');
  assert.match(await tab.text('#outcome'), /annotated with balanced/);
  await tab.until('document.activeElement.id === "watch"');
  assert.equal(await tab.read('document.querySelector("#policy").value'), 'balanced');
});

page('a choice is kept that comes before the dial has been painted', {}, async (tab) => {
  await tab.read(`new Promise((chosen) => {
    new MutationObserver((_, observer) => {
      const policy = document.querySelector('#policy');
      if (!policy) return;
      observer.disconnect();
      policy.value = 'balanced';
      policy.dispatchEvent(new Event('change', { bubbles: true }));
      chosen();
    }).observe(document, { subtree: true, childList: true });
    document.querySelector('[data-service="shop/lopsided"]').click();
  })`);
  await tab.until('document.querySelector("#prediction")?.textContent.includes("leaves its zone")');
  assert.equal(await tab.read('document.querySelector("#policy").value'), 'balanced');
});

page('the dial ends with no bound at all', { address: '#/service/shop/lopsided' }, async (tab, program) => {
  await tab.set('#policy', 'balanced', 'change');
  await tab.read('document.querySelector("#theta").focus()');
  await tab.press('End');
  assert.equal(await tab.text('.dial output'), '∞');
  await tab.until('document.querySelector("#prediction")?.textContent.includes("All traffic stays in its zone")');
  await tab.click('#apply');
  assert.deepEqual(await posted(tab, program, 1), ['/api/services/shop/lopsided/policy', { policy: 'balanced', overload: 'inf' }]);
  await tab.until('document.querySelector("#detail-title + .facts .chip").textContent === "balanced θ ∞"');
  assert.equal(await tab.text('.dial output'), '∞', 'what is in force');
});

page('an overload without enough requests is no figure', {}, async (tab, program) => {
  await tab.until('/%|none/.test(document.querySelector("[data-tile=overload] .figure").textContent)');
  program.cluster.measuring = true;
  await tab.until('document.querySelector("[data-tile=overload] .figure").textContent === "measuring"');
  assert.equal(await tab.text('.service-row:not(.headings) .column-overload'), 'measuring');
  for (const width of [400, 1280]) {
    await tab.size(width, 800);
    await tab.settled();
    assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' }, `${width}`);
  }
  await tab.click('[data-service="shop/even"]');
  await tab.until('document.querySelector("#plan-measured")');
  assert.match(await tab.text('#plan-measured'), /Worst overload.*measuring/);
  assert.match(await tab.text('#endpoints'), /–/);
  assert.match(await tab.text('.readout'), /overload –/);
  program.cluster.measuring = false;
  await tab.until('/by chance, 47 s/.test(document.querySelector("#plan-measured").textContent) || /none/.test(document.querySelector("#plan-measured").textContent)');
});

page('annotations can be taken away again', { address: '#/service/shop/even' }, async (tab, program) => {
  await tab.set('#policy', '', 'change');
  await tab.until('document.querySelector("#apply")');
  await tab.click('#apply');
  assert.deepEqual(await posted(tab, program, 1), ['/api/services/shop/even/policy', { policy: null }]);
});

page('a dual-stack service has a plan for each family', { address: '#/service/shop/even' }, async (tab) => {
  await tab.until('document.querySelector(".families")');
  assert.match(await tab.text('.detail .facts'), /172\.30\.0\.1, fd00:172:30::1/);
  assert.equal(await tab.text('#plan-measured thead'), 'FigurePlanMeasured');
  await tab.click('.families [data-value="IPv6"]');
  await tab.until('document.querySelector("#family-note")?.textContent.includes("What is shown of IPv6 is the plan.")');
  assert.equal(await tab.text('#plan-measured thead'), 'FigurePlan');
  assert.equal(await tab.count('.dial'), 0, 'a policy is for both');
  await tab.settled();
  assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' });
  await tab.click('.families [data-value="IPv4"]');
  await tab.until('document.querySelector(".dial")');
});
