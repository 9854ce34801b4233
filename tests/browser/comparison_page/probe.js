// SPDX-License-Identifier: Apache-2.0
// Runs inside the page after it has drawn itself, uses it as a person would, and returns what it
// found by name. Needs contrast.js before it.
() => {
  const found = {};
  const report = (name, value) => { found[name] = value; };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const count = (name, selector) => report(name, all(selector).length);
  const press = (element, key) => element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const change = (element, value, event) => {
    element.value = value;
    element.dispatchEvent(new Event(event, { bubbles: true }));
  };
  const heatText = () => all('#heat .cell').map((cell) => cell.textContent).join(' ');

  const { contrast, isFaint, theme } = readability();
  const visible = (element) => element.getClientRects().length > 0 && !element.closest('.hidden, .skip, :disabled');

  function looks() {
    const root = document.documentElement;
    report('width', window.innerWidth);
    report('sticks out by', root.scrollWidth - root.clientWidth);
    const outside = all('body *').filter((e) => visible(e) && !e.closest('.scroll')
      && e.getBoundingClientRect().right > root.clientWidth + 0.5);
    report('elements outside', outside.map((e) => `${e.tagName}.${e.className}`).join(' ') || 'none');
    const clipped = all('#heat .cell, #heat th, .idle .number').filter((e) => e.scrollWidth > e.clientWidth + 1);
    report('clipped', clipped.map((e) => e.textContent).join(' ') || 'none');
    report('theme', theme());
    const faint = all('body *').filter((e) => visible(e) && isFaint(e));
    report('faint texts', faint.map((e) => `"${e.textContent.slice(0, 30)}" ${contrast(e).toFixed(2)}`).join(', ') || 'none');
    report('fetched', performance.getEntriesByType('resource').length);
  }

  function charts() {
    count('points', '#frontier .point');
    count('points on the line', '#frontier .point circle.mark');
    count('dominated points', '#frontier .beaten');
    count('cells', '#heat .cell');
    count('bars', '#gains .gain[data-service] .bar');
    count('policies', '#policies tbody tr');
    count('tiles', '#tiles .tile');
    count('reasons', '#idle li[data-code]');
    count('rows', '#table .row');
    report('unlabelled points', all('.point').filter((p) => !p.getAttribute('aria-label')).length);
    report('unnamed controls', all('button, select, input').filter((e) => !e.textContent.trim()
      && !e.getAttribute('aria-label') && !e.labels?.length).length);
    report('first service', document.querySelector('#table .row .open')?.textContent || 'none');
  }

  function choosing() {
    const before = heatText();
    change(document.getElementById('policy'), '1', 'change');
    report('heat map follows the choice', heatText() !== before);
    report('lede follows the choice', document.getElementById('lede').textContent.startsWith('Cluster-wide'));
    const point = document.querySelector('.point[data-variant="3"]');
    press(point, 'Enter');
    report('a key chooses a point', document.getElementById('policy').value === '3'
      && document.activeElement.dataset.variant === '3');
    report('one point is pressed', all('.point[aria-pressed="true"]').length);
    const tip = document.getElementById('tooltip');
    report('focus shows the tooltip', !tip.hidden && tip.textContent.includes('prefer-same-zone'));
    press(document.activeElement, 'Escape');
    report('escape hides it', tip.hidden);
    change(document.getElementById('policy'), String(data.recommended), 'change');
  }

  function heatMap() {
    const texts = new Set(all('#heat-view button').map((button) => { button.click(); return heatText(); }));
    report('heat map views differ', texts.size);
    document.querySelector('#heat-view [data-value="then"]').click();
    document.querySelector('#heat .cell[tabindex="0"]').focus();
    press(document.activeElement, 'ArrowRight');
    report('arrows move in the heat map', document.activeElement.dataset.column);
    document.activeElement.blur();
  }

  const names = () => all('#table .row .open').map((e) => e.textContent);
  function tables() {
    document.querySelector('th[data-sort="name"] button').click();
    const rising = names();
    report('sorted by name', String(rising) === String([...rising].sort()));
    document.querySelector('th[data-sort="name"] button').click();
    report('sorted the other way', document.querySelector('th[data-sort="name"]').getAttribute('aria-sort'));
    document.querySelector('#table .open').click();
    count('lines of a detail', '#table .detail tbody tr');
    report('reasons in a detail', all('#table .detail td.why').filter((e) => e.textContent.trim()).length);
    report('sticks out with a row open by', document.documentElement.scrollWidth - document.documentElement.clientWidth);
    document.querySelector('#table .open').click();
    change(document.getElementById('filter'), 'CHECKOUT cart', 'input');
    report('filtered', document.getElementById('count').textContent);
    change(document.getElementById('filter'), 'no such service', 'input');
    report('filtered to nothing', document.getElementById('count').textContent);
    change(document.getElementById('filter'), '', 'input');
    document.querySelector('#idle button').click();
    report('one reason', document.getElementById('count').textContent);
    change(document.getElementById('filter-reason'), '', 'change');
    document.getElementById('next').click();
    report('next page', document.getElementById('count').textContent);
    for (const button of all('#figure button, #measure button')) button.click();
  }

  report('state', document.documentElement.dataset.state);
  report('smuggled', String(window.smuggled));
  looks();
  charts();
  if (document.querySelector('#table .row') && data.variants.length > 3) {
    choosing();
    heatMap();
    tables();
  }
  report('errors', (document.documentElement.dataset.errors || 'none').replaceAll('\n', ' '));
  return found;
}
