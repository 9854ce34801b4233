// SPDX-License-Identifier: Apache-2.0
// Looks at a page from inside: what sticks out, what is faint, what has no name. Its text is run in
// the page, so it uses nothing from outside.
export function looks() {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const channels = (text) => (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const blend = (under, [r, g, b, a = 1]) => under.map((c, i) => c * (1 - a) + [r, g, b][i] * a);
  // SVG shapes behind a text are not its parents: the panel of a zone, the box of a node.
  const backdrop = (element) => {
    if (!(element instanceof SVGElement)) return null;
    const shape = element.closest('.node')?.querySelector('.node-box') ?? element.closest('svg')?.querySelector('.panel');
    return shape ? channels(getComputedStyle(shape).fill) : null;
  };
  const behind = (element) => {
    const stack = [];
    for (let e = element; e; e = e.parentElement) stack.unshift(channels(getComputedStyle(e).backgroundColor));
    const shape = backdrop(element);
    if (shape) stack.push(shape);
    return stack.reduce(blend, [255, 255, 255]);
  };
  const luminance = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (element) => {
    const style = getComputedStyle(element);
    const under = behind(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    const over = blend(under, [...channels(ink).slice(0, 3), Number(style.opacity)]);
    const [a, b] = [luminance(over), luminance(under)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const visible = (element) => element.getClientRects().length > 0 && !element.closest('.hidden, .skip, :disabled, title, option, noscript');
  const root = document.documentElement;
  const overlaps = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const labels = all('.flow-map text').filter(visible).map((e) => [e.textContent, e.getBoundingClientRect()]);
  const described = (e) => `${e.tagName}.${e.getAttribute('class')} "${e.textContent.slice(0, 30)}"`;
  return {
    sticksOut: root.scrollWidth - root.clientWidth,
    outside: all('body *').filter((e) => visible(e) && !e.closest('.scroll, .u-wrap') && e.getBoundingClientRect().right > root.clientWidth + 0.5).map(described),
    faint: all('body *').filter((e) => visible(e) && ownText(e) && contrast(e) < 4.5).map((e) => `${described(e)} ${contrast(e).toFixed(2)}`),
    unnamed: all('button, select, input, a, summary').filter((e) => visible(e) && !e.textContent.trim() && !e.getAttribute('aria-label') && !e.labels?.length).map(described),
    overlapping: labels.flatMap(([text, box], i) => labels.slice(i + 1).filter(([, other]) => overlaps(box, other)).map(([other]) => `"${text}" and "${other}"`)),
    cutOff: all('.tile *, .chip, button, .switch').filter((e) => visible(e) && !e.closest('.service-row') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(described),
    theme: luminance(behind(document.body)) > 0.5 ? 'light' : 'dark',
    landmarks: ['header', 'main', 'nav', '[role=status]'].filter((selector) => !document.querySelector(selector)),
    doubled: all('[id]').map(({ id }) => id).filter((id, i, ids) => ids.indexOf(id) !== i),
  };
}

// What it finds on a page with nothing wrong, besides the theme.
export const clean = { sticksOut: 0, outside: [], faint: [], unnamed: [], overlapping: [], cutOff: [], landmarks: [], doubled: [] };
