// SPDX-License-Identifier: Apache-2.0
// The comparison page as a browser sees it.
//   node comparison_page_test.mjs EXAMPLE_PAGES    (the program that writes the pages)
// Exit code 77: there is no browser, and nothing of this was shown.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Browser, findBrowser } from '../../../tools/js/browser.mjs';

if (!findBrowser()) {
  console.log('skipped: no chromium in the path, so the page cannot be opened');
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'proxima-comparison-page-'));
execFileSync(process.argv[2], [folder]);
const fileOf = (name) => join(folder, `${name}.html`);
const source = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const probe = `(() => { ${source('contrast.js')} return (${source('probe.js')})(); })()`;

let browser;
before(async () => { browser = await Browser.start(); });
after(async () => {
  await browser.stop();
  rmSync(folder, { recursive: true });
});

// What holds on every page, at every width and in both themes.
const kAlways = {
  state: 'ready', errors: 'none', 'sticks out by': 0, 'elements outside': 'none', 'faint texts': 'none', fetched: 0,
  clipped: 'none', 'unlabelled points': 0, 'unnamed controls': 0,
};

const kExample = {
  points: 14,
  'points on the line': 8,
  'dominated points': 4,  // as-configured, cluster-wide, auto, zone-aware
  cells: 9,               // three zones; nothing is without a zone, so that place is hidden
  bars: 10,
  policies: 14,
  tiles: 4,
  reasons: 3,
  rows: 25,
  'heat map follows the choice': true,
  'lede follows the choice': true,
  'a key chooses a point': true,
  'one point is pressed': 1,
  'focus shows the tooltip': true,
  'escape hides it': true,
  'heat map views differ': 3,
  'arrows move in the heat map': '1',
  'sorted by name': true,
  'sorted the other way': 'descending',
  'lines of a detail': 14,
  'reasons in a detail': 14,
  'sticks out with a row open by': 0,
  filtered: '1–2 of 2 services',
  'filtered to nothing': 'No service matches',
  'one reason': '1–3 of 3 services',
  'next page': '26–41 of 41 services',
};

// Opens a page, uses it as a person would, and compares what was found with what is expected.
const shows = (title, name, look, expected) => test(title, { timeout: 180000 }, async () => {
  const tab = await browser.open({ height: 950, ...look });
  try {
    await tab.send('Page.navigate', { url: `file://${fileOf(name)}` });
    await tab.until('document.documentElement?.dataset.state');
    await tab.settled();
    const found = await tab.read(probe);
    const wanted = { ...kAlways, ...expected };
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((key) => [key, found[key]])), wanted);
    assert.deepEqual(tab.errors, []);
  } finally {
    await tab.close();
  }
});

for (const [width, dark] of [[1280, false], [1280, true], [1920, false], [820, false], [400, false], [400, true], [380, false]]) {
  const theme = dark ? 'dark' : 'light';
  shows(`shows every chart and answers every control at width ${width}, ${theme}`, 'example', { width, dark }, { ...kExample, width, theme });
}

shows('shows names as text whatever they hold', 'script_in_a_name', {}, {
  smuggled: 'undefined',
  'first service': 'checkout/</script><script>window.smuggled=1</script><img src=x onerror=alert(1)>',
});

shows('speaks of gigabytes when no price is known', 'without_price', { width: 400 }, kExample);

shows('is drawn for a cluster without services', 'no_services', {}, { points: 14, bars: 0, rows: 0, reasons: 0 });

for (const zones of [2, 6, 15]) {
  for (const width of [1280, 400]) {
    shows(`clips no cell of ${zones} zones at width ${width}`, `zones_${zones}`, { width }, { cells: zones * zones });
  }
}

shows('is drawn for one policy alone', 'one_policy', {}, { points: 1, 'dominated points': 0, bars: 0, cells: 9 });

shows('shows 10,000 services a page at a time', 'ten_thousand_services', {}, { rows: 25, 'next page': '26–50 of 10,000 services' });
test('10,000 services fit into 6 MB', () => assert.ok(statSync(fileOf('ten_thousand_services')).size < 6_000_000));
