// SPDX-License-Identifier: Apache-2.0
// Shares of demand that always make a whole.

// `zone` gets `share`; the others share the rest in the proportions they had, or alike when they had
// nothing. Shares are whole per cents, so that what is shown is what is asked for.
export function withShare(shares: Record<string, number>, zone: string, share: number): Record<string, number> {
  const others = Object.keys(shares).filter((name) => name !== zone);
  const mine = others.length === 0 ? 1 : Math.round(Math.max(0, Math.min(1, share)) * 100) / 100;
  const rest = others.reduce((sum, name) => sum + shares[name]!, 0);
  const parts = others.map((name) => (1 - mine) * (rest > 0 ? shares[name]! / rest : 1 / others.length));
  return { ...Object.fromEntries(others.map((name, index) => [name, parts[index]!])), [zone]: mine, ...wholePercents(others, parts, 1 - mine) };
}

// Largest remainders: rounded down, and the missing points to those that lost most.
function wholePercents(names: string[], parts: number[], total: number): Record<string, number> {
  const points = parts.map((part) => Math.floor(part * 100 + 1e-9));
  let missing = Math.round(total * 100) - points.reduce((sum, point) => sum + point, 0);
  const byLoss = names.map((_, index) => index).sort((a, b) => (parts[b]! * 100 - points[b]!) - (parts[a]! * 100 - points[a]!) || a - b);
  for (const index of byLoss) {
    if (missing <= 0) break;
    points[index]! += 1;
    missing -= 1;
  }
  return Object.fromEntries(names.map((name, index) => [name, points[index]! / 100]));
}
