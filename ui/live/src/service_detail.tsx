// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { familiesOf, inFamily } from './address_family';
import type { Measured, Service } from './contract';
import { Dial } from './dial';
import { EndpointTable } from './endpoint_table';
import { Explanation } from './explanation';
import { gigabytes, measuredOverload, money, overload, percent, plural, policyTitle, rate, sentence } from './format';
import { needsAttention } from './service_order';
import { ScaleForm } from './scale_form';
import { counted, currency, hasLab, state } from './store';
import { Switch } from './switch';
import { ZoneMatrix } from './zone_matrix';
import { zoneNames } from './zone_flows';

function Why({ service }: { service: Service }) {
  const { plan } = service;
  if (!plan) return <p class="reason info">Not planned yet.</p>;
  const notes = plan.notes.filter((note) => note.reason !== plan.why.reason);
  return (
    <div class={`why-box ${needsAttention(service) ? 'attention' : ''}`} id="why">
      <p><b>{sentence(plan.why.text)}</b> <code>{plan.why.reason}</code></p>
      {plan.why.advice && <p>{sentence(plan.why.advice)}</p>}
      {notes.length > 0 && <ul class="reasons">{notes.map((note) => <li key={note.reason + note.text} class={`reason ${note.level}`}>{sentence(note.text)}{note.advice && <span class="quiet remedy">{sentence(note.advice)}</span>}</li>)}</ul>}
    </div>
  );
}

function Saved({ amount }: { amount: number }) {
  if (Math.abs(amount) < 0.005) return <span class="quiet">as cluster-wide</span>;
  return <span class={amount < 0 ? 'leaves' : 'stays'}>{money(Math.abs(amount), currency.value)} {amount < 0 ? 'more' : 'less'} than cluster-wide</span>;
}

// With how much of it may be chance; or why there is no figure.
function MeasuredOverload({ measured }: { measured: Measured }) {
  const { worstOverload, overloadMargin, loadSeconds } = measured;
  if (worstOverload === null) return <span class="quiet" title={`Too few ${counted.value.many} since the shares, the plan or the clients changed`}>{measuredOverload(measured)}</span>;
  return <><b>{overload(worstOverload)}</b>{worstOverload > 0.0005 && !!overloadMargin && <span class="quiet"> ±{percent(overloadMargin)} by chance, {loadSeconds} s</span>}</>;
}

function Figures({ service }: { service: Service }) {
  const { plan, measured, cost } = service;
  return (
    <table class="figures" id="plan-measured">
      <thead><tr><th scope="col"><span class="hidden">Figure</span></th><th scope="col">Plan</th>{measured && <th scope="col">Measured</th>}</tr></thead>
      <tbody>
        <tr><th scope="row">Stays in its zone</th><td>{percent(plan?.local)}</td>{measured && <td><b>{percent(measured.local)}</b></td>}</tr>
        <tr><th scope="row">Worst overload</th><td>{overload(plan?.worstOverload)}</td>{measured && <td><MeasuredOverload measured={measured} /></td>}</tr>
        {!!plan?.rejected && <tr><th scope="row">Rejected</th><td class="gone">{percent(plan.rejected)}</td>{measured && <td />}</tr>}
        {measured && <tr><th scope="row">{counted.value.title} a second</th><td /><td><b>{rate(measured.requestsPerSecond)}</b>{' '}<span class={measured.failed > 0 ? 'gone' : 'quiet'}>{measured.failed} {counted.value.failed}{hasLab.value && `, ${measured.retried} retried`}</span></td></tr>}
        {cost && (
          <tr><th scope="row">Cross-zone cost a month</th><td colSpan={2}><b>{money(cost.perMonth, currency.value)}</b>{' '}
            <Saved amount={cost.clusterWidePerMonth - cost.perMonth} />
            <span class="quiet">, {gigabytes(cost.gigabytesPerMonth)}</span></td></tr>
        )}
      </tbody>
    </table>
  );
}

export function ServiceDetail({ name }: { name: string }) {
  const now = state.value!;
  const [family, setFamily] = useState('');
  const service = now.services.find((one) => one.service === name);
  if (!service) return <p class="empty">There is no Service {name} (any more). <a href="#/">All services</a></p>;
  const zones = zoneNames(now);
  const families = familiesOf(service);
  const shown = inFamily(service, family);
  const isFirst = shown === service;
  return (
    <div class="detail">
      <p class="back"><a href="#/">← All services</a></p>
      <h2 tabIndex={-1} id="detail-title"><span class="quiet">{service.namespace}/</span>{service.name}</h2>
      <p class="facts"><span class="chip">{policyTitle(service.policy, service.overload)}</span><span class="quiet">{(service.clusterIPs ?? [service.clusterIP]).join(', ') || 'no cluster IP'}, {plural(shown.endpoints, 'endpoint')}{shown.plan?.hinted ? ', hints written' : ''}{shown.plan?.split ? ', zone split written' : ''}</span></p>
      {families.length > 1 && <div class="families"><Switch label="Address family" value={isFirst ? families[0]! : family} options={families.map((one) => [one, one])} onChange={setFamily} /></div>}
      {!isFirst && <p class="note" id="family-note">{service.measured && `Clients ask by ${families[0]}, and are measured there. `}What is shown of {family} is the plan.</p>}
      <Why service={shown} />
      <Figures service={shown} />
      {isFirst && <Dial key={name} service={service} />}
      {isFirst && hasLab.value && <ScaleForm key={`${name} scale`} service={service} zones={zones} />}
      <ZoneMatrix service={shown} zones={zones} />
      <EndpointTable service={shown} />
      <Explanation key={`${name} explain`} service={shown} zones={zones} />
    </div>
  );
}
