// SPDX-License-Identifier: Apache-2.0
// A share as a bar, with a mark where the plan has it. Beside a figure, never instead of one.
export function Gauge({ value, plan }: { value: number | null | undefined; plan?: number | null | undefined }) {
  const at = (share: number) => `${Math.max(0, Math.min(1, share)) * 100}%`;
  return (
    <span class="gauge" aria-hidden="true">
      {value != null && <span class="gauge-fill" style={{ width: at(value) }} />}
      {plan != null && <span class="gauge-plan" style={{ left: at(plan) }} />}
    </span>
  );
}

// A load: the middle is the fair share, what is right of it is overload.
export function LoadGauge({ value, plan }: { value: number | null | undefined; plan: number | null | undefined }) {
  const at = (load: number) => `${Math.max(0, Math.min(2, load)) * 50}%`;
  return (
    <span class="gauge load" aria-hidden="true">
      {value != null && <span class="gauge-fill" style={{ width: at(Math.min(value, 1)) }} />}
      {value != null && value > 1 && <span class="gauge-excess" style={{ width: at(value - 1) }} />}
      <span class="gauge-fair" />
      {plan != null && <span class="gauge-plan" style={{ left: at(plan) }} />}
    </span>
  );
}
