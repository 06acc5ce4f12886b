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

/** Waits in ms between the tries of an append whose outcome is unknown. */
const PAUSES = [25, 100];
/** An engine that took longer to say so has tried by itself: the caller shall not wait for that again. */
const QUICK_MS = 1000;

/** What is written with each event of a command. `now` is in ms. */
export function metaOf(context: CommandContext, now: number): EventMeta {
  const { actor, correlationId, causationId, workspaceId, partnerId, operator, trace } = context;
  // Put one by one: a spread for each that may be absent takes longer than the command decides.
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

/** The same command on the same stream gives the same ids, so that a repeated append is recognised. */
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
 * Appends after `revision` (-1: the stream is new). When the outcome is unknown, the very same append is tried again:
 * the store answers as the first time if it had been written after all. A full disk has no room a moment later either.
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
          ? await standsAt(store, stream, revision, events)
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
 * How many of the sent events are stored as they were sent, from the first on, and whether their metadata are the same too: the ids
 * alone do not say so, since somebody else may have decided other data under the same command.
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

/** As JSON, in which members that are undefined are absent. */
const isSame = (stored: unknown, sent: object): boolean => isDeepStrictEqual(stored, JSON.parse(JSON.stringify(sent)));

/** After an unknown outcome, a conflict may be with ourselves: whether these very events stand at their place. */
async function standsAt(
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
