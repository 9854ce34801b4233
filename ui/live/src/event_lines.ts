// SPDX-License-Identifier: Apache-2.0
// Events as lines of the log. A service of two address families has every event twice.
import type { Event } from './contract';

const kFamily = /, addressType: (IPv[46])$/;

// Latest first; events that differ in nothing but the address family become one line that names both.
export function eventLines(events: Event[]): Event[] {
  const lines: { event: Event; families: string[] }[] = [];
  const byKey = new Map<string, { event: Event; families: string[] }>();
  for (const event of [...events].sort((a, b) => b.time - a.time)) {
    const family = event.message.match(kFamily)?.[1];
    const message = event.message.replace(kFamily, '');
    const key = [Math.floor(event.time), event.type, event.reason, event.object, message].join('\n');
    const twin = family ? byKey.get(key) : undefined;
    if (twin) {
      if (!twin.families.includes(family!)) twin.families.push(family!);
      continue;
    }
    const line = { event: { ...event, message }, families: family ? [family] : [] };
    if (family) byKey.set(key, line);
    lines.push(line);
  }
  return lines.map(({ event, families }) => (families.length
    ? { ...event, message: `${event.message} (${families.sort().join(', ')})` } : event));
}
