// SPDX-License-Identifier: Apache-2.0
// What `proxima explain` says about a service, seen from a zone.
import { useState } from 'preact/hooks';
import { get, servicePath } from './api';
import type { Explanation as Document, Reason, Service } from './contract';
import { useFetched } from './fetched';
import { sentence, zoneName } from './format';

function Reasons({ title, reasons }: { title: string; reasons: Reason[] | undefined }) {
  if (!reasons?.length) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="reasons">
        {reasons.map((reason) => (
          <li key={reason.code + reason.sentence} class={`reason ${reason.severity ?? ''}`} data-code={reason.code}>
            {sentence(reason.sentence)} <code>{reason.code}</code>{reason.remedy && <span class="quiet remedy">{sentence(reason.remedy)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

export function Explanation({ service, zones }: { service: Service; zones: string[] }) {
  const places = zones.filter(Boolean);
  const [from, setFrom] = useState(places[0] ?? '');
  const view = new URLSearchParams({ ...(from && { from }), ...(service.family && { family: service.family }) }).toString();
  const path = `/api/services/${servicePath(service.service)}/explain${view && `?${view}`}`;
  const question = JSON.stringify([path, service.plan?.why, service.plan?.local, service.endpoints]);
  const { value, error } = useFetched(() => get<Document>(path), question);
  return (
    <section class="part" aria-labelledby="explain-title">
      <div class="part-head">
        <h3 id="explain-title">Explanation</h3>
        {places.length > 0 && (
          <label>seen from <select id="explain-from" value={from} onChange={(event) => setFrom(event.currentTarget.value)}>{places.map((zone) => <option key={zone} value={zone}>{zoneName(zone)}</option>)}</select></label>
        )}
      </div>
      {error && <p class="reason refused">No explanation: {error}.</p>}
      {value && (
        <div id="explanation">
          <Reasons title="Which policy, and why" reasons={value.policyChain} />
          <Reasons title="What was decided" reasons={value.decisions} />
          <Reasons title="On a node there" reasons={value.onNode} />
        </div>
      )}
    </section>
  );
}
