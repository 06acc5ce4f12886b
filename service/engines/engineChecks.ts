/** Conditions before an engine is used: it is available, and its documents belong to the log. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';

export interface EngineWait {
  /** Longest wait for an engine that is away, in ms. */
  readonly withinMs: number;
  readonly log: Log;
}

/** Longest wait for an engine that is away, in ms: of a service, and of a command. */
export const SERVICE_WAITS = 60_000;
export const COMMAND_WAITS = 10_000;
const PAUSE_MS = 250;

/**
 * Does a step of the start for which the engine `what` must answer, and again while it is away: with several machines it may start
 * after the service, and may fall silent in the middle of its start. The step must bear being done twice. Rejects with
 * StoreUnavailable, naming `what`, when no answer comes in time; at once with StoreRefused, since waiting for a password or a
 * certificate is in vain, and with anything else.
 */
export async function patiently<T>(what: string, { withinMs, log }: EngineWait, step: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const done = await step();
      if (attempt > 1) log.info({ engine: what }, 'engine available');
      return done;
    } catch (error) {
      if (error instanceof StoreRefused) throw new StoreRefused(`${what}: ${error.message}`, { cause: error });
      if (!(error instanceof StoreUnavailable)) throw error;
      if (performance.now() > deadline)
        throw new StoreUnavailable(`waited ${Math.round(withinMs / 1000)} s for ${what}: ${error.message}`, {
          cause: error,
        });
      if (attempt === 1) log.warn({ engine: what, err: error }, 'engine unavailable, waiting');
    }
    await pause(PAUSE_MS);
  }
}

/** Identifies the log that a store's documents were built from: its first event, and the event's position. */
interface Mark {
  readonly event: string;
  readonly position: number;
}

const logMark: CollectionDefinition = { name: 'logMark', keys: {}, indexes: [] };
const ID = 'log';

/** Documents and log do not belong together. To go on would skip events, or do effects again. */
export class OtherLog extends Error {
  override readonly name = 'OtherLog';
}

const markIn = async ({ readAll }: Pick<EventStore, 'readAll'>): Promise<Mark | undefined> => {
  const [first] = (await readAll(BEFORE_ALL, { limit: 1 })).events;
  return first && { event: first.id, position: first.position };
};

interface LogNamed {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly name: string;
}

interface WorkNamed {
  readonly work: DocumentStore;
  readonly name: string;
}

/**
 * Documents know how far they have read by positions, which mean nothing in another log. So the first start on shared
 * engines notes which log it is, and a later one with another refuses to go on. Rejects with OtherLog.
 */
export async function checkLog(log: LogNamed, documents: WorkNamed): Promise<void> {
  const { work } = documents;
  await work.open(logMark);
  const mark = await markIn(log.store);
  const noted = mark !== undefined && (await work.insert(logMark.name, { id: ID, keys: {}, body: mark, revision: 1 }));
  if (!noted) await requireSameLog(log, documents, mark);
}

/** The same, and nothing is noted: the documents may have been opened for reading only. */
export async function requireSameLog(
  { store, name }: LogNamed,
  { work, name: documents }: WorkNamed,
  first?: Mark | undefined,
): Promise<void> {
  const mark = first ?? (await markIn(store));
  if (!(await work.list()).includes(logMark.name)) return;
  const known = (await work.get<Mark>(logMark.name, ID))?.body;
  if (known === undefined || (known.event === mark?.event && known.position === mark.position)) return;
  throw new OtherLog(
    `The documents in ${documents} were built from a different event log than the one in ${name}. Configure the log that belongs to them, or use an empty database (or data folder). 'suuq move' moves an embedded log together with its documents.`,
  );
}
