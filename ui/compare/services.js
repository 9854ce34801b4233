// SPDX-License-Identifier: Apache-2.0
// Every service under every policy: sorted, filtered, a page at a time, so that 10,000 of them are
// as quick as ten.

const rowsShown = 25;
const table = { figure: 'cross', sort: 'gain', falling: true, text: '', reason: '', page: 0, open: new Set() };

const figures = {
  cross: { name: 'Cross-zone', value: (o) => o.cross, text: (o) => percent(o.cross) },
  overload: { name: 'Overload', value: (o) => o.overload, text: (o) => overload(o.overload) },
  volume: { name: 'Gigabytes', value: (o) => o.crossGb, text: (o) => gigabytes(o.crossGb) },
  ...(hasPrice ? { money: { name: 'Money', value: (o) => o.money, text: (o) => money(o.money) } } : {}),
};

// The columns: what is configured, each other policy, and of `balanced` the θ that is chosen.
function shownVariants() {
  const balanced = variants[choice.variant].theta !== null ? choice.variant : data.recommended;
  const rest = otherIndices.filter((index) => index !== now);
  return [now, ...rest, ...(otherIndices.includes(balanced) ? [] : [balanced])];
}

const sortKeys = {
  name: (service) => `${namespaceOf(service)}/${nameOf(service)}`,
  gb: (service) => services.gb[service],
  gain: (service) => gainOf(service).gained,
  why: (service) => outcome(service, now).sentence,
};
const keyOf = (service) => (table.sort in sortKeys
  ? sortKeys[table.sort](service)
  : figures[table.figure].value(outcome(service, Number(table.sort))));

