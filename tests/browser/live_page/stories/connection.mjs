// SPDX-License-Identifier: Apache-2.0
// The stream of states, a lost connection, a wrong token.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeProgram } from '../fake_program.mjs';
import { clean, looks } from '../looks.mjs';
import { announced, folder, openTab, page } from '../story.mjs';

page('states come by themselves', {}, async (tab, program) => {
  await tab.until(`document.querySelector("#connection").textContent.includes("live")`);
  const before = await tab.text('#connection');
  await tab.until(`document.querySelector("#connection").textContent !== ${JSON.stringify(before)}`);
  program.cluster.addNode('zone-a');
  await tab.until('document.querySelectorAll(".flow-map .node").length === 7');
});

page('a lost connection is told, and found again by itself', {}, async (tab, program) => {
  await program.close();
  await tab.until('document.querySelector(".banner.lost[role=alert]")?.textContent.includes("Connection lost.")');
  await announced(tab, /lost/);
  await tab.settled();
  assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' });
  await program.listen();
  await tab.until('!document.querySelector(".banner.lost")');
  assert.match(await tab.text('#connection'), /live/);
  await announced(tab, /Connected again/);
});

test('a wrong token is told as such', { timeout: 180000 }, async () => {
  const program = new FakeProgram(folder);
  program.token = false;
  const tab = await openTab();
  try {
    await tab.send('Page.navigate', { url: await program.listen() });
    await tab.until('document.querySelector(".banner.lost")?.textContent.includes("does not accept this page\'s token")');
    program.token = true;
    await tab.until('document.querySelector("main")?.dataset.ready');
  } finally {
    await tab.close();
    await program.close();
  }
});
