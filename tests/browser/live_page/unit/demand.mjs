// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { withShare } from '../../../../ui/live/src/demand';

const thirds = { a: 1 / 3, b: 1 / 3, c: 1 / 3 };
const points = (shares) => Object.fromEntries(Object.entries(shares).map(([zone, share]) => [zone, Math.round(share * 100)]));

for (const [name, shares, zone, share, wanted] of [
  ['others share the rest alike', thirds, 'a', 0.8, { a: 80, b: 10, c: 10 }],
  ['others keep their proportions', { a: 0.2, b: 0.6, c: 0.2 }, 'a', 0.6, { a: 60, b: 30, c: 10 }],
  ['a zone may take everything', thirds, 'b', 1, { a: 0, b: 100, c: 0 }],
  ['and give it back', { a: 0, b: 1, c: 0 }, 'b', 0.5, { a: 25, b: 50, c: 25 }],
  ['an odd point goes to one of them', thirds, 'a', 0.33, { a: 33, b: 34, c: 33 }],
  ['what is out of bounds is brought back', thirds, 'c', 1.7, { a: 0, b: 0, c: 100 }],
  ['one zone alone has all', { a: 1 }, 'a', 0.2, { a: 100 }],
]) {
  test(name, () => {
    const next = points(withShare(shares, zone, share));
    assert.deepEqual(next, wanted);
  });
}

test('every place of every slider makes a whole', () => {
  for (let point = 0; point <= 100; ++point) {
    const sum = Object.values(points(withShare({ a: 0.11, b: 0.23, c: 0.37, d: 0.29 }, 'c', point / 100))).reduce((a, b) => a + b);
    assert.equal(sum, 100, `at ${point}%`);
  }
});
