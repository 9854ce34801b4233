// SPDX-License-Identifier: Apache-2.0
// What was decided and what happened, latest first.
import { eventLines } from './event_lines';
import { clock } from './format';
import { selectedService } from './route';
import { state } from './store';

const kMostShown = 100;

export function EventLog() {
  const { events } = state.value!;
  const service = selectedService();
  const mine = service ? events.filter(({ object }) => object === `Service ${service}`) : events;
  const list = eventLines(mine).slice(0, kMostShown);
  return (
    <section class="card log" aria-labelledby="log-title">
      <div class="head"><div><h2 id="log-title">{service ? `Decisions about ${service}` : 'Decisions'}</h2></div></div>
      {list.length === 0 ? <p class="empty">Nothing has been decided yet.</p> : (
        <ol class="scroll events" role="log" aria-live="off" aria-labelledby="log-title" tabIndex={0}>
          {list.map((event, index) => (
            <li key={`${event.time} ${event.object} ${event.reason} ${list.length - index}`} class={event.type === 'Warning' ? 'warning' : ''}>
              <time dateTime={new Date(event.time * 1000).toISOString()}>{clock(event.time)}</time>
              <span class="event-body"><b>{event.reason}</b>{!service && <span class="quiet"> {event.object}</span>}<br />{event.message}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
