// SPDX-License-Identifier: Apache-2.0
// Local share and overload over time, of one service or of all, with marks where something was decided.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import { ChartCanvas } from './chart';
import type { State } from './contract';
import { eventLines } from './event_lines';
import { clock, overload, percent, plural } from './format';
import { shownFigures } from './history_points';
import { lastSeconds, type Mark, markAt, marksOf } from './history_marks';
import { selectedService } from './route';
import { useSize } from './size';
import { history, state } from './store';
import { Switch } from './switch';

type Span = '120' | '900';
const span = signal<Span>('120');
const kTableEverySeconds = 10;

function Readout({ index, times, local, worst, marks }: { index: number | null; times: number[]; local: (number | null)[]; worst: (number | null)[]; marks: Mark[] }) {
  const at = index ?? times.length - 1;
  const time = times[at];
  if (time === undefined) return null;
  const mark = index === null ? null : markAt(marks, time, Number(span.value) / 40);
  return <p class="readout"><span class="quiet">{clock(time)}</span> <b class="stays">{percent(local[at])} local</b> <b class="leaves">overload {overload(worst[at])}</b> <span class="quiet">{mark ? mark.text : `${plural(marks.length, 'decision')} in sight`}</span></p>;
}

function Table({ times, local, worst }: { times: number[]; local: (number | null)[]; worst: (number | null)[] }) {
  const rows = times.map((_, index) => index).filter((index) => (times.length - 1 - index) % kTableEverySeconds === 0).reverse().slice(0, 30);
  return (
    <details class="as-table">
      <summary>History as a table</summary>
      <div class="scroll tall" role="region" aria-label="History" tabIndex={0}>
        <table class="figures" id="history-table">
          <thead><tr><th scope="col">Time</th><th scope="col">Stays in its zone</th><th scope="col">Worst overload</th></tr></thead>
          <tbody>{rows.map((index) => <tr key={times[index]}><th scope="row">{clock(times[index]!)}</th><td>{percent(local[index])}</td><td>{overload(worst[index])}</td></tr>)}</tbody>
        </table>
      </div>
    </details>
  );
}

// Where nothing is measured a person should know why.
function whyPlanned({ mode, asked }: State): string {
  if (mode === 'lab') return '';
  if (mode === 'simulator') return 'A simulator has no clients: what is drawn is the plan.';
  if (!asked) return 'The controller plans and does not see traffic, and node proxies are not asked: what is drawn is the plan.';
  if (asked.answered > 0 || !asked.problem) return 'What is drawn is the plan. Node proxies are asked for the connections that they count; figures come within a minute of traffic.';
  return `What is drawn is the plan, because no node proxy says what it counted: ${asked.problem}.`;
}

export function HistoryCard() {
  const { ref, width, em } = useSize<HTMLDivElement>();
  const [point, setPoint] = useState<number | null>(null);
  const service = selectedService();
  const now = state.value!;
  const all = history.value;
  const figures = all && (service ? all.services[service] : all.totals);
  const shown = figures && shownFigures(figures);
  const planned = shown?.plan ?? null;
  const { times, columns: [local = [], worst = [], planLocal = null, planWorst = null] } = lastSeconds(all?.times ?? [], shown ? [shown.local, shown.overload, ...(planned ? [planned.local, planned.overload] : [])] : [], Number(span.value));
  const recorded = local.some((value) => value !== null);
  const marks = marksOf(eventLines(now.events), service, times[0] ?? 0, times[times.length - 1] ?? 0);
  const common = { times, marks, onPoint: setPoint, isPlan: !planned };
  return (
    <section class="card history" aria-labelledby="history-title">
      <div class="head">
        <div>
          <h2 id="history-title">{service ? `History of ${service}` : 'History'}</h2>
          {recorded && <Readout index={point} times={times} local={local} worst={worst} marks={marks} />}
        </div>
        <Switch label="Time shown" value={span.value} options={[['120', '2 min'], ['900', '15 min']]} onChange={(value) => { span.value = value; }} />
      </div>
      <div ref={ref}>
        {!recorded ? <p class="empty">Nothing has been recorded yet.</p> : width > 0 && (
          <>
            <h3 class="chart-title">Stays in its zone{planned ? <span class="quiet">, dashes: the plan</span> : ', planned'}</h3>
            <ChartCanvas width={width} em={em} label="Local share over time; the table below has the figures"
              chart={{ ...common, values: local, plan: planLocal, colour: '--blue', format: percent, range: () => [0, 1.02] }} />
            <h3 class="chart-title">Worst overload{!planned && ', planned'}</h3>
            <ChartCanvas width={width} em={em} label="Worst overload over time; the table below has the figures"
              chart={{ ...common, values: worst, plan: planWorst, colour: '--orange', format: (value) => (value === 0 ? '0' : `+${percent(value)}`), range: (most) => [0, Math.max(0.25, (most ?? 0) * 1.15)] }} />
          </>
        )}
      </div>
      {recorded && !planned && whyPlanned(now) && <p class="note" id="why-planned">{whyPlanned(now)}</p>}
      {recorded && <Table times={times} local={local} worst={worst} />}
    </section>
  );
}
