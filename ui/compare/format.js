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

function percent(share) {
  const value = share * 100;
  const small = Math.abs(value) < 9.95 && Math.abs(value - Math.round(value)) >= 0.05;
  return `${(small ? tenths : whole).format(value)}%`;
}

function gigabytes(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${cents.format(size / 1e6)} PB`;
  if (size >= 1e3) return `${(size < 99950 ? tenths : whole).format(size / 1e3)} TB`;
  if (size >= 9.95 || size === 0) return `${whole.format(size)} GB`;
  return `${(size >= 0.95 ? tenths : cents).format(size)} GB`;
}
const gigabyteChange = (value) => signed(Math.abs(value) < 0.005 ? 0 : value, gigabytes(value));

function money(value) {
  const size = Math.abs(value);
  const number = size >= 9.995 || size === 0 ? whole.format(size) : cents.format(size);
  return data.currency.length === 3 ? `${number} ${data.currency}` : `${data.currency}${number}`;
}
const moneyChange = (value) => signed(Math.abs(value) < 0.005 ? 0 : value, money(value));

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
