import { derivedId } from '../ids.js';
import type { RecordedEvent } from '../ports/eventStore.js';
import type { NewTask, Outcome, Task } from '../processors/processor.js';
import type { OwedDelivery } from './deliver.js';
import type { Source, Trigger } from './deliveryLog.js';
import type { Envelopes } from './envelope.js';

/** One event to one endpoint: the delivery's id, and the lane that it waits its turn in. */
export interface Addressee {
  readonly id: string;
  readonly lane: string;
  readonly endpointId: string;
}

/** An event that endpoints are to be told of. */
export interface Telling {
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  readonly source: Source;
  readonly to: readonly Addressee[];
}

/** A delivery for each endpoint that is told. */
export const deliveries = ({ to, ...told }: Telling, body: string): NewTask<OwedDelivery>[] =>
  to.map(({ id, lane, endpointId }) => ({ id, kind: 'deliver', lane, payload: { endpointId, ...told, body } }));

/**
 * Events whose objects stand in views are rendered in a task of their own, when the views have come to them: a view that is
 * late then holds up its conversation's events, and nobody else's. `tenant` is the lane's group, `cause` the id of the event
 * that asks for it.
 */
export const tellLater = (cause: string, tenant: string, stream: string, telling: Telling): NewTask<Telling> => ({
  id: derivedId('webhookTell', cause),
  kind: 'tell',
  lane: `${tenant}/${stream}.tell`,
  payload: telling,
});

interface TellParts {
  readonly envelope: Envelopes;
  readonly eventAt: (stream: string, revision: number) => Promise<RecordedEvent | undefined>;
}

/** Renders the event and owes it to its endpoints. Throws, to be performed again, while the views are late. */
export const tell =
  ({ envelope, eventAt }: TellParts) =>
  async ({ payload }: Task<Telling>): Promise<Outcome> => {
    const { source, eventType } = payload;
    const event = 'at' in source ? undefined : await eventAt(source.stream, source.revision);
    const body = event && (await envelope(event, eventType));
    return body === undefined ? { done: true } : { done: true, next: deliveries(payload, body) };
  };
