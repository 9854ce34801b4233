// SPDX-License-Identifier: Apache-2.0
// The page without a mouse.
import assert from 'node:assert/strict';
import { page } from '../story.mjs';

page('the keyboard reaches everything, and focus is seen', {}, async (tab) => {
  await tab.until('document.querySelector(".chart canvas")');
  const seen = new Set();
  for (let i = 0; i < 60; ++i) {
    await tab.press('Tab');
    const at = await tab.read(`(() => {
      const e = document.activeElement;
      const style = getComputedStyle(e);
      const box = e.querySelector(':scope > .node-box');
      return { what: (e.id || e.getAttribute('data-node') || e.getAttribute('data-demand') || e.getAttribute('data-service') || e.className || e.tagName) + '', seen: style.outlineStyle !== 'none' || (box && getComputedStyle(box).strokeWidth === '2.5px') };
    })()`);
    if (at.what === 'BODY') break;
    assert.ok(at.seen, `focus on ${at.what} is not seen`);
    seen.add(at.what);
  }
  for (const what of ['skip', 'large', 'node-1', 'zone-a', 'shop/even', 'shop/single']) assert.ok(seen.has(what), `${what} is not reached: ${[...seen]}`);
});
