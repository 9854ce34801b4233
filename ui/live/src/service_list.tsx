// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import type { Service } from './contract';
import { measuredOverload, money, overload, percent, plural, policyTitle, rate, sentence } from './format';
import { Gauge } from './gauge';
import { address } from './route';
import { filtered, type Filter, localOf, needsAttention, type Order, overloadOf, sorted, type SortKey } from './service_order';
import { useSize } from './size';
import { counted, currency, hasCosts, isMeasured, state } from './store';
import { VirtualRows } from './virtual_rows';

const filter = signal<Filter>({ text: '', policy: '', attention: false });
const order = signal<Order>({ key: 'name', descending: false });
// So few need no filter, and have room for the whole reason.
const kFilterFrom = 8;

function Heading({ name, text }: { name: SortKey; text: string }) {
  const { key, descending } = order.value;
  const direction = key === name ? (descending ? 'descending' : 'ascending') : 'none';
  const sort = () => { order.value = { key: name, descending: key === name ? !descending : name !== 'name' && name !== 'local' }; };
  return (
    <span role="columnheader" class={`column-${name}`} aria-sort={direction} data-sort={name}>
      <button type="button" onClick={sort}>{text}<i aria-hidden="true">{direction === 'none' ? '' : descending ? '▾' : '▴'}</i></button>
    </span>
  );
}

function Row({ service, index, height }: { service: Service; index: number; height: number }) {
  const { plan } = service;
  const local = localOf(service);
  const why = plan ? sentence(plan.why.text) : 'Not planned yet.';
  return (
    <div class="service-row" role="row" aria-rowindex={index + 2} style={{ height: `${height}px` }}>
      <span role="rowheader" class="column-name">
        <a href={address({ view: 'service', service: service.service })} data-service={service.service}><span class="quiet">{service.namespace}/</span>{service.name}</a>
      </span>
      <span role="cell" class="column-local"><Gauge value={local} plan={service.measured ? plan?.local : null} /><b>{percent(local)}</b>{service.measured && plan && <span class="hidden">, planned {percent(plan.local)}</span>}</span>
      <span role="cell" class="column-overload">{service.measured?.worstOverload === null ? <span class="quiet">{measuredOverload(service.measured)}</span> : overload(overloadOf(service))}</span>
      {isMeasured.value && <span role="cell" class="column-rate">{rate(service.measured?.requestsPerSecond)}</span>}
      {hasCosts.value && <span role="cell" class="column-cost">{money(service.cost?.perMonth, currency.value)}</span>}
      <span class="because" role="presentation">
        <span role="cell" class="chip">{policyTitle(service.policy, service.overload)}</span>
        <span role="cell" class={`why ${needsAttention(service) ? 'attention' : ''}`} title={why}>{needsAttention(service) && <span class="flag" aria-hidden="true">!</span>}{why}</span>
      </span>
    </div>
  );
}

function Filters({ services, count }: { services: Service[]; count: number }) {
  const policies = [...new Set(services.map(({ policy }) => policy))].sort();
  const set = (change: Partial<Filter>) => { filter.value = { ...filter.value, ...change }; };
  return (
    <div class="filters" role="search" aria-label="Filter services">
      <label class="grow"><span class="hidden">Filter by name</span><input type="search" id="filter" placeholder="Filter by namespace or name" autocomplete="off" spellcheck={false} value={filter.value.text} onInput={(event) => set({ text: event.currentTarget.value })} /></label>
      <label><span class="hidden">Policy</span>
        <select id="filter-policy" value={filter.value.policy} onChange={(event) => set({ policy: event.currentTarget.value })}>
          <option value="">any policy</option>
          {policies.map((policy) => <option key={policy} value={policy}>{policy}</option>)}
        </select>
      </label>
      <label class="check"><input type="checkbox" id="filter-attention" checked={filter.value.attention} onChange={(event) => set({ attention: event.currentTarget.checked })} />not as asked for</label>
      <p class="quiet" role="status" id="count">{count === services.length ? plural(count, 'service') : `${count} of ${plural(services.length, 'service')}`}</p>
    </div>
  );
}

export function ServiceList() {
  const { ref, width, em } = useSize<HTMLDivElement>();
  const { services } = state.value!;
  const list = sorted(filtered(services, filter.value), order.value);
  const narrow = width < 30 * em;
  const roomy = services.length < kFilterFrom;
  const height = Math.round(((narrow ? 6.1 : 4.1) + (roomy ? 1.2 : 0)) * em);
  const columns = 5 + Number(isMeasured.value) + Number(hasCosts.value);
  return (
    <div class="service-list" ref={ref}>
      {services.length >= kFilterFrom && <Filters services={services} count={list.length} />}
      {!!state.value!.notShown?.services && <p class="note">{plural(state.value!.notShown.services, 'more service')} not shown: there are too many for one page.</p>}
      {services.length === 0 && <p class="empty">There is no Service yet. Create one, with kubectl for example, and it appears here.</p>}
      {services.length > 0 && (
        <div class={`service-table ${narrow ? 'narrow' : ''} ${roomy ? 'roomy' : ''} ${columns > 5 ? `columns-${columns}` : ''}`} role="table" aria-label="Services" aria-rowcount={list.length + 1} aria-colcount={columns}>
          <div role="rowgroup">
            <div class="service-row headings" role="row" aria-rowindex={1}>
              <Heading name="name" text="Service" />
              <Heading name="local" text="Local" />
              <Heading name="overload" text="Overload" />
              {isMeasured.value && <Heading name="rate" text={counted.value.column} />}
              {hasCosts.value && <Heading name="cost" text="A month" />}
              <span role="columnheader" class="hidden">Policy</span>
              <span role="columnheader" class="hidden">Reason</span>
            </div>
          </div>
          {list.length === 0 ? <p class="empty">No service matches.</p>
            : <VirtualRows label="Services" items={list} rowHeight={height} mostRows={9} row={(service, index) => <Row key={service.service} service={service} index={index} height={height} />} />}
        </div>
      )}
    </div>
  );
}
