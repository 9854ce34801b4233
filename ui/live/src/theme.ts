// SPDX-License-Identifier: Apache-2.0
// Light or dark as the system says, or as chosen here; and larger type for a projector.
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export const kThemes: Theme[] = ['system', 'light', 'dark'];

// Storage may be switched off; the choice then lasts as long as the page.
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch { /* see stored() */ }
}

export const theme = signal<Theme>(kThemes.find((name) => name === stored('proxima-theme')) ?? 'system');
export const large = signal(stored('proxima-type') === 'large');

// Of what is drawn on canvases, which take no colours from style sheets.
export const paint = signal(0);

export function followTheme(): void {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dark = signal(system.matches);
  system.addEventListener('change', () => { dark.value = system.matches; });
  effect(() => {
    root.dataset.theme = theme.value === 'system' ? (dark.value ? 'dark' : 'light') : theme.value;
    root.classList.toggle('large', large.value);
    store('proxima-theme', theme.value);
    store('proxima-type', large.value ? 'large' : 'normal');
    paint.value = paint.peek() + 1;
  });
}
