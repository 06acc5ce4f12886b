/**
 * Compares some documents of read models with a fresh fold of their source streams. `suuq verify` compares all
 * documents in the same way. This check is cheap enough for the service to run.
 */
import { setImmediate as breath } from 'node:timers/promises';
import type { DocumentStore, StoredDocument } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position } from '../../ports/eventStore.js';
import { judge } from '../comparison.js';
import { FoldFailed } from '../handlerCalls.js';
import { type AnyProjection, handlersOf, isPerStream } from '../projection.js';
import { type CandidateParts, candidates } from './candidates.js';
import { foldUpTo, type SourceStreams, StreamReads } from './streamFold.js';

/** Build to compare. */
export interface Subject {
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Ids of skipped events. */
  readonly skipped: ReadonlySet<string>;
  /** Returns the minimum position of the stored documents. */
  place(): Promise<Position> | Position;
  /** Returns true while the build has the same role as at the beginning of the comparison. */
  isUnchanged(): boolean;
  /** Streams whose documents differed at a previous comparison. */
  readonly suspects?: Iterable<string>;
}

export interface Findings {
  /** Ids of documents that are correct. */
  readonly equal: ReadonlySet<string>;
  /** Ids of documents that differ, with the ids of their streams. */
  readonly differing: ReadonlyMap<string, string>;
}

export interface SpotCheckParts extends CandidateParts {
  readonly eventStore: Pick<EventStore, 'readAll' | 'readStream' | 'head' | 'measure'>;
  readonly readModels: Pick<DocumentStore, 'find' | 'getMany'>;
}

/** Approximate number of documents of all read models together. */
const DOCUMENTS = 400;
/** Minimum number of documents per read model, if it has so many. */
const OF_EACH = 16;
/** Maximum number of compared documents per stream. */
const OF_ONE = 16;
/** Maximum number of events read in one comparison. */
const EVENTS = 10_000;
/** Stream ids that are compared concurrently. */
const AT_ONCE = 8;

interface Progress {
  readonly subject: Subject;
  readonly left: string[];
  readonly equal: Set<string>;
  readonly differing: Map<string, string>;
}

/**
 * Compares for `budgetMs`, plus one read at most. `turn`: each turn compares other documents. Rejects when a store
 * does.
 */
export async function spotCheck(
  parts: SpotCheckParts,
  subjects: readonly Subject[],
  turn: number,
  budgetMs: number,
): Promise<Map<string, Findings>> {
  const able = subjects.filter(({ projection }) => isPerStream(projection));
  if (able.length === 0) return new Map();
  const end = parts.clock.now() + budgetMs;
  // Finding candidates takes half of the time at most.
  const found = await candidates(parts, able, turn, end - budgetMs / 2);
  const reads = new StreamReads(parts.eventStore);
  const most = Math.max(OF_EACH, Math.ceil(DOCUMENTS / Math.max(1, able.length)));
  const all = able.map(
    (subject): Progress => ({
      ...{ subject, equal: new Set(), differing: new Map() },
      left: [...new Set([...(subject.suspects ?? []), ...found(subject.projection)])].slice(0, most).reverse(),
    }),
  );
  const isOpen = ({ left, equal, differing }: Progress): boolean =>
    left.length > 0 && equal.size + differing.size < most;
  for (let going = all.filter(isOpen); going.length > 0; going = all.filter(isOpen)) {
    for (let i = 0; i < going.length; i += AT_ONCE) {
      if (parts.clock.now() > end || reads.count > EVENTS) return findingsOf(all);
      await Promise.all(going.slice(i, i + AT_ONCE).map((one) => compareOne(parts, reads, one, one.left.pop()!)));
      await breath();
    }
  }
  return findingsOf(all);
}

const findingsOf = (all: readonly Progress[]): Map<string, Findings> =>
  new Map(all.map(({ subject, equal, differing }) => [subject.physical, { equal, differing }]));

