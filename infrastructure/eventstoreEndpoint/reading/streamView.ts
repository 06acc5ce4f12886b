/** Events of a stream that a reader may see: the rules of truncation and deletion. */
import type { RawEvent, RawLog } from '../../sqlite/eventStore/rawLog.js';
import { TOMBSTONE_REVISION } from '../../sqlite/eventStore/schema.js';
import { metadataStream, parseStreamMetadata, type StreamMetadata } from '../../sqlite/eventStore/streamMetadata.js';

export interface StreamView {
  /** The stream's number in the log. */
  readonly stream: number;
  /** Revision of the oldest event that `$tb` and `$maxCount` leave; beyond `last` when they leave none. */
  readonly first: number;
  /** Revision of the newest event. */
  readonly last: number;
  /** Start of visible events by `$maxAge`. Microseconds since 1970; -Infinity without. */
  readonly notBefore: number;
}

/** `missing`: never written, or soft-deleted. `deleted`: tombstoned. */
export type Sight = StreamView | 'missing' | 'deleted';

/** EventStoreDB shows only the newest event of a metadata stream, and nothing changes that. */
const OF_METADATA: StreamMetadata = { maxCount: 1, deleted: false };

const isMetadata = (name: string): boolean => name.startsWith('$$');

/** `now`: ms since 1970. */
export function viewStream(log: RawLog, name: string, now: number): Sight {
  if (isMetadata(name) && newestOf(log, name.slice(2))?.revision === TOMBSTONE_REVISION) return 'deleted';
  const newest = newestOf(log, name);
  if (newest === undefined) return 'missing';
  if (newest.revision === TOMBSTONE_REVISION) return 'deleted';
  const { deleted, truncateBefore = 0, maxCount, maxAge } = metadataOf(log, name);
  if (deleted) return 'missing';
  const last = newest.revision;
  return {
    stream: newest.stream,
    first: Math.max(truncateBefore, maxCount === undefined ? 0 : last - maxCount + 1),
    last,
    notBefore: maxAge === undefined ? -Infinity : (now - maxAge * 1_000) * 1_000,
  };
}

function newestOf(log: RawLog, name: string): { stream: number; revision: number } | undefined {
  const stream = log.streamNumber(name);
  if (stream === undefined) return undefined;
  const revision = log.newestRevision(stream);
  return revision === -1 ? undefined : { stream, revision };
}

function metadataOf(log: RawLog, name: string): StreamMetadata {
  if (isMetadata(name)) return OF_METADATA;
  const newest = newestOf(log, metadataStream(name));
  const event = newest && log.event(newest.stream, newest.revision);
  return parseStreamMetadata(event?.json ? event.data : undefined);
}

export const isShown = ({ first, last, notBefore }: StreamView, event: RawEvent): boolean =>
  event.revision >= first && event.revision <= last && event.created >= notBefore;
