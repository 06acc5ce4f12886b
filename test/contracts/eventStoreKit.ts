/** Names, events and waits that the tests of event stores share. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { EventMeta } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { type EventData, streamName } from '../../engine/ports/eventStore.js';

export const meta: EventMeta = {
  at: '2025-03-01T10:00:00.000Z',
  actor: { type: 'api_key', id: 'key-1' },
  correlationId: 'request-1',
};

/** Names and ids that no earlier run has used, because a store may be shared. */
export function freshNames() {
  const run = randomUUID().slice(0, 8);
  let streams = 0;
  return {
    category: (name: string) => `${name}${run}`,
    stream: (category = 'order') => streamName(`${category}${run}`, String(++streams)),
    event: (label: string, data: object = { label }, type = 'OrderPlaced'): EventData => ({
      id: derivedId(run, label),
      type,
      data,
      meta,
    }),
  };
}

/** The error that a promise rejects with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('should have been refused'),
    (error: unknown) => error,
  );
