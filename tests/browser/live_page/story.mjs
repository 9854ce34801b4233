// SPDX-License-Identifier: Apache-2.0
// What a story of the live page has: a browser for all of them, and a tab over a fake program for each.
// Exit code 77: there is no browser, and nothing can be shown.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Browser, findBrowser } from '../../../tools/js/browser.mjs';
import { eventually } from '../../../tools/js/waiting.mjs';
import { FakeProgram, shapes } from './fake_program.mjs';

if (!findBrowser()) {
  console.log('no chromium on the path and none in CHROMIUM: the live page was not looked at');
  process.exit(77);
}
export const folder = process.argv[2];  // where the page was built
let browser;
before(async () => { browser = await Browser.start(); });
after(() => browser.stop());

export const openTab = (look) => browser.open(look);

// Keeps what the page announces to screen readers: a later announcement replaces an earlier one.
const kKeepAnnouncements = `window.announcements = [];
  new MutationObserver(() => {
    const text = document.querySelector('[role=status].hidden')?.textContent;
    if (text && text !== announcements.at(-1)) announcements.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });`;
export const announced = (tab, pattern) => tab.until(`announcements.some((text) => ${pattern}.test(text))`);

// A tab over a program of its own; both are gone afterwards. `still`: states come after actions alone.
export const page = (name, { shape = 'lab', address = '#/', still = false, ...look }, body) => test(name, { timeout: 180000 }, async () => {
  const program = new FakeProgram(folder, shapes[shape]);
  program.still = still;
  const url = await program.listen();
  const tab = await openTab(look);
  try {
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: kKeepAnnouncements });
    await tab.go(url + address);
    await body(tab, program);
    assert.deepEqual(tab.errors, []);
  } finally {
    await tab.close();
    await program.close();
  }
});

// The last of `count` POSTs that the program got, when they have come.
export const posted = async (tab, program, count) => {
  await eventually(() => program.posts.length >= count, `${count} POSTs`, { seen: () => JSON.stringify(program.posts) });
  return program.posts[program.posts.length - 1];
};
