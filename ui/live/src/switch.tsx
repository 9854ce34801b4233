// SPDX-License-Identifier: Apache-2.0
// A choice of few, all of them in sight.
export function Switch<T extends string>({ label, value, options, onChange }: {
  label: string; value: T; options: [T, string][]; onChange: (value: T) => void;
}) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {options.map(([name, text]) => (
        <button key={name} type="button" data-value={name} aria-pressed={name === value} onClick={() => onChange(name)}>{text}</button>
      ))}
    </div>
  );
}
