// SPDX-License-Identifier: Apache-2.0
// Looks at a page from inside: what sticks out, what is faint, what has no name. Its text is run in
// the page, so it uses nothing from outside but what is put before it.
import { readFileSync } from 'node:fs';

function look() {
  const all = (selector) => [...document.querySelectorAll(selector)];
  // SVG shapes behind a text are not its parents: the panel of a zone, the box of a node.
  const backdrop = (element) => {
    if (!(element instanceof SVGElement)) return null;
    const shape = element.closest('.node')?.querySelector('.node-box') ?? element.closest('svg')?.querySelector('.panel');
    return shape ? getComputedStyle(shape).fill : null;
  };
  const { contrast, isFaint, theme } = readability(backdrop);
  const visible = (element) => element.getClientRects().length > 0 && !element.closest('.hidden, .skip, :disabled, title, option, noscript');
  const root = document.documentElement;
  const overlaps = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const labels = all('.flow-map text').filter(visible).map((e) => [e.textContent, e.getBoundingClientRect()]);
  const described = (e) => `${e.tagName}.${e.getAttribute('class')} "${e.textContent.slice(0, 30)}"`;
  return {
    sticksOut: root.scrollWidth - root.clientWidth,
    outside: all('body *').filter((e) => visible(e) && !e.closest('.scroll, .u-wrap') && e.getBoundingClientRect().right > root.clientWidth + 0.5).map(described),
    faint: all('body *').filter((e) => visible(e) && isFaint(e)).map((e) => `${described(e)} ${contrast(e).toFixed(2)}`),
    unnamed: all('button, select, input, a, summary').filter((e) => visible(e) && !e.textContent.trim() && !e.getAttribute('aria-label') && !e.labels?.length).map(described),
    overlapping: labels.flatMap(([text, box], i) => labels.slice(i + 1).filter(([, other]) => overlaps(box, other)).map(([other]) => `"${text}" and "${other}"`)),
    cutOff: all('.tile *, .chip, button, .switch').filter((e) => visible(e) && !e.closest('.service-row') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(described),
    theme: theme(),
    landmarks: ['header', 'main', 'nav', '[role=status]'].filter((selector) => !document.querySelector(selector)),
    doubled: all('[id]').map(({ id }) => id).filter((id, i, ids) => ids.indexOf(id) !== i),
  };
}

// A function, as text.
export const looks = `() => { ${readFileSync(new URL('../comparison_page/contrast.js', import.meta.url))} return (${look})(); }`;

// What it finds on a page with nothing wrong, besides the theme.
export const clean = { sticksOut: 0, outside: [], faint: [], unnamed: [], overlapping: [], cutOff: [], landmarks: [], doubled: [] };
