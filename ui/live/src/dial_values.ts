// SPDX-License-Identifier: Apache-2.0
// The bound θ as places on a slider: every 5 per cent up to 100, then no bound at all.

export const kPolicies = ['cluster-wide', 'auto', 'prefer-same-zone', 'prefer-same-node', 'zone-aware', 'balanced'];
export const kDialEnd = 21;
export const kDefaultTheta = 0.2;

export const thetaAt = (place: number): number | 'inf' => (place >= kDialEnd ? 'inf' : Math.max(0, place) * 5 / 100);

// A plan of balanced without a bound was asked for without one: JSON has no infinity.
export const boundOf = (policy: string, theta: number | string | null | undefined): number | string | null =>
  (theta == null && policy === 'balanced' ? 'inf' : theta ?? null);

export function placeOf(theta: number | string | null | undefined): number {
  if (theta === 'inf' || theta === Infinity) return kDialEnd;
  const value = theta == null ? kDefaultTheta : Number(theta);
  return Number.isFinite(value) ? Math.max(0, Math.min(kDialEnd - 1, Math.round(value * 20))) : kDialEnd;
}
