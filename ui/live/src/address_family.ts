// SPDX-License-Identifier: Apache-2.0
// A dual-stack service has endpoints and a plan for each address family.
import type { Service } from './contract';

export const familiesOf = ({ family, otherFamilies }: Service): string[] =>
  [family ?? '', ...(otherFamilies ?? []).map((other) => other.family)];

// The service as it is by addresses of this family. Clients of a lab ask by the first, so nothing is measured of others.
export function inFamily(service: Service, family: string): Service {
  const other = service.otherFamilies?.find((one) => one.family === family);
  return other ? { ...service, ...other, measured: null, cost: null } : service;
}
