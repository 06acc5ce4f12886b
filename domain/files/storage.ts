/** A store's file contents and their users, in one stream, so that the plan's limit is exact. Events: storageEvents.ts. */
import { type Aggregate, type Decision, refuse, type SnapshotCodec } from '../decider.js';
import { defined } from '../defined.js';
import type { StorageEvent, StoredContent } from './storageEvents.js';

// State ---------------------------------------------------------------------------------------------------------------
interface Content {
  readonly size: number;
  readonly sha256?: string;
  /** Number of files and uploads that use it. */
  holders: number;
}

export interface Storage {
  /** Total size of all contents. */
  bytes: number;
  /** Content id by the file or upload that uses it. */
  readonly holders: Map<string, string>;
  readonly contents: Map<string, Content>;
  /** Content id by digest. Files with equal bytes share the content. */
  readonly byDigest: Map<string, string>;
}

const empty = (): Storage => ({ bytes: 0, holders: new Map(), contents: new Map(), byDigest: new Map() });

function addContent(
  state: Storage,
  { by, contentId, size, sha256 }: Pick<StoredContent, 'by' | 'contentId' | 'size' | 'sha256'>,
) {
  const known = state.contents.get(contentId);
  state.holders.set(by, contentId);
  if (known !== undefined) {
    known.holders += 1;
    return;
  }
  state.contents.set(contentId, { size, ...defined({ sha256 }), holders: 1 });
  state.bytes += size;
  if (sha256 !== undefined && !state.byDigest.has(sha256)) state.byDigest.set(sha256, contentId);
}

function release(state: Storage, by: string): void {
  const contentId = state.holders.get(by);
  const content = state.contents.get(contentId ?? '');
  state.holders.delete(by);
  if (contentId === undefined || content === undefined) return;
  content.holders -= 1;
  if (content.holders > 0) return;
  state.contents.delete(contentId);
  state.bytes -= content.size;
  const { sha256 } = content;
  if (sha256 !== undefined && state.byDigest.get(sha256) === contentId) state.byDigest.delete(sha256);
}

type Row = readonly [by: string, contentId: string, size: number, sha256?: string];
const CHUNK = 2_000;
/** Memory of a holder with a content of its own. */
const BYTES_EACH = 500;

const snapshot: SnapshotCodec<Storage> = {
  version: 1,
  every: 5_000,
  *write({ holders, contents }) {
    let rows: Row[] = [];
    for (const [by, contentId] of holders) {
      const { size, sha256 } = contents.get(contentId)!;
      rows.push(sha256 === undefined ? [by, contentId, size] : [by, contentId, size, sha256]);
      if (rows.length < CHUNK) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
  },
  read() {
    const state = empty();
    return {
      add(chunk) {
        for (const [by, contentId, size, sha256] of (chunk as { rows: readonly Row[] }).rows)
          addContent(state, { by, contentId, size, ...defined({ sha256 }) });
      },
      done: () => state,
    };
  },
};

export const storage: Aggregate<Storage, StorageEvent> = {
  name: 'storage',
  initial: empty,
  evolve(state, event) {
    if (event.type === 'ContentKept') addContent(state, event.data);
    else release(state, event.data.by);
    return state;
  },
  snapshot,
  weigh: ({ holders }) => 500 + holders.size * BYTES_EACH,
};

// Decisions -----------------------------------------------------------------------------------------------------------
type Decide = Decision<Storage, StorageEvent>;

/** Total bytes of the store's contents. */
export const usedBytes = ({ bytes }: Storage): number => bytes;

/** Returns the content id of a file or an upload, or undefined if it has none. */
export const contentOf =
  (by: string) =>
  ({ holders }: Storage): string | undefined =>
    holders.get(by);

export const isStored =
  (contentId: string) =>
  ({ contents }: Storage): boolean =>
    contents.has(contentId);

/** Refuses `plan_limit_reached` if `more` bytes do not fit. `most`: limit of the plan, undefined without one. */
export function checkRoom({ bytes }: Storage, more: number, most: number | undefined): void {
  if (most === undefined || bytes + more <= most) return;
  refuse(
    'plan_limit_reached',
    `The plan allows files and recordings of ${most} bytes in all, and the store has ${bytes}. Delete files, or change to a plan with a higher limit.`,
  );
}

/**
 * Records that a file uses the bytes that were stored under `contentId`, once per file. If the store has equal bytes already, the file uses
 * those, and the new ones can be removed: see `contentOf`. Refuses `plan_limit_reached`.
 */
export const recordContent =
  (content: StoredContent, most: number | undefined): Decide =>
  (state) => {
    if (state.holders.has(content.by)) return [];
    const same = content.sha256 === undefined ? undefined : state.byDigest.get(content.sha256);
    if (same !== undefined) return [{ type: 'ContentKept', data: { ...content, contentId: same, added: 0 } }];
    checkRoom(state, content.size, most);
    return [{ type: 'ContentKept', data: { ...content, added: content.size } }];
  };

/** Counts a file that was stored before sizes were counted. It stays where it is, and no limit applies. */
export const adoptContent =
  (content: StoredContent): Decide =>
  ({ holders, contents }) => {
    if (holders.has(content.by)) return [];
    const added = contents.has(content.contentId) ? 0 : content.size;
    return [{ type: 'ContentKept', data: { ...content, added } }];
  };

/** Records that a file or upload was removed. Its bytes can be deleted, unless another file has equal bytes. */
export const releaseContent =
  (by: string): Decide =>
  ({ holders, contents }) => {
    const contentId = holders.get(by);
    if (contentId === undefined) return [];
    const { size, holders: count } = contents.get(contentId)!;
    return [{ type: 'ContentReleased', data: { by, contentId, freed: count === 1 ? size : 0 } }];
  };
