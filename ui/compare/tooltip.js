// SPDX-License-Identifier: Apache-2.0
// One tooltip for the whole page. It repeats what the element's own label says, so it is hidden
// from assistive technology.

const tooltip = byId('tooltip');

// `facts`: [name, value] pairs; `remark`: a sentence below them, or nothing.
function tooltipContent(title, facts, remark) {
  return [
    make('b', {}, title),
    make('dl', {}, facts.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]).flat()),
    remark ? make('p', {}, remark) : null,
  ].filter(Boolean);
}

function placeTooltip(box) {
  const { width, height } = tooltip.getBoundingClientRect();
  const gap = 10;
  const edge = document.documentElement.clientWidth - width - gap;
  const left = Math.max(gap, Math.min(box.left + box.width / 2 - width / 2, edge));
  const above = box.top - height - gap;
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${above > gap ? above : box.bottom + gap}px`;
}

const hideTooltip = () => { tooltip.hidden = true; };

// Shows what `content()` makes while the pointer or the focus is on the element.
function withTooltip(element, content) {
  const show = () => {
    tooltip.replaceChildren(...content());
    tooltip.hidden = false;
    placeTooltip(element.getBoundingClientRect());
  };
  element.addEventListener('pointerenter', show);
  element.addEventListener('focus', show);
  element.addEventListener('pointerleave', hideTooltip);
  element.addEventListener('blur', hideTooltip);
  return element;
}

document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hideTooltip(); });
window.addEventListener('scroll', hideTooltip, { passive: true });
