// SPDX-License-Identifier: Apache-2.0
// Figures as a person reads them. One locale, so that the page looks alike wherever it is opened.

const decimals = (digits: number) => new Intl.NumberFormat('en', {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
});
const whole = decimals(0);
const tenths = decimals(1);
const cents = decimals(2);

export const unknown = '–';

// What is not quite nothing or everything never looks like it.
export function percent(share: number | null | undefined): string {
  if (share == null || !Number.isFinite(share)) return unknown;
  const value = Math.round(Math.abs(share) * 1e10) / 1e8;  // sums of shares are not quite 1
  if (value > 0 && value < 0.05) return '<0.1%';
  if (value < 100 && value > 99.95) return '>99.9%';
  const exact = (value < 9.95 || (value > 99 && value < 100)) && Math.abs(value - Math.round(value)) >= 0.05;
  return `${(exact ? tenths : whole).format(value)}%`;
}

// Overload is how far above the fair share the busiest endpoint is.
export function overload(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return unknown;
  return value > 0.0005 ? `+${percent(value)}` : 'none';
}

// Of what was measured: no figure is better than one that chance made.
export const measuredOverload = (measured: { worstOverload: number | null }): string =>
  (measured.worstOverload === null ? 'measuring' : overload(measured.worstOverload));

// The bound that goes with a policy: a number, "inf", or nothing.
export function bound(value: number | string | null | undefined): string {
  if (value == null) return '';
  if (value === 'inf') return '∞';
  return Number(value) === 0 ? '0%' : percent(Number(value));
}

export function policyTitle(policy: string | null, theta: number | string | null | undefined): string {
  if (!policy) return 'none';
  return policy === 'balanced' && theta != null ? `balanced θ ${bound(theta)}` : policy;
}

export function rate(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return unknown;
  const size = Math.abs(value);
  if (size >= 9999.5) return `${tenths.format(value / 1000)}k`;
  return (size >= 99.5 || size < 0.05 ? whole : tenths).format(value);
}

// A load of 1 is the fair share.
export const load = (value: number | null | undefined): string =>
  (value == null || !Number.isFinite(value) ? unknown : `${cents.format(value)}×`);

export function money(value: number | null | undefined, currency: string): string {
  if (value == null || !Number.isFinite(value)) return unknown;
  const size = Math.abs(value) < 1e-9 ? 0 : Math.abs(value);
  if (size > 0 && size < 0.005) return currency.length === 3 ? `<0.01 ${currency}` : `<${currency}0.01`;
  const digits = size >= 999.5 || size === 0 ? whole : cents;
  const text = currency.length === 3 ? `${digits.format(size)} ${currency}` : `${currency}${digits.format(size)}`;
  return value < 0 ? `−${text}` : text;
}

export function gigabytes(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return unknown;
  if (value >= 1e6) return `${cents.format(value / 1e6)} PB`;
  if (value >= 1e3) return `${(value < 99950 ? tenths : whole).format(value / 1e3)} TB`;
  if (value >= 9.95 || value === 0) return `${whole.format(value)} GB`;
  return `${(value >= 0.95 ? tenths : cents).format(value)} GB`;
}

export const plural = (count: number, noun: string): string =>
  `${whole.format(count)} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// Sentences of the reason table have neither a capital nor a full stop, so that they fit anywhere.
export const sentence = (text: string): string => (text ? `${capital(text).replace(/[.]$/, '')}.` : '');

const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
export const clock = (unixSeconds: number): string => clockFormat.format(new Date(unixSeconds * 1000));

export const zoneName = (zone: string): string => zone || 'no zone';
