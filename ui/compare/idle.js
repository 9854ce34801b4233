// SPDX-License-Identifier: Apache-2.0
// Settings that have no effect: why, for whom, and what can be done.

const idleNamed = 3;

function idleItem(group) {
  const named = group.services.slice(0, idleNamed).map((i) => `${namespaceOf(i)}/${nameOf(i)}`);
  const more = group.services.length - named.length;
  return make('li', { 'data-code': group.code },
    make('div', { class: 'number' }, whole.format(group.services.length)),
    make('div', { class: 'what' }, capital(group.sentence)),
    make('div', { class: 'who' }, `${named.join(', ')}${more > 0 ? ` and ${whole.format(more)} more` : ''} · ${gigabytes(group.gb)}`),
    group.remedy ? make('div', { class: 'remedy' }, capital(group.remedy)) : null,
    make('button', { type: 'button', onclick: () => showOnly(group.code) },
      group.services.length === 1 ? 'Show it in the table' : 'Show them in the table'));
}

function drawIdle() {
  const digits = Math.max(0, ...data.idle.map((group) => whole.format(group.services.length).length));
  byId('idle').style.setProperty('--digits', digits);
  byId('idle').replaceChildren(...(data.idle.length
    ? data.idle.map(idleItem)
    : [make('li', { class: 'empty', style: 'display:block' }, 'Every service that asks for locality gets it.')]));
}
