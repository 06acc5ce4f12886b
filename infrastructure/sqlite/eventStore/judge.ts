/**
 * Decides whether an append or a deletion may be written, as EventStoreDB 23.10 does, except that every repeat is recognised for ever
 * (there, repeats under ANY or STREAM_EXISTS are forgotten with a restart).
 */
import type { Db } from '../database.js';
import type { DeleteRequest, Expectation } from './messages.js';
import { TOMBSTONE_REVISION } from './schema.js';
import type { StreamHead } from './streamHeads.js';
import { isHidden, type StreamMetadata } from './streamMetadata.js';

export interface Place {
  readonly revision: number;
  readonly position: number;
  readonly hidden?: boolean;
}

/** A place means: it is a repeat of the events at that place. */
export type Verdict = 'write' | 'wrong' | 'deleted' | Place;

/** The metadata of a stream without events; undefined where it has none either. */
type Described = () => StreamMetadata | undefined;

/** Verdict on a stream without events for writers that require an existing stream: its metadata make it exist. */
const existing = (metadata: StreamMetadata | undefined): 'write' | 'wrong' | 'deleted' =>
  metadata === undefined ? 'wrong' : metadata.deleted ? 'deleted' : 'write';

export class Judge {
  readonly #idAt;
  readonly #placeOf;

  constructor(db: Db) {
    this.#idAt = db.prepare<[Buffer, number]>(
      'SELECT CAST(id AS BLOB), position FROM events WHERE stream = ? AND revision = ?',
    );
    this.#placeOf = db.prepare<[number, number]>(
      'SELECT CAST(revision AS INTEGER), position FROM events WHERE stream = ? AND id = ? ORDER BY position LIMIT 1',
    );
  }

  /**
   * An expectation that holds writes whatever the ids; one that does not may be a repeat. `described`: the metadata that a stream
   * without events has.
   */
  append(
    stream: StreamHead | undefined,
    expected: Expectation,
    ids: readonly Uint8Array[],
    described: Described,
  ): Verdict {
    const actual = stream?.head ?? -1;
    if (stream === undefined || actual === -1) {
      if (expected === 'streamExists') return existing(described());
      return expected === 'any' || expected === 'noStream' ? 'write' : 'wrong';
    }
    if (actual === TOMBSTONE_REVISION) return 'deleted';
    if (expected === 'any') return this.#repeatAnywhere(stream, ids);
    if (expected === 'streamExists') return stream.metadata.deleted ? 'deleted' : this.#repeatAnywhere(stream, ids);
    const revision = expected === 'noStream' ? -1 : expected;
    if (revision === actual) return 'write';
    if (revision > actual) return 'wrong';
    const repeat = this.#repeatAt(stream, revision + 1, ids);
    // A soft-deleted stream is none to its writers, though its revisions go on.
    return repeat === 'wrong' && expected === 'noStream' && stream.metadata.deleted ? 'write' : repeat;
  }

  /** A missing stream can be ended for ever, but not hidden; one that has only metadata can. */
  deletion(
    stream: StreamHead | undefined,
    { expected, deletion }: DeleteRequest,
    described: Described,
  ): 'write' | 'wrong' | 'deleted' {
    const actual = stream?.head ?? -1;
    const open = expected === 'any' || expected === 'noStream';
    if (stream === undefined || actual === -1) {
      if (expected === 'streamExists') return existing(described());
      return open && (deletion === 'hard' || described() !== undefined) ? 'write' : 'wrong';
    }
    if (actual === TOMBSTONE_REVISION) return 'deleted';
    if (expected === 'streamExists') return stream.metadata.deleted ? 'deleted' : 'write';
    const holds = expected === 'any' || expected === actual || (expected === 'noStream' && stream.metadata.deleted);
    return holds ? 'write' : 'wrong';
  }

  /** The first id decides: unknown, everything is written; known, all the others must be known too. */
  #repeatAnywhere(stream: StreamHead, ids: readonly Uint8Array[]): Verdict {
    let last: [number, number] | undefined;
    for (const id of ids) {
      const place = this.#placeOf.get([stream.id, id]);
      if (place === undefined) return last === undefined ? 'write' : 'wrong';
      last = place;
    }
    return last === undefined ? 'write' : place(stream, last[0], last[1]);
  }

  #repeatAt(stream: StreamHead, first: number, ids: readonly Uint8Array[]): 'wrong' | Place {
    let position = -1;
    for (const [index, id] of ids.entries()) {
      const found = this.#idAt.get([stream.id, first + index]);
      if (found === undefined || !found[0].equals(id)) return 'wrong';
      position = found[1];
    }
    return position === -1 ? 'wrong' : place(stream, first + ids.length - 1, position);
  }
}

const place = ({ metadata, head }: StreamHead, revision: number, position: number): Place => ({
  revision,
  position,
  hidden: isHidden(metadata, revision, head),
});
