// SPDX-License-Identifier: Apache-2.0
// Policy and bound of a service: what they would do, before they are applied, and what came of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { setPolicy } from './actions';
import { post } from './api';
import type { Plan, Prediction, Service } from './contract';
import { kDialEnd, kPolicies, placeOf, thetaAt } from './dial_values';
import { bound, capital, clock, money, overload, percent, policyTitle, sentence } from './format';
import { useFetched } from './fetched';
import { localOf } from './service_order';
import { currency, mayChange, state } from './store';

interface Applied { at: number; title: string; before: number | null }

const kRemove = '';

function Change({ name, now, then, better }: { name: string; now: string; then: string; better: number }) {
  return (
    <tr>
      <th scope="row">{name}</th><td>{now}</td>
      <td class={better > 0 ? 'stays' : better < 0 ? 'leaves' : ''}><b>{then}</b></td>
    </tr>
  );
}

const costOf = (service: Service, plan: Plan): number | null =>
  service.cost ? service.cost.gigabytesPerMonth * plan.crossings * state.value!.price.perGb : null;

function Outlook({ service, now, then, title }: { service: Service; now: Plan; then: Plan; title: string }) {
  const sign = (change: number) => (Math.abs(change) < 0.0005 ? 0 : Math.sign(change));
  return (
    <div class="outlook" aria-live="polite" id="prediction">
      <table class="figures">
        <thead><tr><th scope="col"><span class="hidden">Figure</span></th><th scope="col">Plan now</th><th scope="col">{capital(title)}</th></tr></thead>
        <tbody>
          <Change name="Stays in its zone" now={percent(now.local)} then={percent(then.local)} better={sign(then.local - now.local)} />
          <Change name="Worst overload" now={overload(now.worstOverload)} then={overload(then.worstOverload)} better={sign(now.worstOverload - then.worstOverload)} />
          {service.cost && <Change name="Cross-zone cost a month" now={money(costOf(service, now), currency.value)} then={money(costOf(service, then), currency.value)} better={sign(now.crossings - then.crossings)} />}
        </tbody>
      </table>
      <p class={`reason ${then.why.level}`}>{sentence(then.why.text)}{then.why.advice && <span class="quiet"> {sentence(then.why.advice)}</span>}</p>
    </div>
  );
}

function Watch({ service, applied }: { service: Service; applied: Applied }) {
  const local = localOf(service);
  return (
    <p class="watch" id="watch" tabIndex={-1}>
      {capital(applied.title)} since {clock(applied.at)}: local share {percent(applied.before)} → <b>{percent(local)}</b>
      {service.measured && service.plan && <span class="quiet"> measured; the plan is {percent(service.plan.local)}</span>}
    </p>
  );
}

export function Dial({ service }: { service: Service }) {
  const [policy, setChosen] = useState(service.policy || kRemove);
  const [place, setPlace] = useState(placeOf(service.overload ?? service.plan?.overload));
  const [touched, setTouched] = useState(false);
  const [applied, setApplied] = useState<Applied | null>(null);
  const theta = policy === 'balanced' ? thetaAt(place) : null;
  const held = useRef(false);
  const hold = (value: boolean) => {
    held.current = value;
    setTouched(value);
  };
  const showInForce = () => {
    hold(false);
    setChosen(service.policy || kRemove);
    setPlace(placeOf(service.overload ?? service.plan?.overload));
  };
  // Until a person takes hold of it, the dial follows what is in force, which others may change too.
  // An effect runs after the page is drawn: what it was drawn with may be older than the last touch.
  useEffect(() => { if (!held.current) showInForce(); }, [service.policy, service.overload]);
  const question = JSON.stringify([service.service, policy, theta, service.plan?.local, service.plan?.worstOverload]);
  const predict = () => post<Prediction>('/api/predict', { service: service.service, policy: policy || null, overload: theta });
  const { value, error } = useFetched(predict, touched ? question : null, 120);
  const title = policy === kRemove ? 'without annotation' : policyTitle(policy, theta);
  const options = kPolicies.includes(policy) || policy === kRemove ? kPolicies : [...kPolicies, policy];
  const apply = async () => {
    const before = localOf(service);
    if (await setPolicy(service.service, policy || null, theta)) {
      setApplied({ at: state.value!.time, title, before });
      hold(false);
      // The button that had the focus is gone now.
      requestAnimationFrame(() => document.getElementById('watch')?.focus());
    }
  };
  const touch = (change: () => void) => { hold(true); change(); };
  return (
    <section class="part dial" aria-labelledby="dial-title">
      <h3 id="dial-title">Another policy, before it is applied</h3>
      <div class="dial-row">
        <label>Policy
          <select id="policy" value={policy} onChange={(event) => touch(() => setChosen(event.currentTarget.value))}>
            {options.map((name) => <option key={name} value={name}>{name}</option>)}
            {service.annotated !== false && <option value={kRemove}>none: remove the annotation</option>}
          </select>
        </label>
        <label class={policy === 'balanced' ? '' : 'off'}>Bound θ on overload
          <span class="slider">
            <input type="range" id="theta" min="0" max={kDialEnd} step="1" value={place} disabled={policy !== 'balanced'} aria-valuetext={bound(thetaAt(place))} onInput={(event) => touch(() => setPlace(Number(event.currentTarget.value)))} />
            <output>{bound(thetaAt(place))}</output>
          </span>
        </label>
      </div>
      {error && <p class="reason refused" role="status">No prediction: {error}.</p>}
      {!touched && !applied && <p class="note">Choose another policy or bound to see what it would do. {mayChange.value ? 'Nothing changes until it is applied.' : 'This page is read-only: it predicts, and changes nothing.'}</p>}
      {touched && value && <Outlook service={service} now={value.now} then={value.then} title={title} />}
      <div class="dial-row">
        {touched && mayChange.value && <button type="button" class="primary" id="apply" onClick={() => void apply()}>Apply {title}</button>}
        {touched && <button type="button" id="undo" onClick={showInForce}>Back to what is in force</button>}
      </div>
      {applied && <Watch service={service} applied={applied} />}
    </section>
  );
}
