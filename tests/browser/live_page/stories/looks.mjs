// SPDX-License-Identifier: Apache-2.0
// How the page looks: every width, both themes, large type, motion.
import assert from 'node:assert/strict';
import { clean, looks } from '../looks.mjs';
import { page } from '../story.mjs';

for (const [shape, address, ready] of [
  ['lab', '#/', '.service-row a'], ['lab', '#/service/shop/lopsided', '#explanation'], ['lab', '#/node/node-1', '#routes details'],
  ['cluster', '#/service/shop/even', '#explanation'], ['many', '#/nodes', '.node-row a'], ['many', '#/', '.service-row a'], ['empty', '#/', '.empty'],
]) {
  page(`${shape} ${address} is whole and readable at every width, light and dark`, { shape, address, still: true }, async (tab) => {
    await tab.until(`document.querySelector(${JSON.stringify(ready)})`);
    for (const width of [400, 1280, 1920]) {
      for (const dark of [false, true]) {
        await tab.size(width, 800);
        await tab.prefer({ dark });
        await tab.settled();
        assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' }, `${width} ${dark ? 'dark' : 'light'}`);
      }
    }
  });
}

page('what fails and what is lost is readable too', { still: true }, async (tab, program) => {
  program.cluster.failZone('zone-b');
  program.cluster.killNode('node-1');
  await tab.click('[data-zone="zone-c"] .fail');
  await tab.until('document.querySelectorAll(".zone.failed").length === 2');
  for (const width of [400, 1280]) {
    for (const dark of [false, true]) {
      await tab.size(width, 800);
      await tab.prefer({ dark });
      await tab.settled();
      assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' }, `${width} ${dark ? 'dark' : 'light'}`);
    }
  }
});

page('large type fits as well', { width: 1280, still: true }, async (tab) => {
  const size = () => tab.read('parseFloat(getComputedStyle(document.body).fontSize)');
  const before = await size();
  await tab.click('#large');
  assert.ok(await size() > before * 1.2);
  await tab.settled();
  const { sticksOut, outside, overlapping, cutOff } = await tab.read(`(${looks})()`);
  assert.deepEqual({ sticksOut, outside, overlapping, cutOff }, { sticksOut: 0, outside: [], overlapping: [], cutOff: [] });
});

page('a theme can be chosen and is kept', { dark: false }, async (tab) => {
  await tab.click('.switch [data-value="dark"]');
  assert.equal((await tab.read(`(${looks})()`)).theme, 'dark');
  await tab.send('Page.reload');
  await tab.until('document.querySelector("main")?.dataset.ready');
  assert.equal((await tab.read(`(${looks})()`)).theme, 'dark');
});

page('dashes do not move for those who asked for that', { reducedMotion: true }, async (tab) => {
  assert.equal(await tab.read('getComputedStyle(document.querySelector(".dashes")).display'), 'none');
});
page('and move for others', {}, async (tab) => {
  assert.equal(await tab.read('getComputedStyle(document.querySelector(".dashes")).animationName'), 'flow');
});