function matchingServices() {
  const words = table.text.toLowerCase().split(/\s+/).filter(Boolean);
  const group = data.idle.find(({ code }) => code === table.reason);
  const pool = group ? group.services : Array.from({ length: serviceCount }, (_, i) => i);
  const found = pool.filter((service) => {
    const name = `${namespaceOf(service)}/${nameOf(service)}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  const keys = new Map(found.map((service) => [service, keyOf(service)]));
  const order = table.falling ? -1 : 1;
  return found.sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    return x === y ? a - b : (x < y ? -order : order);
  });
}

function sortBy(key) {
  table.falling = table.sort === key ? !table.falling : key !== 'name' && key !== 'why';
  table.sort = key;
  table.page = 0;
  drawServices();
  byId('table').querySelector(`th[data-sort="${key}"] button`).focus();
}

function headCell(key, text, sub, style) {
  const sorted = table.sort === key ? (table.falling ? 'descending' : 'ascending') : null;
  return make('th', { scope: 'col', class: style, 'aria-sort': sorted, 'data-sort': key },
    make('button', { type: 'button', onclick: () => sortBy(key) }, text),
    sub ? make('span', { class: 'hidden' }, sub) : null);
}

// The narrower the screen, the fewer columns; every figure stays a tap away in the row's detail.
function columnClass(variant) {
  if (variant === choice.variant) return 'chosen';
  return variant === now ? '' : 'major';
}

const reasonNodes = ({ sentence, severity }) => [
  ['fallback', 'refused', 'broken'].includes(severity) ? make('span', { class: 'flag', title: 'has no effect' }) : null,
  capital(sentence),
];

function valueCell(service, variant, most) {
  const result = outcome(service, variant);
  const { value, text } = figures[table.figure];
  const share = most > 0 ? value(result) / most : 0;
  return make('td', { class: `value ${columnClass(variant)}` }, text(result),
    share > 0.002 ? make('i', { style: `width:${(52 * Math.min(1, share)).toFixed(1)}px` }) : null);
}

function detailRow(service, columns) {
  const lines = [...otherIndices, ...balancedIndices].map((variant) => {
    const result = outcome(service, variant);
    return make('tr', { class: variant === choice.variant ? 'chosen' : null },
      make('th', { scope: 'row' }, variantShort(variant)),
      make('td', {}, percent(result.local)), make('td', { class: 'extra' }, percent(result.cross)),
      make('td', {}, overload(result.overload)),
      make('td', { class: 'extra' }, gigabytes(result.crossGb)),
      hasPrice ? make('td', { class: 'extra' }, money(result.money)) : null,
      make('td', { class: 'why text' }, reasonNodes(result)));
  });
  return make('tr', { class: 'detail' }, make('td', { colspan: columns }, make('table', { class: 'figures' },
    make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Policy'), make('th', { scope: 'col' }, 'Local'),
      make('th', { scope: 'col', class: 'extra' }, 'Cross-zone'), make('th', { scope: 'col' }, 'Overload'),
      make('th', { scope: 'col', class: 'extra' }, 'Traffic'), hasPrice ? make('th', { scope: 'col', class: 'extra' }, 'Cost') : null,
      make('th', { scope: 'col', class: 'text' }, 'Why'))),
    make('tbody', {}, lines))));
}

function toggleRow(service) {
  if (!table.open.delete(service)) table.open.add(service);
  drawServices();
  byId('table').querySelector(`.row[data-service="${service}"] .open`).focus();
}

function serviceRow(service, shown, most) {
  const before = outcome(service, now);
  const { gained } = gainOf(service);
  const change = hasPrice ? moneyChange(-gained) : gigabyteChange(-gained);
  return make('tr', {
    class: 'row', 'data-service': service,
    onclick: (event) => { if (!event.target.closest('button')) toggleRow(service); },
  },
  make('th', { scope: 'row' }, make('button', {
    type: 'button', class: 'open', 'aria-expanded': String(table.open.has(service)), onclick: () => toggleRow(service),
  }, make('span', {}, serviceLabel(service)))),
  make('td', { class: 'major' }, gigabytes(services.gb[service])),
  shown.map((variant) => valueCell(service, variant, most)),
  make('td', {}, change),
  make('td', { class: `why minor ${before.severity}` }, make('div', { class: 'clamp' }, reasonNodes(before))));
}

function drawServices() {
  const shown = shownVariants();
  const found = matchingServices();
  const pages = Math.max(1, Math.ceil(found.length / rowsShown));
  table.page = Math.min(table.page, pages - 1);
  const rows = found.slice(table.page * rowsShown, (table.page + 1) * rowsShown);
  const value = figures[table.figure].value;
  const most = Math.max(0, ...rows.flatMap((service) => shown.map((variant) => value(outcome(service, variant)))));
  const columns = shown.length + 4;
  byId('table').replaceChildren(make('table', { class: 'figures services' },
    make('thead', {}, make('tr', {}, headCell('name', 'Service'), headCell('gb', 'Traffic', '', 'major'),
      shown.map((variant) => headCell(String(variant), variantShort(variant), figures[table.figure].name, columnClass(variant))),
      headCell('gain', hasPrice ? 'Cost change' : 'Change', `with ${variantTitle(choice.variant)}`),
      headCell('why', 'Why, as configured', '', 'minor text'))),
    make('tbody', {}, rows.length
      ? rows.map((service) => [serviceRow(service, shown, most), table.open.has(service) ? detailRow(service, columns) : null]).flat()
      : make('tr', {}, make('td', { class: 'empty', colspan: columns }, 'No service matches.')))));
  drawPager(found.length, pages);
}

function drawPager(count, pages) {
  const first = table.page * rowsShown + 1;
  const last = Math.min(count, first + rowsShown - 1);
  byId('count').textContent = count > 0
    ? `${whole.format(first)}–${whole.format(last)} of ${plural(count, 'service')}` : 'No service matches';
  byId('previous').disabled = table.page === 0;
  byId('next').disabled = table.page >= pages - 1;
}

// From the list of idle settings: the same reason in the table.
function showOnly(code) {
  byId('filter-reason').value = code;
  table.reason = code;
  table.page = 0;
  drawServices();
  byId('services').scrollIntoView();
  byId('services').focus({ preventScroll: true });
}

function turnPage(step) {
  table.page += step;
  drawServices();
}

function startServices() {
  drawSwitch(byId('figure'), Object.entries(figures).map(([key, { name }]) => [key, name]), table.figure, (figureName) => {
    table.figure = figureName;
    drawServices();
  });
  byId('filter').addEventListener('input', (event) => {
    table.text = event.target.value;
    table.page = 0;
    drawServices();
  });
  byId('filter-reason').append(make('option', { value: '' }, 'Any reason'),
    ...data.idle.map(({ code, services: of }) => make('option', { value: code }, `No effect: ${code.replaceAll('_', ' ')} (${of.length})`)));
  byId('filter-reason').addEventListener('change', (event) => {
    table.reason = event.target.value;
    table.page = 0;
    drawServices();
  });
  byId('previous').addEventListener('click', () => turnPage(-1));
  byId('next').addEventListener('click', () => turnPage(1));
  drawServices();
}
