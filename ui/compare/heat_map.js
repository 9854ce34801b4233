// SPDX-License-Identifier: Apache-2.0
// Gigabytes from zone to zone: a real table, coloured. Every policy is drawn to one scale, so that
// switching between them shows the difference.

const heat = { view: 'then', focus: [0, 0], detail: 'full' };

const placeCount = data.places.length;
const flow = (variant, from, to) => variants[variant].flows[from * placeCount + to];

// The place for nodes without a zone is shown only where something happens in it.
const shownPlaces = data.places.map((_, i) => i).filter((i) => variants.some((_, variant) =>
  data.places.some((__, j) => flow(variant, i, j) > 0 || flow(variant, j, i) > 0)));

// Names that fit into so many pixels: zones of a region differ at their end only.
function placeNames(room) {
  const names = shownPlaces.map((place) => data.places[place]);
  const zones = names.filter((name) => name !== 'no zone');
  ink.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  if (zones.length < 2 || zones.every((name) => ink.measureText(name).width <= room)) return names;
  let shared = 0;
  while (zones.every((name) => name.length > shared + 1 && name[shared] === zones[0][shared])) shared += 1;
  const cut = zones[0].lastIndexOf('-', shared - 1) + 1;
  return names.map((name) => (cut > 3 && name !== 'no zone' ? `…${name.slice(cut)}` : name));
}
const mostFlow = Math.max(1e-9, ...variants.flatMap((variant) => variant.flows));
const heatSide = 86;  // pixels of the column of names, as in the style sheet

function heatValue(from, to) {
  if (heat.view === 'now') return flow(now, from, to);
  if (heat.view === 'then') return flow(choice.variant, from, to);
  return flow(choice.variant, from, to) - flow(now, from, to);
}

// More at home and less abroad is better.
function heatHue(from, to, value) {
  if (heat.view !== 'change') return from === to ? 'blue' : 'orange';
  return (from === to) === (value > 0) ? 'blue' : 'orange';
}

const heatText = (value) => (heat.view === 'change' ? gigabyteChange(value) : gigabytes(value));
const heatTitle = () => (heat.view === 'now' ? 'configured now' : variantTitle(choice.variant));

const shareOfAll = (value) => {
  const part = percent(Math.abs(value) / (variants[choice.variant].gb || 1));
  return heat.view === 'change' && part !== '0%' ? signed(value, part) : part;
};

// Gigabytes and share where both fit; else the share; in very many zones the colour alone. The rest
// is in the tooltip.
function heatDetail(room) {
  const fits = (text) => {
    const widest = Math.max(...shownPlaces.flatMap((from) => shownPlaces.map((to) => ink.measureText(text(heatValue(from, to))).width)));
    return widest <= room;
  };
  ink.font = `700 13px ${getComputedStyle(document.body).fontFamily}`;
  if (fits(heatText)) return 'full';
  ink.font = `400 11.5px ${getComputedStyle(document.body).fontFamily}`;
  return fits(shareOfAll) ? 'share' : 'none';
}

function heatNodes(value) {
  if (heat.detail === 'full') return [heatText(value), make('small', {}, shareOfAll(value))];
  return heat.detail === 'share' ? [make('small', {}, shareOfAll(value))] : [];
}

function heatCell(from, to, row, column) {
  const value = heatValue(from, to);
  const strength = Math.sqrt(Math.abs(value) / mostFlow);
  const alpha = strength < 1e-3 ? 0 : 0.07 + 0.5 * strength;
  const [a, b] = [data.places[from], data.places[to]];
  const path = from === to ? `stays in ${a}` : `${a} → ${b}`;
  const cell = make('td', {
    class: 'cell', tabindex: row === heat.focus[0] && column === heat.focus[1] ? 0 : -1,
    style: alpha ? `background:rgba(var(--${heatHue(from, to, value)}-rgb),${alpha.toFixed(3)})` : null,
    'data-row': row, 'data-column': column,
    'aria-label': `${path}: ${heatText(value)}, ${shareOfAll(value)} of all traffic`,
  }, heatNodes(value));
  return withTooltip(cell, () => tooltipContent(`${capital(path)}`, [
    ['Now', gigabytes(flow(now, from, to))],
    [variantShort(choice.variant), gigabytes(flow(choice.variant, from, to))],
    ['Change', gigabyteChange(flow(choice.variant, from, to) - flow(now, from, to))],
  ]));
}

function sumCell(values) {
  return make('td', { class: 'sum' }, heatNodes(values.reduce((a, b) => a + b, 0)));
}

function moveInHeat(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  const cell = event.target.closest('.cell');
  if (!step || !cell) return;
  event.preventDefault();
  const next = byId('heat').querySelector(`[data-row="${+cell.dataset.row + step[0]}"][data-column="${+cell.dataset.column + step[1]}"]`);
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  heat.focus = [+next.dataset.row, +next.dataset.column];
  next.focus();
}

function drawHeat() {
  const columnRoom = (byId('heat').clientWidth - heatSide) / (shownPlaces.length + 1) - 13;
  const rowNames = placeNames(heatSide - 12);
  heat.detail = heatDetail(columnRoom + 4);
  const sums = heat.detail !== 'none';  // colours do not add up
  const head = make('tr', {}, make('th', { class: 'corner', scope: 'col' }, 'from ↓ to →'),
    placeNames(columnRoom).map((name, i) => make('th', { scope: 'col', title: data.places[shownPlaces[i]] }, name)),
    sums ? make('th', { scope: 'col', class: 'of' }, 'starts here') : null);
  const rows = shownPlaces.map((from, row) => make('tr', {},
    make('th', { scope: 'row', title: data.places[from] }, rowNames[row]),
    shownPlaces.map((to, column) => heatCell(from, to, row, column)),
    sums ? sumCell(shownPlaces.map((to) => heatValue(from, to))) : null));
  const foot = make('tr', {}, make('th', { scope: 'row', class: 'of' }, 'served here'),
    shownPlaces.map((to) => sumCell(shownPlaces.map((from) => heatValue(from, to)))), make('td', { class: 'sum' }));
  byId('heat').replaceChildren(make('table', {
    class: `heat ${heat.detail}`, 'aria-label': `Traffic from zone to zone, ${heatTitle()}`,
    style: `--heat-width:${heatSide + (shownPlaces.length + 1) * 26}px`, onkeydown: moveInHeat,
  }, make('thead', {}, head), make('tbody', {}, rows, sums ? foot : null)));
  drawHeatTexts();
}

function drawHeatTexts() {
  const what = heat.detail === 'share' ? 'Share of all traffic' : `Gigabytes${perPeriod}`;
  byId('heat-note').textContent = heat.view === 'change'
    ? `What changes with ${variantTitle(choice.variant)}.`
    : `${what}, ${heat.view === 'now' ? 'as configured now' : `with ${variantTitle(choice.variant)}`}.`;
  const [good, bad] = heat.view === 'change'
    ? ['more local or less crossing', 'the opposite'] : ['stays in its zone', 'leaves its zone'];
  document.querySelector('.heat-key').replaceChildren(
    make('span', { class: 'key stays' }), good, make('span', { class: 'key leaves' }), bad);
}

function startHeat() {
  drawSwitch(byId('heat-view'), [['now', 'Now'], ['then', 'Chosen'], ['change', 'Change']], heat.view, (view) => {
    heat.view = view;
    drawHeat();
  });
  drawToWidth(byId('heat'), drawHeat);
}
