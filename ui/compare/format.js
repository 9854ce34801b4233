// SPDX-License-Identifier: Apache-2.0
// Figures as a person reads them. One locale, so that a page looks alike wherever it is opened.

const decimals = (digits) => new Intl.NumberFormat('en', {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
});
const whole = decimals(0);
const tenths = decimals(1);
const cents = decimals(2);

// Differences are shown in the minus sign, not the hyphen.
const signed = (value, text) => (value > 0 ? `+${text}` : value < 0 ? `−${text}` : text);

// What is not quite nothing or everything never looks like it.
function percent(share) {
  const value = Math.abs(share) * 100;
  if (value > 0 && value < 0.05) return '<0.1%';
  if (value < 100 && value > 99.95) return '>99.9%';
  const fine = (value < 9.95 || (value > 99 && value < 100)) && Math.abs(value - Math.round(value)) >= 0.05;
  return `${(fine ? tenths : whole).format(value)}%`;
}

function gigabytes(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${cents.format(size / 1e6)} PB`;
  if (size >= 1e3) return `${(size < 99950 ? tenths : whole).format(size / 1e3)} TB`;
  if (size >= 9.95 || size === 0) return `${whole.format(size)} GB`;
  return `${(size >= 0.95 ? tenths : cents).format(size)} GB`;
}
const gigabyteChange = (value) => (Math.abs(value) < 0.005 ? gigabytes(0) : signed(value, gigabytes(value)));

function money(value) {
  const size = Math.abs(value);
  const digits = size >= 9.995 || size === 0 ? whole : size >= 0.0995 ? cents : decimals(4);
  const number = digits.format(size);
  return data.currency.length === 3 ? `${number} ${data.currency}` : `${data.currency}${number}`;
}
const moneyChange = (value) => (Math.abs(value) < 0.00005 ? money(0) : signed(value, money(value)));

const overload = (value) => (value > 0 ? `+${percent(value)}` : 'none');
const perPeriod = data.period ? ` a ${data.period}` : '';
const plural = (count, noun) => `${whole.format(count)} ${noun}${count === 1 ? '' : 's'}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// "balanced at θ = 20%", "prefer-same-zone".
function variantTitle(index) {
  const { name, theta } = variants[index];
  return theta === null ? name : `balanced at θ = ${thetaText(theta)}`;
}
const thetaText = (theta) => (theta === 'inf' ? '∞' : theta === 0 ? '0' : percent(theta));
const variantShort = (index) => (variants[index].theta === null
  ? variants[index].name
  : `balanced ${thetaText(variants[index].theta)}`);