/** Compares the documents of one stream id. A difference counts only if fresh reads confirm it. */
async function compareOne(parts: SpotCheckParts, reads: StreamReads, one: Progress, streamId: string): Promise<void> {
  const first = await compared(parts, reads, one.subject, streamId);
  for (const id of first.equal) one.equal.add(id);
  if (first.differing.length === 0) return;
  const again = await compared(parts, new StreamReads(parts.eventStore), one.subject, streamId);
  if (!one.subject.isUnchanged()) return;
  for (const id of again.differing) if (first.differing.includes(id)) one.differing.set(id, streamId);
}

async function compared(
  { readModels }: SpotCheckParts,
  reads: StreamReads,
  subject: Subject,
  streamId: string,
): Promise<{ equal: string[]; differing: string[] }> {
  const { projection, physical, skipped } = subject;
  // Later events are recognised by the revisions of documents.
  const place = await subject.place();
  const early = await reads.sources(projection.categories, streamId);
  try {
    const fold = foldsOf(projection, early, skipped);
    const ids = idsOf(projection, fold(Number.POSITIVE_INFINITY), streamId);
    const stored = await readModels.getMany(physical, ids);
    // Neither events nor documents have this id.
    if (early.events.length === 0 && stored.size === 0) return { equal: [], differing: [] };
    const verdicts = ids.map((id) => verdictOf({ id, is: stored.get(id) }, place, early, fold));
    return {
      equal: ids.filter((_, i) => verdicts[i] === true),
      differing: ids.filter((_, i) => verdicts[i] === false),
    };
  } catch (error) {
    // The event stops the read model, too.
    if (!(error instanceof FoldFailed)) throw error;
    return { equal: [], differing: [] };
  }
}

/**
 * Returns the ids of documents that the streams touch. If documents have the ids of streams, this includes the stream's
 * own id, even if no event touches it.
 */
function idsOf(projection: AnyProjection, touched: ReadonlyMap<string, unknown>, streamId: string): string[] {
  const isOwn = [...handlersOf(projection).values()].every(({ ids }) => ids === undefined);
  return [...new Set([...(isOwn ? [streamId] : []), ...touched.keys()])].slice(0, OF_ONE);
}

type Fold = (end: Position) => ReadonlyMap<string, StoredDocument | undefined>;

/** Caches folds, because most documents are folded to the same position. */
function foldsOf(projection: AnyProjection, { events }: SourceStreams, skipped: ReadonlySet<string>): Fold {
  const known = new Map<Position, ReadonlyMap<string, StoredDocument | undefined>>();
  return (end) => {
    const newest = events.findLast(({ position }) => position <= end)?.position ?? BEFORE_ALL;
    const folded = known.get(newest) ?? foldUpTo(projection, events, skipped, newest);
    known.set(newest, folded);
    return folded;
  };
}

/**
 * Returns true for equal and false for different documents. Undefined: the document is changing, or depends on events
 * that were not read.
 */
function verdictOf(
  { id, is }: { id: string; is: StoredDocument | undefined },
  place: Position,
  { events, cutAt }: SourceStreams,
  fold: Fold,
): boolean | undefined {
  if (cutAt !== undefined && (is === undefined || is.revision > cutAt)) return undefined;
  // A document is written with all events up to its revision, even if the checkpoint is written later.
  const at = cutAt === undefined ? Math.max(place, is?.revision ?? BEFORE_ALL) : is!.revision;
  const fresh = fold(at).get(id);
  const newest = Math.max(place, events.at(-1)?.position ?? BEFORE_ALL);
  const verdict = judge({ id, is, fresh }, { fresh: newest, is: at });
  if (verdict === 'equal') return true;
  if (verdict === 'moving' || verdict === 'behind') return undefined;
  // An event behind the place may have removed it.
  const last = fold(Number.POSITIVE_INFINITY).get(id);
  return is === undefined && last?.revision !== fresh?.revision ? undefined : false;
}
