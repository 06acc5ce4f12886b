/** The event of a moment: who, why, its JSON, and what it led to. */
import type { ConsoleWholeEventBody } from '../../../api/console/contract.js';
import { typeWords } from '../ui/format.js';
import { Json } from '../ui/json.js';
import { WhenExactly } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Effects } from './effects.js';

interface OrderEventProps {
  readonly event: ConsoleWholeEventBody;
  readonly zone: string;
  /** The person sees the event log, and with it what an event led to. */
  readonly isWhole: boolean;
}

export function OrderEvent({ event, zone, isWhole }: OrderEventProps) {
  return (
    <section class="card event-card">
      <h2>{typeWords(event.type)}</h2>
      <dl class="facts">
        <div>
          <dt>Who</dt>
          <dd>
            <bdi>{event.actor.name}</bdi>
          </dd>
        </div>
        <div>
          <dt>When</dt>
          <dd>
            <WhenExactly at={event.at} zone={zone} />
          </dd>
        </div>
        {isWhole && (
          <>
            <div>
              <dt>Event</dt>
              <dd>
                <a href={hrefOf(`/events/${event.position}`)}>
                  {event.type} at {event.position}
                </a>
              </dd>
            </div>
            <div>
              <dt>Chain of causes</dt>
              <dd>
                <a href={hrefOf('/events', { correlation: event.correlationId })}>
                  <code>{event.correlationId.slice(0, 13)}…</code>
                </a>
              </dd>
            </div>
          </>
        )}
      </dl>
      {isWhole && (
        <>
          <h3>Effects</h3>
          <Effects event={event} zone={zone} />
        </>
      )}
      <details>
        <summary>Data as it is stored</summary>
        <Json value={event.data} label={`Data of ${event.type}`} />
      </details>
    </section>
  );
}
