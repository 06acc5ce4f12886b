/** Causes and effects of an event as a graph: each event below its cause, with its webhooks. */
import type { ComponentChildren } from 'preact';
import type { ConsoleEffectsBody, ConsoleEventBody, ConsoleWebhookBody } from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { span, typeWords } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, WhenExactly } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Shown } from '../ui/states.js';

const categoryOf = (stream: string): string => stream.split('-', 1)[0]!;

/** The event that a causation id names: of a task it is the end. */
const causeOf = ({ causationId = '' }: Pick<ConsoleEventBody, 'causationId'>): string | undefined =>
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(causationId)?.[0];

type Caused = ReadonlyMap<string | undefined, readonly ConsoleEventBody[]>;

/** Groups events by their cause; those with an unknown cause are under undefined. */
function byCause(root: string, events: readonly ConsoleEventBody[]): Caused {
  const known = new Set([root, ...events.map(({ id }) => id)]);
  const caused = new Map<string | undefined, ConsoleEventBody[]>();
  for (const event of events) {
    const cause = causeOf(event);
    const under = cause !== undefined && known.has(cause) && cause !== event.id ? cause : undefined;
    caused.set(under, [...(caused.get(under) ?? []), event]);
  }
  return caused;
}

interface NodeProps {
  readonly event: ConsoleEventBody;
  readonly zone: string | undefined;
  /** It is the one that is looked at. */
  readonly here?: boolean;
  readonly children?: ComponentChildren;
}

const Node = ({ event, zone, here = false, children }: NodeProps) => (
  <li>
    <div class={here ? 'node here' : 'node'}>
      <span class="kind">{categoryOf(event.stream)}</span>{' '}
      {here ? (
        <strong aria-current="true">{typeWords(event.type)}</strong>
      ) : (
        <a href={hrefOf(`/events/${event.position}`)}>{typeWords(event.type)}</a>
      )}
      <small class="fine">
        <bdi>{event.actor.name}</bdi> · <WhenExactly at={event.at} zone={zone} />
      </small>
    </div>
    {children}
  </li>
);

const Webhook = ({ delivery, zone }: { delivery: ConsoleWebhookBody; zone: string | undefined }) => (
  <li>
    <div class="node">
      <span class="kind">webhook</span> <code>{delivery.eventType}</code> to <bdi>{delivery.url}</bdi>{' '}
      <Chip value={delivery.status} />
      <small class="fine">
        attempt {delivery.attempt} · {delivery.responseCode ?? delivery.error ?? 'no response'} ·{' '}
        {span(delivery.latencyMs)} · <WhenExactly at={delivery.attemptedAt} zone={zone} />
      </small>
    </div>
  </li>
);

function Nodes({ of, caused, zone }: { of: readonly ConsoleEventBody[]; caused: Caused; zone: string | undefined }) {
  return (
    <>
      {of.map((event) => {
        const below = caused.get(event.id) ?? [];
        return (
          <Node key={event.id} event={event} zone={zone}>
            {below.length > 0 && (
              <ol>
                <Nodes of={below} caused={caused} zone={zone} />
              </ol>
            )}
          </Node>
        );
      })}
    </>
  );
}

interface GraphProps {
  readonly event: ConsoleEventBody;
  readonly zone: string | undefined;
}

function After({ event, zone, of }: GraphProps & { of: ConsoleEffectsBody }) {
  const { events, webhooks, bounded } = of;
  const caused = byCause(event.id, events);
  const [own = [], concurrent = []] = [caused.get(event.id), caused.get(undefined)];
  return (
    <div class="effects">
      {own.length + webhooks.length === 0 ? (
        <p class="soft">No known effects.</p>
      ) : (
        <ol class="graph" aria-label="Effects">
          <Node event={event} zone={zone} here>
            <ol>
              {webhooks.map((webhook) => (
                <Webhook key={`${webhook.endpointId} ${webhook.attemptedAt}`} delivery={webhook} zone={zone} />
              ))}
              <Nodes of={own} caused={caused} zone={zone} />
            </ol>
          </Node>
        </ol>
      )}
      {concurrent.length > 0 && (
        <>
          <p class="fine">Later in the same chain, not caused by this event:</p>
          <ol class="graph" aria-label="Later in the same chain">
            <Nodes of={concurrent} caused={caused} zone={zone} />
          </ol>
        </>
      )}
      {bounded && <p class="fine">Only events shortly after this one were searched.</p>}
    </div>
  );
}

/** Each below the one that caused it, down to the one that is looked at. */
function Before({ causes, event, zone }: GraphProps & { causes: readonly ConsoleEventBody[] }) {
  const [first, ...others] = causes;
  if (first === undefined) return <Node event={event} zone={zone} here />;
  return (
    <Node event={first} zone={zone}>
      <ol>
        <Before causes={others} event={event} zone={zone} />
      </ol>
    </Node>
  );
}

const useGraph = ({ position }: ConsoleEventBody) =>
  useLoad(`effects ${position}`, () => readConsole('/events/{position}/effects', { position: String(position) }));

export function Effects({ event, zone }: GraphProps) {
  return (
    <Shown load={useGraph(event)} rows={2}>
      {(of) => <After event={event} zone={zone} of={of} />}
    </Shown>
  );
}

/** Both ways. */
export function Ways({ event, zone }: GraphProps) {
  const load = useGraph(event);
  return (
    <>
      <section class="card">
        <h2>Causes</h2>
        <p>
          <a href={hrefOf('/requests', { request: event.correlationId })}>First request of this chain</a>{' '}
          <span class="fine">if it used a key and is still recorded</span>
        </p>
        <Shown load={load} rows={1}>
          {({ causes }) =>
            causes.length === 0 ? (
              <p class="soft">No earlier event.</p>
            ) : (
              <ol class="graph" aria-label="Causes">
                <Before {...{ causes, event, zone }} />
              </ol>
            )
          }
        </Shown>
      </section>
      <section class="card">
        <h2>Effects</h2>
        <Shown load={load} rows={2}>
          {(of) => <After event={event} zone={zone} of={of} />}
        </Shown>
      </section>
    </>
  );
}
