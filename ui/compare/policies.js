// SPDX-License-Identifier: Apache-2.0
// The figures of the frontier as a table.

function policyCells(index) {
  const variant = variants[index];
  const by = variant.dominatedBy.worst;
  return [
    make('td', {}, percent(variant.local)),
    make('td', { class: 'extra' }, percent(variant.cross)),
    make('td', { class: 'extra' }, variant.rejected > 0 ? percent(variant.rejected) : '–'),
    make('td', {}, overload(variant.worst)),
    make('td', { class: 'extra' }, overload(variant.mean)),
    make('td', { class: 'extra' }, gigabytes(variant.cross * variant.gb)),
    hasPrice ? make('td', {}, money(moneyOf(index))) : null,
    make('td', { class: `text extra${by < 0 ? ' best' : ''}` }, by < 0 ? 'on the frontier' : `beaten by ${variantShort(by)}`),
  ];
}

function policyRow(index) {
  const chosen = index === choice.variant;
  return make('tr', { class: chosen ? 'chosen' : null, 'data-variant': index },
    make('th', { scope: 'row' },
      make('button', { type: 'button', class: 'pick', 'aria-pressed': String(chosen), onclick: () => choice.set(index) }, variantShort(index)),
      index === now ? make('span', { class: 'tag' }, 'now') : null,
      index === data.recommended ? make('span', { class: 'tag blue' }, 'recommended') : null),
    policyCells(index));
}

function drawPolicies() {
  const heads = ['Stays local', ['Cross-zone'], ['Rejected'], 'Worst overload', ['Average overload'], ['Cross-zone traffic']];
  byId('policies').replaceChildren(make('table', { class: 'figures policies' },
    make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Policy'),
      heads.map((head) => make('th', { scope: 'col', class: Array.isArray(head) ? 'extra' : null }, head)),
      hasPrice ? make('th', { scope: 'col' }, `Cost${perPeriod}`) : null,
      make('th', { scope: 'col', class: 'text extra' }, 'By worst overload'))),
    make('tbody', {}, [...otherIndices, ...balancedIndices].map(policyRow))));
}
