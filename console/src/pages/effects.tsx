/** What an event led to: the chain of events after it, and the webhooks that told of it. */
import { look } from '../api/client.js';
import { span, typeWords } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, When } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Shown } from '../ui/states.js';

const categoryOf = (stream: string): string => stream.split('-', 1)[0]!;

export function Effects({ position, zone }: { position: number; zone?: string }) {
  const load = useLoad(`effects ${position}`, () => look('/events/{position}/effects', { position: String(position) }));
  return (
    <Shown load={load} rows={2}>
      {({ events, webhooks, bounded }) => (
        <div class="effects">
          {events.length + webhooks.length === 0 && <p class="soft">Nothing that is known.</p>}
          <ol class="chain">
            {webhooks.map((told) => (
              <li key={`${told.endpointId} ${told.attemptedAt}`}>
                <span class="kind">webhook</span>
                <span class="body">
                  <code>{told.eventType}</code> to <bdi>{told.url}</bdi> <Chip value={told.status} />
                  <small class="fine">
                    attempt {told.attempt} · {told.responseCode ?? told.error ?? 'no answer'} · {span(told.latencyMs)} ·{' '}
                    <When at={told.attemptedAt} zone={zone} />
                  </small>
                </span>
              </li>
            ))}
            {events.map((event) => (
              <li key={event.id}>
                <span class="kind">{categoryOf(event.stream)}</span>
                <span class="body">
                  <a href={hrefOf(`/events/${event.position}`)}>{typeWords(event.type)}</a>
                  <small class="fine">
                    <bdi>{event.actor.name}</bdi> · <When at={event.at} zone={zone} />
                  </small>
                </span>
              </li>
            ))}
          </ol>
          {bounded && <p class="fine">Only the events soon after it were looked through.</p>}
        </div>
      )}
    </Shown>
  );
}
