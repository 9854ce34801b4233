// SPDX-License-Identifier: Apache-2.0
// How readable the texts of a page are, seen from inside: it is put before what looks at a page, and
// uses nothing from outside.
// `backdrop` gives the colour of a shape that an element lies on without being inside it, as in
// drawings; null when there is none.
function readability(backdrop = () => null) {
  const channels = (text) => (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const blend = (under, [r, g, b, a = 1]) => under.map((c, i) => c * (1 - a) + [r, g, b][i] * a);
  // Blends a stack of translucent backgrounds, outermost first, into one colour.
  const behind = (element) => {
    const stack = [];
    for (let e = element; e; e = e.parentElement) stack.unshift(channels(getComputedStyle(e).backgroundColor));
    const shape = backdrop(element);
    if (shape) stack.push(channels(shape));
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
  return {
    contrast,
    // What WCAG asks of texts at the least, at level AA.
    isFaint: (element) => ownText(element) && contrast(element) < 4.5,
    theme: () => (luminance(behind(document.body)) > 0.5 ? 'light' : 'dark'),
  };
}
