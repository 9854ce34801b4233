// SPDX-License-Identifier: Apache-2.0
// What is looked at, kept in the address, so that it survives a reload and can be passed on.
import { effect, signal } from '@preact/signals';

export type Route =
  | { view: 'services' }
  | { view: 'nodes' }
  | { view: 'service'; service: string }
  | { view: 'node'; node: string };

export function parseRoute(hash: string): Route {
  const [kind, ...rest] = hash.replace(/^#\/?/, '').split('/').map(decode);
  if (kind === 'service' && rest.length === 2) return { view: 'service', service: rest.join('/') };
  if (kind === 'node' && rest[0]) return { view: 'node', node: rest[0] };
  return kind === 'nodes' ? { view: 'nodes' } : { view: 'services' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;  // somebody typed a lone % sign
  }
}

export function address(route: Route): string {
  switch (route.view) {
    case 'service': return `#/service/${route.service.split('/').map(encodeURIComponent).join('/')}`;
    case 'node': return `#/node/${encodeURIComponent(route.node)}`;
    case 'nodes': return '#/nodes';
    case 'services': return '#/';
  }
}

export function title(to: Route): string {
  if (to.view === 'service') return `${to.service} – Proxima live`;
  return to.view === 'node' ? `${to.node} – Proxima live` : 'Proxima live';
}

export const route = signal<Route>({ view: 'services' });

export function followAddress(): void {
  const read = () => { route.value = parseRoute(location.hash); };
  addEventListener('hashchange', read);
  read();
  effect(() => { document.title = title(route.value); });
}

export const selectedService = (): string | null => (route.value.view === 'service' ? route.value.service : null);
