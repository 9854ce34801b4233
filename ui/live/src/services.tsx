// SPDX-License-Identifier: Apache-2.0
import { overload, percent, policyTitle, sentence } from './format';
import { state } from './store';

export function Services() {
  return (
    <table>
      <thead><tr><th>Service</th><th>Policy</th><th>Local</th><th>Overload</th><th>Why</th></tr></thead>
      <tbody>
        {state.value!.services.map(({ service, policy, overload: theta, plan, measured }) => (
          <tr key={service}>
            <th scope="row">{service}</th>
            <td>{policyTitle(policy, theta)}</td>
            <td>{percent(measured ? measured.local : plan?.local)}</td>
            <td>{overload(measured ? measured.worstOverload : plan?.worstOverload)}</td>
            <td>{sentence(plan?.why.text ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
