/** One event to one endpoint: what is sent, what each attempt was answered, when the next one is, and sending it once more. */
import { useEffect, useRef } from 'preact/hooks';
import { act, readConsole } from '../api/client.js';
import { Outcome, useActing } from '../ui/actions.js';
import { span } from '../ui/format.js';
import { Json } from '../ui/json.js';
import { useLoad } from '../ui/load.js';
import { Chip, WhenExactly } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import type { EndpointProps } from './webhookEndpoint.js';

interface DeliveryProps extends EndpointProps {
  readonly eventId: string;
  /** Id of the endpoint's newest attempt: a new one reloads this page. */
  readonly newest: string;
  away(): void;
}

const REPLAY = 'POST /workspaces/{workspaceId}/webhook-endpoints/{endpointId}/events/{eventId}/replay';

/** JSON as a tree of lines; as it is where it is none. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

export function Delivery({ owner, endpoint, may, eventId, newest, away }: DeliveryProps) {
  const endpointId = endpoint.id;
  const load = useLoad(`delivery ${endpointId} ${eventId}`, () =>
    readConsole('/webhooks/{endpointId}/events/{eventId}', { endpointId, eventId }),
  );
  const known = useRef(newest);
  useEffect(() => {
    if (known.current !== newest) load.reload();
    known.current = newest;
  }, [newest, load.reload]);
  const acting = useActing(load.reload);
  const replay = (): void =>
    acting.run(
      () => act(REPLAY, { ...owner.ids, endpointId, eventId }, undefined),
      'The delivery is sent again with the same id.',
    );
  const isOn = endpoint.status === 'active';
  return (
    <section class="delivery" aria-label="Delivery">
      <Shown load={load} rows={3}>
        {({ eventType, attempts, body }) => (
          <>
            <div class="fields">
              <h3>
                {eventType} <code>{eventId}</code>
              </h3>
              {may && eventType !== 'webhook.test' && (
                <button type="button" class="button small" disabled={acting.busy || !isOn} onClick={replay}>
                  Send again
                </button>
              )}
              <button type="button" class="button small" onClick={away}>
                Close
              </button>
            </div>
            <Outcome acting={acting} />
            <ol class="chain">
              {attempts.map((one) => (
                <li key={one.attemptedAt}>
                  <span class="kind">
                    {one.trigger === 'event' ? '' : `${one.trigger}, `}attempt {one.attempt}
                  </span>
                  <span class="body">
                    <Chip value={one.status} />{' '}
                    {one.responseCode === undefined ? 'no response' : `response ${one.responseCode}`}
                    {one.error !== undefined && `: ${one.error}`} · {span(one.latencyMs)}
                    <small class="fine">
                      <WhenExactly at={one.attemptedAt} zone={owner.zone} />
                      {one.nextRetryAt !== undefined && (
                        <>
                          {' · next attempt '}
                          <WhenExactly at={one.nextRetryAt} zone={owner.zone} />
                        </>
                      )}
                    </small>
                  </span>
                </li>
              ))}
            </ol>
            <h3>Request</h3>
            <dl class="facts">
              <div>
                <dt>Service-Event-Id</dt>
                <dd>
                  <code>{eventId}</code>
                </dd>
              </div>
              <div>
                <dt>Service-Event-Type</dt>
                <dd>
                  <code>{eventType}</code>
                </dd>
              </div>
              <div>
                <dt>Service-Signature</dt>
                <dd class="fine">computed for each attempt, from its time</dd>
              </div>
            </dl>
            {body === undefined ? (
              <p class="soft">The sent body can no longer be rendered.</p>
            ) : (
              <Json value={parsed(body)} label={`Body of ${eventType}`} />
            )}
            <p class="fine">Rendered again, as a retry would send it. Only the status code of a response is stored.</p>
          </>
        )}
      </Shown>
    </section>
  );
}
