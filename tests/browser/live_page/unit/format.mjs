// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { bound, capital, gigabytes, load, measuredOverload, money, overload, percent, plural, policyTitle, rate, sentence } from '../../../../ui/live/src/format';

const table = (name, figure, rows) => test(name, () => {
  for (const [value, text] of rows) assert.equal(figure(value), text, `${name} of ${value}`);
});

table('a share is never rounded to nothing or everything', percent, [
  [0, '0%'], [0.0001, '<0.1%'], [0.004, '0.4%'], [0.05, '5%'], [0.054, '5.4%'], [0.71, '71%'], [0.714, '71%'], [0.995, '99.5%'], [0.9999, '>99.9%'], [1, '100%'], [1 - 1e-16, '100%'], [1e-17, '0%'], [null, '–'], [NaN, '–'],
]);
table('overload has a sign, or is none', overload, [[0, 'none'], [0.0001, 'none'], [0.2, '+20%'], [1.5, '+150%'], [null, '–']]);
table('an overload that nobody knows yet is being measured', (worstOverload) => measuredOverload({ worstOverload }), [[null, 'measuring'], [0, 'none'], [0.2, '+20%']]);
table('a bound may be missing or infinite', bound, [[null, ''], ['inf', '∞'], [0, '0%'], [0.2, '20%'], ['0.2', '20%']]);
table('rates are short', rate, [[0, '0'], [0.3, '0.3'], [20.14, '20.1'], [150.4, '150'], [12345, '12.3k'], [null, '–']]);
table('loads are multiples of the fair share', load, [[1, '1.00×'], [1.204, '1.20×'], [null, '–']]);
table('dollars have cents while they are few', (value) => money(value, '$'), [[0, '$0'], [1e-16, '$0'], [0.001, '<$0.01'], [4.1, '$4.10'], [1234.5, '$1,235'], [-3, '−$3.00'], [null, '–']]);
table('codes of currencies stand behind', (value) => money(value, 'EUR'), [[4.1, '4.10 EUR'], [0.001, '<0.01 EUR']]);
table('volumes have the unit that fits', gigabytes, [[0, '0 GB'], [0.5, '0.50 GB'], [310, '310 GB'], [2500, '2.5 TB'], [3e6, '3.00 PB']]);
table('sentences of the reason table become sentences', sentence, [['no endpoint is ready', 'No endpoint is ready.'], ['Done.', 'Done.'], ['', '']]);

test('words follow numbers', () => {
  assert.equal(plural(1, 'node'), '1 node');
  assert.equal(plural(1000, 'policy'), '1,000 policies');
  assert.equal(capital('auto'), 'Auto');
});

test('a policy is named with its bound where it has one', () => {
  assert.equal(policyTitle('balanced', 0.2), 'balanced θ 20%');
  assert.equal(policyTitle('balanced', 'inf'), 'balanced θ ∞');
  assert.equal(policyTitle('balanced', null), 'balanced');
  assert.equal(policyTitle('auto', 0.2), 'auto');
  assert.equal(policyTitle('', null), 'none');
});
