// SPDX-License-Identifier: Apache-2.0
// Where everything of the flow map stands. Each zone is a strip; in it, requests start at one bar
// and arrive at another, with the nodes behind that. Strips are columns, or rows where the page is
// narrow. Pure: equal inputs give equal pictures.
import { scaleLinear } from 'd3-scale';
import { linkHorizontal, linkVertical } from 'd3-shape';
import type { ZoneFlow } from './zone_flows';

export interface Box { x: number; y: number; width: number; height: number }
export interface Point { x: number; y: number }

export interface ZoneInput { name: string; nodes: number; rows: number }  // rows: lines of its nodes
export interface LayoutInput {
  width: number;
  em: number;  // the size of the page's type, in pixels: everything grows with it
  zones: ZoneInput[];
  flows: ZoneFlow[];
  most: number;  // of a zone, at which its bar is as long as can be
}

export interface ZoneBox { name: string; box: Box; title: Point; start: Box; end: Box; nodes: Box }
export interface Link { from: string; to: string; value: number; local: boolean; width: number; path: string; label: (Point & { shown: boolean }) }
export interface Layout { width: number; height: number; upright: boolean; zones: ZoneBox[]; links: Link[] }

const kNarrowEms = 38;
const kLeastColumnEms = 8;

// A bar must not jump to another scale with every breath of the traffic.
export const niceMost = (most: number): number => (most > 0 ? scaleLinear().domain([0, most]).nice(4).domain()[1]! : 1);

interface Ends { from: ZoneBox; to: ZoneBox; flow: ZoneFlow; width: number }
interface Placed extends Ends { start: Point; end: Point }

function panel(input: LayoutInput, upright: boolean, index: number, offset: number): ZoneBox {
  const { width, em, zones } = input;
  const { name, rows } = zones[index]!;
  const nodesHeight = rows * 2.3 * em;
  if (upright) {
    const gap = 1.1 * em;
    const columnWidth = (width - gap * (zones.length - 1)) / zones.length;
    const x = index * (columnWidth + gap);
    const tallest = Math.max(...zones.map((zone) => zone.rows)) * 2.3 * em;
    const startY = 4 * em;
    const endY = startY + 11.5 * em;
    return {
      name, box: { x, y: 0, width: columnWidth, height: endY + 2.6 * em + tallest },
      title: { x: x + 0.8 * em, y: 1.45 * em },
      start: { x: x + columnWidth / 2, y: startY, width: 0, height: 0.35 * em },
      end: { x: x + columnWidth / 2, y: endY, width: 0, height: 0.35 * em },
      nodes: { x: x + 0.6 * em, y: endY + 2.1 * em, width: columnWidth - 1.2 * em, height: nodesHeight },
    };
  }
  const height = Math.max(7 * em, nodesHeight + 4 * em);
  const nodesWidth = Math.min(10.5 * em, width * 0.42);
  const middle = offset + height / 2;
  return {
    name, box: { x: 0, y: offset, width, height }, title: { x: width - nodesWidth - 0.3 * em, y: offset + 1.4 * em },
    start: { x: 0.9 * em, y: middle, width: 0.35 * em, height: 0 },
    end: { x: width - nodesWidth - 1.9 * em, y: middle, width: 0.35 * em, height: 0 },
    nodes: { x: width - nodesWidth - 0.6 * em, y: offset + 3.35 * em, width: nodesWidth, height: nodesHeight },
  };
}

function panels(input: LayoutInput, upright: boolean): ZoneBox[] {
  let offset = 0;
  return input.zones.map((_, index) => {
    const zone = panel(input, upright, index, offset);
    offset += zone.box.height + 0.8 * input.em;
    return zone;
  });
}

