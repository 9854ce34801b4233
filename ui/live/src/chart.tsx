// SPDX-License-Identifier: Apache-2.0
// One figure over time, drawn by uPlot. Two charts with one key share their cursor.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Figures } from './contract';
import { clock } from './format';
import type { Mark } from './history_marks';
import { paint } from './theme';

export interface Chart {
  times: number[];
  values: Figures;
  isPlan: boolean;       // the values are those of plans
  plan: Figures | null;  // as a line of dashes: what the plan said at each time
  marks: Mark[];
  colour: string;        // a custom property of the style sheet
  format: (value: number) => string;
  range: (most: number | null) => [number, number];
  onPoint: (index: number | null) => void;
}

const kSync = 'history';

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function drawMarks(plot: uPlot, { marks }: Chart): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.lineWidth = ratio;
  for (const { time, warning } of marks) {
    const x = Math.round(plot.valToPos(time, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = variable(warning ? '--orange' : '--line-strong');
    ctx.fillStyle = variable(warning ? '--orange' : '--ink-3');
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - 4 * ratio, bbox.top);
    ctx.lineTo(x + 4 * ratio, bbox.top);
    ctx.lineTo(x, bbox.top + 6 * ratio);
    ctx.fill();
  }
  ctx.restore();
}

// A plan holds until the next: it steps, and does not slope.
const steps = uPlot.paths.stepped!({ align: 1 });

function options(chart: { current: Chart }, width: number, height: number, em: number): uPlot.Options {
  const font = `${Math.round(em * 0.8)}px ${variable('--sans')}`;
  const axis = { stroke: variable('--ink-3'), font, grid: { stroke: variable('--line'), width: 1 }, ticks: { show: false } };
  return {
    width, height,
    legend: { show: false },
    cursor: { sync: { key: kSync }, y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true }, y: { range: (_plot, _least, most) => chart.current.range(most) } },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map((time) => clock(time).slice(0, 8)), space: em * 6, size: em * 2 },
      { ...axis, values: (_plot, splits) => splits.map((value) => chart.current.format(value)), size: em * 3.6, space: em * 1.9 },
    ],
    series: [
      {},
      { stroke: variable(chart.current.colour), width: 2, points: { show: false }, spanGaps: false, ...(chart.current.isPlan && { paths: steps }) },
      { stroke: variable('--ink-3'), width: 1, dash: [5, 4], points: { show: false }, spanGaps: false, paths: steps },
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, chart.current)],
      setCursor: [(plot) => chart.current.onPoint(plot.cursor.idx ?? null)],
    },
  };
}

export function ChartCanvas({ chart, width, em, label }: { chart: Chart; width: number; em: number; label: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(chart);
  latest.current = chart;
  const painted = paint.value;
  const data = (): uPlot.AlignedData => [latest.current.times, latest.current.values, latest.current.plan ?? latest.current.times.map(() => null)];
  useEffect(() => {
    if (!ref.current || width <= 0) return undefined;
    plot.current = new uPlot(options(latest, width, Math.round(9 * em), em), data(), ref.current);
    return () => {
      plot.current?.destroy();
      plot.current = null;
    };
  }, [width, em, painted, chart.isPlan]);
  useEffect(() => { plot.current?.setData(data()); }, [chart.times, chart.values, chart.marks, chart.plan]);
  return <div class="chart" ref={ref} role="img" aria-label={label} style={{ minHeight: `${Math.round(9 * em)}px` }} />;
}
