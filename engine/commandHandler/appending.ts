import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent, EventMeta, EvolvedEvents } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import {
  type Appended,
  type EventData,
  type EventStore,
  StorageFull,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../ports/eventStore.js';
import { withVersion } from '../upcasting.js';
import type { CommandContext } from './commands.js';

/** Pauses before each retry of an append whose outcome is unknown, in ms. */
const PAUSES = [25, 100];
/** A failed append that took longer was already retried by the engine, so it is not retried here. */
const QUICK_MS = 1000;

/** Returns the metadata of a command's events. `now`: ms since 1970. */
export function metaOf(context: CommandContext, now: number): EventMeta {
  const { actor, correlationId, causationId, workspaceId, partnerId, operator, trace } = context;
  // Assigned one by one: a spread per optional member would take longer than the command's decision.
  const meta: { -readonly [Name in keyof EventMeta]: EventMeta[Name] } = {
    at: new Date(now).toISOString(),
    actor,
    correlationId,
  };
  if (causationId !== undefined) meta.causationId = causationId;
  if (workspaceId !== undefined) meta.workspaceId = workspaceId;
  if (partnerId !== undefined) meta.partnerId = partnerId;
  if (operator !== undefined) meta.operator = operator;
  return trace === undefined ? meta : Object.assign(meta, trace);
}

/** Derives event ids from the command and the stream, so that a repeated append is recognised. */
export function toEventData(
  commandId: string,
  stream: string,
  events: readonly DomainEvent[],
  meta: EventMeta,
  evolved: EvolvedEvents,
) {
  return events.map(
    ({ type, data }, index): EventData => ({
      id: derivedId(commandId, stream, index),
      type,
      data,
      meta: withVersion(evolved, type, meta),
    }),
  );
}

/**
 * Appends after `revision` (-1: the stream is new). If the outcome is unknown, retries the same append; the store
 * returns the first result if that was written after all. A full disk is not retried.
 */
export async function appendSurely(
  store: EventStore,
  stream: string,
  revision: number,
  events: readonly EventData[],
): Promise<Appended> {
  const since = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await store.append(stream, revision === -1 ? 'noStream' : revision, events);
    } catch (error) {
      const own =
        attempt > 0 && error instanceof WrongExpectedRevision
          ? await storedAppend(store, stream, revision, events)
          : undefined;
      if (own !== undefined) return own;
      const pause = PAUSES[attempt];
      const late = performance.now() - since > QUICK_MS;
      const hopeless = !(error instanceof StoreUnavailable) || error instanceof StorageFull;
      if (hopeless || pause === undefined || late) throw error;
      await wait(pause);
    }
  }
}

/**
 * Counts how many of the sent events, from the first, are stored with the same data, and compares their metadata. The
 * ids alone do not prove this, since another process may have decided other data under the same command.
 */
export async function storedAsSent(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  { revision }: Pick<Appended, 'revision'>,
  events: readonly EventData[],
): Promise<{ readonly count: number; readonly hasSameMeta: boolean }> {
  const found = await store.readStream(stream, { from: revision - events.length + 1, limit: events.length });
  const differing = events.findIndex(
    ({ type, data }, at) => found[at]?.type !== type || !isSame(found[at]?.data, data),
  );
  const count = differing === -1 ? events.length : differing;
  return { count, hasSameMeta: events.slice(0, count).every(({ meta }, at) => isSame(found[at]!.meta, meta)) };
}

/** Compares as JSON, which drops undefined members. */
const isSame = (stored: unknown, sent: object): boolean => isDeepStrictEqual(stored, JSON.parse(JSON.stringify(sent)));

/** Finds these same events at their place. After an unknown outcome, a conflict may be with our own first attempt. */
async function storedAppend(
  store: EventStore,
  stream: string,
  revision: number,
  events: readonly EventData[],
): Promise<Appended | undefined> {
  const found = await store.readStream(stream, { from: revision + 1, limit: events.length });
  const same = found.length === events.length && found.every(({ id }, index) => id === events[index]!.id);
  const last = found.at(-1);
  return same && last !== undefined ? { revision: last.revision, position: last.position, repeated: true } : undefined;
}
