/** Helpers for tests of projections: a history written by hand, and the documents it produces. */
import type { DomainEvent, EventMeta } from '../../../domain/decider.js';
import { derivedId } from '../../../domain/ids.js';
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../../engine/projections/projection.js';

/** Store of every event that these tests create. */
export const SPEC_STORE = '00000000-0000-4000-8000-000000000001';
const meta: EventMeta = {
  at: '2026-03-01T09:00:00.000Z',
  actor: { type: 'system' },
  correlationId: 'spec',
  workspaceId: SPEC_STORE,
};

/** Events of streams, such as `order-1`, in the order in which they happened. */
export type History<E extends DomainEvent> = readonly (readonly [stream: string, event: E])[];

/** Returns the events as the event store would. */
export function recorded<E extends DomainEvent>(history: History<E>): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return history.map(([stream, event], position) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    return { ...event, id: derivedId(stream, revision), stream, revision, position, meta };
  });
}

/** Returns the bodies of a projection's documents after a history, by id. */
export function documentsAfter<Body, E extends DomainEvent>(
  projection: AnyProjection,
  history: History<E>,
): Record<string, Body> {
  const views = new Map<string, View<Body> | undefined>();
  for (const event of recorded(history)) foldEvent(projection, views, event);
  return Object.fromEntries([...views].flatMap(([id, view]) => (view === undefined ? [] : [[id, view.body]])));
}