// Links lie side by side at a bar, in the order of the zones at their other ends, so that they cross
// as little as they can.
function stack(ends: Ends[], zones: ZoneBox[], side: 'from' | 'to', upright: boolean): Map<Ends, Point> {
  const order = new Map(zones.map(({ name }, index) => [name, index]));
  const other = side === 'from' ? 'to' : 'from';
  const points = new Map<Ends, Point>();
  for (const zone of zones) {
    const mine = ends.filter((one) => one[side] === zone).sort((a, b) => order.get(a[other].name)! - order.get(b[other].name)!);
    const bar = side === 'from' ? zone.start : zone.end;
    const total = mine.reduce((sum, { width }) => sum + width, 0);
    let at = (upright ? bar.x : bar.y) - total / 2;
    if (upright) Object.assign(bar, { x: at, width: total });
    else Object.assign(bar, { y: at, height: total });
    for (const one of mine) {
      const middle = at + one.width / 2;
      points.set(one, upright ? { x: middle, y: side === 'from' ? bar.y + bar.height : bar.y }
        : { x: side === 'from' ? bar.x + bar.width : bar.x, y: middle });
      at += one.width;
    }
  }
  return points;
}

// The point of the curve that d3 draws: control points half way along.
function along({ start, end }: Placed, upright: boolean, t: number): Point {
  const s = 1 - t;
  const straight = s * s * s + 3 * s * s * t;  // weight of the start across the flow
  const curved = s * s * s + 1.5 * s * s * t + 1.5 * s * t * t;  // and in its direction
  const mix = (a: number, b: number, w: number) => a * w + b * (1 - w);
  return upright ? { x: mix(start.x, end.x, straight), y: mix(start.y, end.y, curved) }
    : { x: mix(start.x, end.x, curved), y: mix(start.y, end.y, straight) };
}

// A label is put where none stands yet, on its own link; where there is no such place, it is left
// out, and the table under the map has the figure. Wide links come first.
function placeLabels(placed: Placed[], upright: boolean, em: number): Map<Placed, Point> {
  const taken: Point[] = [];
  const labels = new Map<Placed, Point>();
  const free = (point: Point) => taken.every((other) => Math.abs(other.x - point.x) > 3.2 * em || Math.abs(other.y - point.y) > 1.35 * em);
  for (const one of [...placed].sort((a, b) => b.width - a.width)) {
    const tries = one.from === one.to ? [0.5, 0.35, 0.65, 0.2, 0.8] : [0.24, 0.76, 0.32, 0.68, 0.16, 0.84, 0.42, 0.58];
    const point = tries.map((t) => along(one, upright, t)).find(free);
    if (point && one.width > 0) {
      taken.push(point);
      labels.set(one, point);
    }
  }
  return labels;
}

export function flowLayout(input: LayoutInput): Layout {
  const upright = input.width >= kNarrowEms * input.em;
  const wide = upright ? Math.max(input.width, input.zones.length * kLeastColumnEms * input.em) : input.width;
  const sized = { ...input, width: wide };
  const zones = panels(sized, upright);
  const room = upright ? Math.min(zones[0] ? zones[0].box.width * 0.62 : 0, 7.5 * input.em) : 3.6 * input.em;
  const thickness = scaleLinear().domain([0, niceMost(input.most)]).range([0, room]);
  const byName = new Map(zones.map((zone) => [zone.name, zone]));
  const ends = input.flows.flatMap((flow): Ends[] => {
    const from = byName.get(flow.from);
    const to = byName.get(flow.to);
    return from && to ? [{ from, to, flow, width: Math.max(1.5, thickness(flow.value)) }] : [];
  });
  const starts = stack(ends, zones, 'from', upright);
  const arrivals = stack(ends, zones, 'to', upright);
  const placed = ends.map((one) => ({ ...one, start: starts.get(one)!, end: arrivals.get(one)! }));
  const labels = placeLabels(placed, upright, input.em);
  const draw = (upright ? linkVertical : linkHorizontal)<Placed, [number, number]>()
    .source(({ start }) => [start.x, start.y]).target(({ end }) => [end.x, end.y]);
  const links = placed.map((one): Link => {
    const label = labels.get(one);
    return {
      from: one.flow.from, to: one.flow.to, value: one.flow.value, local: one.from === one.to, width: one.width,
      path: draw(one) ?? '', label: { ...(label ?? one.start), shown: !!label },
    };
  });
  const height = zones.reduce((most, { box }) => Math.max(most, box.y + box.height), 0);
  return { width: wide, height, upright, zones, links };
}
