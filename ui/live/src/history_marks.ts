// SPDX-License-Identifier: Apache-2.0
// Decisions as marks on the time axis.
import type { Event } from './contract';

export interface Mark { time: number; warning: boolean; text: string }

// One mark a second, with all that happened then; of one service, or of all.
export function marksOf(events: Event[], service: string | null, from: number, to: number): Mark[] {
  const marks = new Map<number, Mark>();
  for (const { time, type, reason, object, message } of [...events].sort((a, b) => a.time - b.time)) {
    if (time < from || time > to || (service !== null && object.startsWith('Service ') && object !== `Service ${service}`)) continue;
    const second = Math.floor(time);
    const text = `${reason} ${object}: ${message}`;
    const old = marks.get(second);
    marks.set(second, { time: second, warning: type === 'Warning' || !!old?.warning, text: old ? `${old.text}\n${text}` : text });
  }
  return [...marks.values()];
}

// The mark that a person means who points at `time`; half of `reach` to either side counts.
export const markAt = (marks: Mark[], time: number, reach: number): Mark | null =>
  marks.filter((mark) => Math.abs(mark.time - time) <= reach / 2)
    .sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))[0] ?? null;

// Figures of the last seconds only, as columns that a chart takes.
export function lastSeconds<T>(times: number[], columns: T[][], seconds: number): { times: number[]; columns: T[][] } {
  const from = (times[times.length - 1] ?? 0) - seconds;
  let first = times.findIndex((time) => time >= from);
  if (first < 0) first = times.length;
  return { times: times.slice(first), columns: columns.map((column) => column.slice(first)) };
}
