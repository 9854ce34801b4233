// SPDX-License-Identifier: Apache-2.0
// The bound θ as places on a slider: every 5 per cent up to 100, then no bound at all.

export const kPolicies = ['cluster-wide', 'auto', 'prefer-same-zone', 'prefer-same-node', 'zone-aware', 'balanced'];
export const kDialEnd = 21;
export const kDefaultTheta = 0.2;

// As the annotation says it: JSON has no infinity.
export const kNoBound = 'inf';

export const thetaAt = (place: number): number | string => (place >= kDialEnd ? kNoBound : Math.max(0, place) * 5 / 100);

export function placeOf(theta: number | string | null | undefined): number {
  if (theta === kNoBound) return kDialEnd;
  const value = theta == null ? kDefaultTheta : Number(theta);
  return Number.isFinite(value) ? Math.max(0, Math.min(kDialEnd - 1, Math.round(value * 20))) : kDialEnd;
}
