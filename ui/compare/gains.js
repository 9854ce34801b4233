// SPDX-License-Identifier: Apache-2.0
// The services for which the chosen policy makes the greatest difference.

const gainsShown = 10;

function gainOf(service) {
  const before = outcome(service, now);
  const after = outcome(service, choice.variant);
  const gained = hasPrice ? before.money - after.money : before.crossGb - after.crossGb;
  return { service, before, after, gained };
}

function topGains() {
  return Array.from({ length: serviceCount }, (_, service) => gainOf(service))
    .filter(({ gained }) => gained > 1e-6)
    .sort((a, b) => b.gained - a.gained).slice(0, gainsShown);
}

const gainText = (gained) => (hasPrice ? money(gained) : gigabytes(gained));

function gainRow({ service, before, after, gained }, most) {
  const width = (gb) => `width:${(gb / most) * 100}%`;
  const label = `${namespaceOf(service)}/${nameOf(service)}: ${gigabytes(before.crossGb)} cross-zone now, ${gigabytes(after.crossGb)} with ${variantShort(choice.variant)}; ${hasPrice ? 'saves' : 'keeps local'} ${gainText(gained)}; worst overload ${overload(after.overload)}`;
  const row = make('li', { class: 'gain', tabindex: 0, 'aria-label': label, 'data-service': service },
    make('div', { class: 'name' }, serviceLabel(service)),
    make('div', { class: 'bar' }, make('span', { class: 'ghost', style: width(before.crossGb) }),
      make('span', { class: 'solid', style: width(after.crossGb) })),
    make('div', { class: 'right volume' }, `${gigabytes(before.crossGb)} → ${gigabytes(after.crossGb)}`),
    make('div', { class: 'right' }, make('b', {}, `−${gainText(gained)}`)),
    make('div', { class: 'right' }, overload(after.overload)));
  return withTooltip(row, () => tooltipContent(`${namespaceOf(service)}/${nameOf(service)}`, [
    ['Traffic', gigabytes(after.gb)],
    ['Cross-zone', `${percent(before.cross)} → ${percent(after.cross)}`],
    ['Worst overload', `${overload(before.overload)} → ${overload(after.overload)}`],
  ], capital(after.sentence)));
}

function drawGains() {
  const gains = topGains();
  const most = Math.max(1e-9, ...gains.flatMap(({ before, after }) => [before.crossGb, after.crossGb]));
  const head = make('li', { class: 'gain gain-head', 'aria-hidden': 'true' }, make('div', {}, 'Service'),
    make('div', { class: 'bar' }), make('div', { class: 'right volume' }, 'Cross-zone'),
    make('div', { class: 'right' }, hasPrice ? 'Saves' : 'Kept'), make('div', { class: 'right' }, 'Overload'));
  byId('gains').replaceChildren(...(gains.length
    ? [head, ...gains.map((gain) => gainRow(gain, most))]
    : [make('li', { class: 'empty' }, `No service sends less traffic across zones with ${variantTitle(choice.variant)}.`)]));
  byId('gains-note').textContent = `Cross-zone gigabytes${perPeriod}, now against ${variantTitle(choice.variant)}, and the overload that it brings them.`;
}
