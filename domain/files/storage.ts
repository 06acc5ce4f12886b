/** Which bytes a store has, and what needs them: one stream, so that the plan's limit is exact. Events: storageEvents.ts. */
import { type Aggregate, type Decision, refuse, type SnapshotCodec } from '../decider.js';
import { defined } from '../defined.js';
import type { KeptContent, StorageEvent } from './storageEvents.js';

// State ---------------------------------------------------------------------------------------------------------------
interface Content {
  readonly size: number;
  readonly sha256?: string;
  /** Files and uploads that need it. */
  holders: number;
}

export interface Storage {
  /** Of all contents. */
  bytes: number;
  /** Content by the file or upload that needs it. */
  readonly holders: Map<string, string>;
  readonly contents: Map<string, Content>;
  /** The content that more files of the same bytes get. */
  readonly byDigest: Map<string, string>;
}

const empty = (): Storage => ({ bytes: 0, holders: new Map(), contents: new Map(), byDigest: new Map() });

function keep(
  state: Storage,
  { by, contentId, size, sha256 }: Pick<KeptContent, 'by' | 'contentId' | 'size' | 'sha256'>,
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
/** A holder with a content of its own. */
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
          keep(state, { by, contentId, size, ...defined({ sha256 }) });
      },
      done: () => state,
    };
  },
};

export const storage: Aggregate<Storage, StorageEvent> = {
  name: 'storage',
  initial: empty,
  evolve(state, event) {
    if (event.type === 'ContentKept') keep(state, event.data);
    else release(state, event.data.by);
    return state;
  },
  snapshot,
  weigh: ({ holders }) => 500 + holders.size * BYTES_EACH,
};

// Decisions -----------------------------------------------------------------------------------------------------------
type Decide = Decision<Storage, StorageEvent>;

/** Bytes that the store has. */
export const usedBytes = ({ bytes }: Storage): number => bytes;

/** Where the bytes of a file or an upload are; undefined: they are not kept. */
export const contentOf =
  (by: string) =>
  ({ holders }: Storage): string | undefined =>
    holders.get(by);

export const isKept =
  (contentId: string) =>
  ({ contents }: Storage): boolean =>
    contents.has(contentId);

/** Refuses `plan_limit_reached` unless `more` bytes fit. `most`: what the plan allows, undefined without a limit. */
export function checkRoom({ bytes }: Storage, more: number, most: number | undefined): void {
  if (most === undefined || bytes + more <= most) return;
  refuse(
    'plan_limit_reached',
    `The plan allows files and recordings of ${most} bytes in all, and the store has ${bytes}. Delete some, or change to a plan with a higher limit.`,
  );
}

/**
 * Bytes that have been stored under `contentId` are needed from now on. Where the store has the same ones already these are
 * needed instead, and those that came can go: see `contentOf`. Once for each file. Refuses `plan_limit_reached`.
 */
export const keepContent =
  (content: KeptContent, most: number | undefined): Decide =>
  (state) => {
    if (state.holders.has(content.by)) return [];
    const same = content.sha256 === undefined ? undefined : state.byDigest.get(content.sha256);
    if (same !== undefined) return [{ type: 'ContentKept', data: { ...content, contentId: same, added: 0 } }];
    checkRoom(state, content.size, most);
    return [{ type: 'ContentKept', data: { ...content, added: content.size } }];
  };

/** Counts what was stored before anything was counted: it stays where it is, and is within no limit. */
export const adoptContent =
  (content: KeptContent): Decide =>
  ({ holders, contents }) => {
    if (holders.has(content.by)) return [];
    const added = contents.has(content.contentId) ? 0 : content.size;
    return [{ type: 'ContentKept', data: { ...content, added } }];
  };

/** The file or upload is gone. Its bytes are for nobody from now on, unless another of the same bytes needs them. */
export const releaseContent =
  (by: string): Decide =>
  ({ holders, contents }) => {
    const contentId = holders.get(by);
    if (contentId === undefined) return [];
    const { size, holders: count } = contents.get(contentId)!;
    return [{ type: 'ContentReleased', data: { by, contentId, freed: count === 1 ? size : 0 } }];
  };
