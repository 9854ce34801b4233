// SPDX-License-Identifier: Apache-2.0
// The flow map's figures as a table, for those who cannot or do not want to read the picture.
import { figure } from './flow_map';
import { percent, zoneName } from './format';
import { counted } from './store';
import type { ZoneFlows } from './zone_flows';

export function FlowTable({ flows }: { flows: ZoneFlows }) {
  return (
    <details class="as-table">
      <summary>The flows as a table</summary>
      <div class="scroll" role="region" aria-label="Flows between zones" tabIndex={0}>
        <table class="figures" id="flow-table">
          <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">{flows.unit === 'rate' ? `${counted.value.title}/s` : 'Share'}</th><th scope="col">Of all</th></tr></thead>
          <tbody>
            {flows.flows.map(({ from, to, value }) => (
              <tr key={`${from} ${to}`}>
                <th scope="row">{zoneName(from)}</th>
                <td class="text">{from === to ? 'the same zone' : <span class="leaves">{zoneName(to)}</span>}</td>
                <td>{figure(value, flows.unit)}</td>
                <td>{percent(flows.total > 0 ? value / flows.total : 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
