// SPDX-License-Identifier: Apache-2.0
// What every part of the page stands on: the figures, the choice of policy, and making elements.
// The page draws figures that `proxima compare` worked out; it decides nothing itself.
'use strict';

// A fault leaves a mark that a reader, or a test, can see.
window.addEventListener('error', (event) => {
  const root = document.documentElement;
  root.dataset.errors = `${root.dataset.errors || ''}${event.message}\n`;
});

const data = JSON.parse(document.getElementById('data').textContent);
const variants = data.variants;
const services = data.services;
const serviceCount = services.name.length;
const hasPrice = data.pricePerGb > 0;
const now = data.now;

const byId = (id) => document.getElementById(id);

// Texts become text nodes, never markup: names in a dump are whatever somebody typed.
function make(tag, attributes = {}, ...children) {
  const space = svgTags.has(tag) ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml';
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}
const svgTags = new Set(['svg', 'g', 'path', 'circle', 'rect', 'line', 'text', 'defs', 'pattern']);

// A column of equal values was written as one.
const at = (column, i) => (Array.isArray(column) ? column[i] : column);

// One service under one variant.
function outcome(service, variant) {
  const columns = services.outcomes[variant];
  const cross = at(columns.cross, service) / 1e4;
  const gb = services.gb[service];
  const cost = columns.cost ? columns.cost[service] : cross * services.costOfCross;
  const [sentence, severity] = data.sentences[at(columns.why, service)];
  return {
    local: at(columns.local, service) / 1e4,
    cross,
    rejected: at(columns.rejected, service) / 1e4,
    overload: at(columns.overload, service) / 1e4,
    gb,
    crossGb: cross * gb,
    money: cost * gb * data.pricePerGb,
    sentence,
    severity,
  };
}

const nameOf = (service) => services.name[service];
const namespaceOf = (service) => data.namespaces[at(services.namespace, service)];
const familyOf = (service) => at(services.family, service);
const hasSixes = Array.isArray(services.family);

// "namespace/name" as nodes: the part that differs stands out.
const serviceLabel = (service) => [
  make('span', { class: 'ns' }, `${namespaceOf(service)}/`),
  nameOf(service),
  hasSixes && familyOf(service) === 6 ? make('span', { class: 'tag' }, 'IPv6') : null,
];

const moneyOf = (variant) => variants[variant].cost * data.pricePerGb;

// The one choice of the page: which variant is held against what is configured now.
const choice = {
  variant: data.recommended,
  listeners: [],
  set(variant) {
    this.variant = variant;
    this.listeners.forEach((listener) => listener());
  },
};

// Draws now, and again whenever the holder has another width.
function drawToWidth(holder, draw) {
  let width = holder.clientWidth;
  draw();
  new ResizeObserver(() => {
    if (holder.clientWidth === width) return;
    width = holder.clientWidth;
    draw();
  }).observe(holder);
}

// A group of buttons of which one is pressed.
function drawSwitch(holder, options, current, choose) {
  holder.replaceChildren(...options.map(([value, text]) => make('button', {
    type: 'button',
    'aria-pressed': String(value === current),
    'data-value': value,
    onclick: () => {
      for (const button of holder.children) {
        button.setAttribute('aria-pressed', String(button.dataset.value === value));
      }
      choose(value);
    },
  }, text)));
}
