// SPDX-License-Identifier: Apache-2.0
// The figures of the whole cluster.
import type { ComponentChildren } from 'preact';
import { measuredOverload, money, overload, percent, plural, rate } from './format';
import { Gauge } from './gauge';
import { worstPlanned } from './service_order';
import { nodeState } from './node_blocks';
import { counted, currency, hasLab, isMeasured, state } from './store';
import { localShare, zoneFlows } from './zone_flows';

function Tile({ name, title, figure, children }: { name: string; title: string; figure: ComponentChildren; children: ComponentChildren }) {
  return <div class="tile" data-tile={name}><h3>{title}</h3><p class="figure">{figure}</p><p class="fact">{children}</p></div>;
}

function Money() {
  const { costPerMonth, clusterWidePerMonth } = state.value!.totals;
  const saved = costPerMonth !== null && clusterWidePerMonth !== null ? clusterWidePerMonth - costPerMonth : null;
  return (
    <Tile name="cost" title="Cross-zone traffic a month" figure={money(costPerMonth, currency.value)}>
      {saved === null ? 'no traffic is known' : saved >= 0
        ? <><b class="stays">{money(saved, currency.value)} saved</b>: {money(clusterWidePerMonth, currency.value)} cluster-wide</>
        : <><b class="leaves">{money(-saved, currency.value)} more</b> than {money(clusterWidePerMonth, currency.value)} cluster-wide</>}
    </Tile>
  );
}

export function Headline() {
  const now = state.value!;
  const { totals, nodes, pods, zones, windowSeconds } = now;
  // Without measurement there are no totals; the plans have figures of their own.
  const local = isMeasured.value ? totals.local : localShare(zoneFlows(now, null, 'plan'));
  const worst = isMeasured.value ? measuredOverload(totals) : overload(worstPlanned(now.services));
  const failed = totals.failedEver ?? 0;
  const down = nodes.filter((node) => nodeState(node) !== 'ready').length;
  const serving = pods.filter(({ services }) => services.length > 0);
  const unready = serving.filter((pod) => !pod.ready).length;
  return (
    <section class="tiles" aria-label="Headline figures">
      <Tile name="local" title="Stays in its zone" figure={percent(local)}>{local !== null && <Gauge value={local} />}{isMeasured.value ? `measured, last ${windowSeconds} s` : 'planned'}</Tile>
      <Tile name="overload" title="Worst overload" figure={worst}>{isMeasured.value && totals.measuring ? `${plural(totals.measuring, 'service')} with too few ${counted.value.many} yet` : 'busiest endpoint over its fair share'}</Tile>
      {isMeasured.value && (
        <Tile name="rate" title={`${counted.value.title} a second`} figure={rate(totals.requestsPerSecond)}>
          {hasLab.value
            ? <><b class={failed > 0 ? 'gone' : ''}>{failed} failed</b> ever, {totals.retried ?? 0} retried now</>
            : <><b class={failed > 0 ? 'gone' : ''}>{failed} unanswered</b> since somebody looks</>}
        </Tile>
      )}
      {totals.costPerMonth !== null && <Money />}
      <Tile name="nodes" title="Nodes ready" figure={<>{nodes.length - down}<span class="quiet"> of {nodes.length}</span></>}>
        {plural(zones.length, 'zone')}, {plural(serving.length, 'pod')} of services{unready > 0 && <>, <b class="gone">{unready} not ready</b></>}
      </Tile>
    </section>
  );
}
