// SPDX-License-Identifier: Apache-2.0
// Local share against overload: the line of `balanced` from θ = 0 to ∞, and the other policies as
// points around it.

const frontier = { measure: 'worst' };

// Near zero linear, then logarithmic: 5 % and 500 % are both on the picture, and both readable.
const bend = (value) => Math.asinh(value / 0.12);
// What leaves costs, so the last few percent get room too: 99 % is half as dear as 98 %.
const lift = (share) => -Math.sqrt(Math.max(0, 1 - share));
const shareTicks = [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const overloadTicks = [0, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

function frontierScale(width, height) {
  const margin = { left: 50, right: 18, top: 42, bottom: 48 };
  const shares = variants.map((variant) => variant.local);
  const low = Math.max(0, Math.min(...shares) - 0.06);
  const best = Math.max(...shares);
  const high = 1 - (1 - best) * 0.72;  // some room above the best, and never more than everything
  const most = Math.max(0.1, ...variants.map((variant) => variant[frontier.measure])) * 1.12;
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  return {
    low, high, most, right, bottom, left: margin.left, top: margin.top,
    x: (value) => margin.left + 12 + (bend(value) / bend(most)) * (right - margin.left - 12),
    y: (value) => bottom - ((lift(value) - lift(low)) / (lift(high) - lift(low))) * (bottom - margin.top),
  };
}

function drawAxes(scale) {
  const parts = [];
  for (const share of shareTicks.filter((tick) => tick >= scale.low && tick <= scale.high)) {
    const y = Math.round(scale.y(share));
    parts.push(make('line', { class: 'grid', x1: scale.left, x2: scale.right, y1: y, y2: y }),
      make('text', { x: scale.left - 9, y: y + 4, 'text-anchor': 'end' }, percent(share)));
  }
  let last = -Infinity;
  for (const tick of overloadTicks.filter((value) => value <= scale.most)) {
    const x = Math.round(scale.x(tick));
    parts.push(make('line', { class: 'axis', x1: x, x2: x, y1: scale.bottom, y2: scale.bottom + 5 }));
    if (x - last < 38) continue;
    last = x;
    parts.push(make('text', { x, y: scale.bottom + 19, 'text-anchor': 'middle' }, tick ? `+${percent(tick)}` : 'none'));
  }
  parts.push(make('text', { class: 'axis-title', x: 2, y: 13 }, '↑ Traffic that stays in its zone'));
  parts.push(make('line', { class: 'axis', x1: scale.left, x2: scale.right, y1: scale.bottom, y2: scale.bottom }));
  const what = frontier.measure === 'worst'
    ? 'Overload of the worst endpoint' : 'Worst overload of a service, on average over traffic';
  parts.push(make('text', { class: 'axis-title', x: (scale.left + scale.right) / 2, y: scale.bottom + 41, 'text-anchor': 'middle' }, `${what} →`));
  return parts;
}

const bound = (index) => (variants[index].theta === 'inf' ? Infinity : variants[index].theta);
const balancedIndices = variants.map((_, i) => i).filter((i) => variants[i].theta !== null)
  .sort((a, b) => bound(a) - bound(b));

const pointOf = (scale, index) => ({
  index, x: scale.x(variants[index][frontier.measure]), y: scale.y(variants[index].local),
});

const pathThrough = (points) => points.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

// Everything below and to the right of the line.
function drawShade(scale, line) {
  if (line.length < 2) return [];
  const end = line[line.length - 1];
  const area = `${pathThrough(line)}L${scale.right} ${end.y.toFixed(1)}L${scale.right} ${scale.bottom}L${line[0].x.toFixed(1)} ${scale.bottom}Z`;
  return [
    make('defs', {}, make('pattern', { id: 'hatching', width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      make('line', { class: 'hatch', x1: 0, x2: 0, y1: 0, y2: 7 }))),
    make('path', { class: 'shade', d: area }), make('path', { d: area, fill: 'url(#hatching)' }),
    scale.right > 460 ? make('text', { class: 'corner', x: scale.right - 8, y: scale.bottom - 10, 'text-anchor': 'end' }, 'dominated: more overload, less local') : null,
    make('path', { class: 'curve', d: pathThrough(line) }),
  ];
}

const shapes = [
  ({ x, y }) => `M${x - 5} ${y - 5}h10v10h-10Z`,
  ({ x, y }) => `M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5Z`,
  ({ x, y }) => `M${x} ${y - 6.5}l6.3 11h-12.6Z`,
  ({ x, y }) => `M${x} ${y + 6.5}l6.3 -11h-12.6Z`,
  ({ x, y }) => `M${x - 2.2} ${y - 6}h4.4v3.8h3.8v4.4h-3.8v3.8h-4.4v-3.8h-3.8v-4.4h3.8Z`,
  ({ x, y }) => `M${x - 3} ${y - 6}h6l3 6l-3 6h-6l-3 -6Z`,
];
const otherIndices = variants.map((_, i) => i).filter((i) => variants[i].theta === null);

function drawMark(point) {
  const { theta, dominatedBy } = variants[point.index];
  const beaten = dominatedBy[frontier.measure] >= 0 ? ' beaten' : '';
  if (theta !== null) return make('circle', { class: `mark on${beaten}`, cx: point.x, cy: point.y, r: 5 });
  const shape = shapes[otherIndices.indexOf(point.index) % shapes.length];
  return make('path', { class: `mark other${beaten}`, d: shape(point) });
}

function pointFacts(index) {
  const variant = variants[index];
  const facts = [['Stays in its zone', percent(variant.local)],
    ['Worst overload', overload(variant.worst)], ['Average overload', overload(variant.mean)]];
  if (variant.rejected > 0) facts.push(['Rejected', percent(variant.rejected)]);
  if (hasPrice) facts.push([`Costs${perPeriod}`, money(moneyOf(index))]);
  return facts;
}

function pointRemark(index) {
  const by = variants[index].dominatedBy[frontier.measure];
  return by >= 0 ? `Dominated by ${variantTitle(by)}.` : 'Not dominated by any other.';
}

function drawPoint(scale, point, hair) {
  const facts = pointFacts(point.index).map((fact) => fact.join(' ')).join(', ');
  const element = make('g', {
    class: 'point', role: 'button', tabindex: 0, 'data-variant': point.index,
    'aria-pressed': String(point.index === choice.variant),
    'aria-label': `${variantTitle(point.index)}: ${facts}. ${pointRemark(point.index)}`,
    onclick: () => choice.set(point.index),
    onkeydown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choice.set(point.index);
      document.querySelector(`.point[data-variant="${point.index}"]`).focus();
    },
  },
  point.index === choice.variant ? make('circle', { class: 'ring', cx: point.x, cy: point.y, r: 10 }) : null,
  drawMark(point),
  make('circle', { class: 'target', cx: point.x, cy: point.y, r: 13 }));
  const aim = (on) => hair.setAttribute('d', on ? `M${scale.left} ${point.y}H${point.x}V${scale.bottom}` : '');
  for (const event of ['pointerenter', 'focus']) element.addEventListener(event, () => aim(true));
  for (const event of ['pointerleave', 'blur']) element.addEventListener(event, () => aim(false));
  return withTooltip(element, () => tooltipContent(variantTitle(point.index), pointFacts(point.index), pointRemark(point.index)));
}

// Points on top of each other share a label.
function labelGroups(points) {
  const groups = [];
  for (const point of points) {
    const group = groups.find((other) => Math.hypot(other.x - point.x, other.y - point.y) < 7);
    if (group) group.indices.push(point.index);
    else groups.push({ x: point.x, y: point.y, indices: [point.index] });
  }
  return groups;
}

function labelNames(indices) {
  const bounds = indices.filter((i) => variants[i].theta !== null).map((i) => thetaText(variants[i].theta));
  const names = indices.filter((i) => variants[i].theta === null).map((i) => variants[i].name);
  const range = bounds.length > 1 ? `${bounds[0]} to ${bounds[bounds.length - 1]}` : bounds[0];
  return [...names, ...(bounds.length ? [`θ ${range}`] : [])];
}

const ink = document.createElement('canvas').getContext('2d');
function measuredLabel(group, room) {
  const chosen = group.indices.includes(choice.variant);
  const theta = group.indices.every((i) => variants[i].theta !== null);
  ink.font = `${chosen ? '700 13px' : '600 12px'} ${getComputedStyle(document.body).fontFamily}`;
  const names = labelNames(group.indices);
  const all = names.join(' = ');
  const text = ink.measureText(all).width < room ? all : `${names[0]} and ${names.length - 1} more`;
  return { ...group, text, chosen, theta, optional: theta && !chosen, width: ink.measureText(text).width + 4, height: 15 };
}

function drawLabels(scale, points, line) {
  const importance = (label) => (label.chosen ? 0 : label.theta ? 2 : 1);
  const labels = labelGroups(points).map((group) => measuredLabel(group, 0.85 * (scale.right - scale.left)))
    .sort((a, b) => importance(a) - importance(b));
  const obstacles = [...points.map(({ x, y }) => boxAround(x, y, 8)), ...boxesAlong(line)];
  const frame = { left: scale.left + 2, right: scale.right + 12, top: 18, bottom: scale.bottom - 3 };
  return placeLabels(labels, frame, obstacles).flatMap((box, i) => {
    if (!box) return [];
    const { x, y, text, chosen, theta } = labels[i];
    const near = { x: Math.max(box.left, Math.min(x, box.right)), y: Math.max(box.top, Math.min(y, box.bottom)) };
    return [
      box.gap > 18 ? make('line', { class: 'leader', x1: x, y1: y, x2: near.x, y2: near.y }) : null,
      make('text', { class: `label${theta ? ' theta' : ''}${chosen ? ' chosen' : ''}`, x: box.left + 2, y: box.bottom - 4, 'aria-hidden': 'true' }, text),
    ];
  }).filter(Boolean);
}

function drawFrontier() {
  const holder = byId('frontier');
  const width = Math.max(300, Math.round(holder.clientWidth));
  const height = Math.round(Math.max(310, Math.min(480, width * 0.62)));
  const scale = frontierScale(width, height);
  const line = balancedIndices.map((index) => pointOf(scale, index));
  const points = [...otherIndices.map((index) => pointOf(scale, index)), ...line];
  const hair = make('path', { class: 'cross-hair', fill: 'none' });
  holder.replaceChildren(make('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'group',
    'aria-label': 'Share of traffic that stays in its zone against overload, a point for each policy. The same figures are in the table "Every policy in figures".',
  }, drawAxes(scale), drawShade(scale, line), hair, drawLabels(scale, points, line),
  points.map((point) => drawPoint(scale, point, hair))));
}

function startFrontier() {
  drawSwitch(byId('measure'), [['worst', 'Worst endpoint'], ['mean', 'Average']], frontier.measure, (measure) => {
    frontier.measure = measure;
    drawFrontier();
  });
  drawToWidth(byId('frontier'), drawFrontier);
}
