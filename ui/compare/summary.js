// SPDX-License-Identifier: Apache-2.0
// The answer first: one sentence, and four figures.

function drawFacts() {
  const zones = data.places.filter((place) => place !== 'no zone').length;
  byId('facts').textContent = [
    data.source, plural(zones, 'zone'), plural(data.nodes, 'node'),
    plural(serviceCount, 'service'), plural(data.endpoints, 'endpoint'),
  ].filter(Boolean).join(' · ');
}

function drawLede() {
  const then = variants[choice.variant];
  const lede = byId('lede');
  if (serviceCount === 0) {
    lede.textContent = 'No service has a ready endpoint, so there is nothing to compare.';
    return;
  }
  const load = then.worst > 0
    ? `no endpoint carries more than ${percent(then.worst)} above its fair share`
    : 'no endpoint carries more than its fair share';
  const subject = variantTitle(choice.variant);
  lede.replaceChildren(
    make('em', {}, capital(subject)),
    ` keeps ${percent(then.local)} of the traffic in its zone`,
    choice.variant === now ? '' : ` (${percent(variants[now].local)} now)`,
    `, and ${load}.`,
  );
}

const figure = (...parts) => make('div', { class: 'figure' }, ...parts);
const fromTo = (before, after) => (before === after
  ? figure(make('span', {}, after))
  : figure(make('span', { class: 'was' }, before), make('span', { class: 'arrow' }, '→'),
    make('span', {}, after)));

function tile(id, title, ...body) {
  return make('div', { class: 'tile', id }, make('h3', {}, title), ...body);
}

function meter(before, after) {
  return make('div', { class: 'meter', 'aria-hidden': 'true' },
    make('span', { class: 'ghost', style: `width:${before * 100}%` }),
    make('span', { class: 'solid', style: `width:${after * 100}%` }));
}

function crossTile() {
  const before = variants[now];
  const after = variants[choice.variant];
  const refused = after.rejected > 0
    ? ` ${percent(after.rejected)} finds no endpoint at all.` : '';
  return tile('tile-cross', 'Cross-zone share of traffic',
    fromTo(percent(before.cross), percent(after.cross)),
    meter(before.cross, after.cross),
    make('p', {}, `${gigabytes(before.cross * before.gb)} now, ${gigabytes(after.cross * after.gb)} with ${variantShort(choice.variant)}, of ${gigabytes(after.gb)}${perPeriod}.${refused}`));
}

function savingTile() {
  const before = variants[now];
  const after = variants[choice.variant];
  if (!hasPrice) {
    const kept = before.cross * before.gb - after.cross * after.gb;
    return tile('tile-saving', kept < 0 ? 'More cross-zone traffic' : 'Traffic brought home',
      figure(gigabytes(kept)),
      make('p', {}, `Gigabytes${perPeriod} that ${kept < 0 ? 'would leave' : 'no longer leave'} their zone. Give --price-per-gb to see money.`));
  }
  const saved = moneyOf(now) - moneyOf(choice.variant);
  const share = moneyOf(now) > 0 && saved !== 0 ? ` (${signed(-saved, percent(Math.abs(saved) / moneyOf(now)))})` : '';
  return tile('tile-saving', `${saved < 0 ? 'Extra cost' : 'Saved'}${perPeriod || ' on this traffic'}`,
    figure(money(saved)),
    make('p', {}, `Cross-zone traffic costs ${money(moneyOf(now))} now and ${money(moneyOf(choice.variant))} with ${variantShort(choice.variant)}${share}.`),
    data.period || !data.assumptions.traffic ? null : make('p', {}, `Traffic ${data.assumptions.traffic}.`));
}

function overloadTile() {
  const before = variants[now];
  const after = variants[choice.variant];
  const bound = typeof after.theta === 'number'
    ? `The bound θ allows ${after.theta > 0 ? percent(after.theta) : 'none'}.`
    : 'Nothing bounds it under this policy.';
  return tile('tile-overload', 'Worst overload of an endpoint',
    fromTo(overload(before.worst), overload(after.worst)),
    make('p', {}, `${bound} Average over traffic: ${overload(before.mean)} now, ${overload(after.mean)} then.`));
}

function idleTile() {
  const count = data.idle.reduce((sum, group) => sum + group.services.length, 0);
  const most = data.idle[0];
  return tile('tile-idle', 'Services whose hints do nothing',
    figure(make('span', {}, whole.format(count)),
      make('span', { class: 'was', style: 'font-size:.62em' }, `of ${whole.format(serviceCount)}`)),
    make('p', {}, most
      ? `Most often: ${most.code.replaceAll('_', ' ')} (${most.services.length}). `
      : 'Every service that asks for locality gets it.',
    most ? make('a', { href: '#idle-title' }, 'All reasons') : null));
}

function drawSummary() {
  drawLede();
  byId('tiles').replaceChildren(crossTile(), savingTile(), overloadTile(), idleTile());
}

function drawAssumptions() {
  const load = 'How far the busiest endpoint of a service is above its fair share, which is its weight over the weight of all ready endpoints. The worst of a cluster is the worst of any service; the average weighs services by traffic.';
  const dominated = 'A policy is dominated when another keeps at least as much traffic local with no more overload and no more rejected, and is better in one of the three.';
  const rows = [
    ['Traffic', capital(data.assumptions.traffic)], ['Price', capital(data.assumptions.price)],
    ['Demand', capital(data.assumptions.demand)], ['Overload', load], ['Dominated', dominated],
    ['Read from', data.source],
  ];
  byId('assumptions').replaceChildren(...rows.filter(([, text]) => text).map(([name, text]) =>
    make('div', {}, make('dt', {}, name), make('dd', {}, text))));
  byId('made-by').textContent = `Made by ${data.version}. This file loads nothing from anywhere.`;
}
