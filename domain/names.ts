/**
 * Unique names in a store: coupon codes, names of lists and of templates. One stream per store and kind contains all names and all holders
 * that count toward the kind's limit, so that names stay unique and the limit exact under concurrency.
 *
 * A holder reserves its place and its name before it is stored, and frees them after it was removed. If the service stops in between, the
 * next attempt checks the holder and takes over: see application/names.ts, which also explains why each attempt has its own id.
 */
import { type Aggregate, type Decision, refuse, type SnapshotCodec, type WithMeta } from './decider.js';
import { defined } from './defined.js';
import { type Hold, holdOf } from './hold.js';
import { inChunks } from './inChunks.js';
import type { NameEvent } from './nameEvents.js';

// Events: NameEvent in nameEvents.ts -----------------------------------------------------------------------------

// State ----------------------------------------------------------------------------------------------------------
export interface Names {
  /** All holders that count toward the limit, by id, with the newest attempt. */
  readonly holders: Map<string, Hold>;
  /** Holder of each name. */
  readonly names: Map<string, Hold>;
}

const none = (): Names => ({ holders: new Map(), names: new Map() });

function leave({ holders, names }: Names, by: string): void {
  holders.delete(by);
  for (const [value, hold] of names) if (hold.by === by) names.delete(value);
}

function evolve(state: Names, event: WithMeta<NameEvent>): Names {
  switch (event.type) {
    case 'NameTaken': {
      const { by, value } = event.data;
      state.holders.set(by, holdOf(event));
      if (value !== undefined) state.names.set(value, holdOf(event));
      return state;
    }
    case 'NameFreed':
      if (event.data.value === undefined) leave(state, event.data.by);
      else state.names.delete(event.data.value);
      return state;
  }
}

const snapshot: SnapshotCodec<Names> = {
  version: 1,
  every: 5_000,
  *write({ holders, names }): Generator<object> {
    for (const part of inChunks([...holders])) yield { holders: part };
    for (const part of inChunks([...names])) yield { names: part };
  },
  read() {
    const state = none();
    return {
      add(chunk) {
        const { holders = [], names = [] } = chunk as { holders?: [string, Hold][]; names?: [string, Hold][] };
        for (const [by, hold] of holders) state.holders.set(by, hold);
        for (const [value, hold] of names) state.names.set(value, hold);
      },
      done: () => state,
    };
  },
};

const HOLD_BYTES = 300;

/** Stream `names-{workspaceId}.{kind}`. */
export const names: Aggregate<Names, NameEvent> = {
  name: 'names',
  initial: none,
  evolve,
  snapshot,
  weigh: (state) => 500 + (state.holders.size + state.names.size) * HOLD_BYTES,
};

// Decisions ------------------------------------------------------------------------------------------------------
type NamesDecision = Decision<Names, NameEvent>;

interface Refusal {
  readonly code: string;
  readonly detail: string;
}

/** A kind of holders: the limit per store, and the refusals. */
export interface NameKind {
  /** Part of the stream's name: stored for ever. */
  readonly name: 'promotion' | 'numberList' | 'template';
  readonly most: number;
  readonly full: Refusal;
  readonly taken: Refusal;
}

export interface TakeName {
  readonly by: string;
  /** In normalized form. Absent: the holder has no name. */
  readonly value?: string | undefined;
  readonly attempt: string;
  /** Maximum number of holders. Absent: the holder exists already, so no limit applies to the change. */
  readonly most?: number | undefined;
  /** A reservation of the name whose holder does not use it any more. */
  readonly stale?: Hold | undefined;
  /** Holders that were found to be removed, or were never created. */
  readonly gone?: readonly Hold[];
}

const isSame = (one: Hold | undefined, other: Hold | undefined): boolean =>
  one !== undefined && one.by === other?.by && one.attempt === other.attempt;

/** Returns true if this attempt has taken it already. */
function isDone({ holders, names }: Names, { by, value, attempt }: TakeName): boolean {
  const hold = value === undefined ? undefined : names.get(value);
  return holders.has(by) && (value === undefined || (hold?.by === by && hold.attempt === attempt));
}

/** Returns holders to release: they were found to be gone, and have not changed since. */
const leaving = ({ holders }: Names, { by, gone = [] }: TakeName): readonly Hold[] =>
  gone.filter((one) => one.by !== by && isSame(one, holders.get(one.by)));

function taking({ names }: Names, kind: Pick<NameKind, 'taken'>, { by, value, attempt, stale }: TakeName): NameEvent {
  const hold = value === undefined ? undefined : names.get(value);
  const other = hold?.by === by ? undefined : hold;
  if (other !== undefined && !isSame(other, stale)) refuse(kind.taken.code, kind.taken.detail);
  return { type: 'NameTaken', data: { by, ...defined({ value }), attempt, ...defined({ instead: other?.attempt }) } };
}

/**
 * Reserves a place, and the name if there is one. A name that the holder has already is reserved for the new attempt. Repeating an attempt
 * changes nothing. Refuses with the kind's codes if the store is full or another holder has the name.
 */
export const takeName =
  (kind: Pick<NameKind, 'full' | 'taken'>, command: TakeName): NamesDecision =>
  (state) => {
    const { by, most } = command;
    if (isDone(state, command)) return [];
    const gone = leaving(state, command);
    const isFull = most !== undefined && !state.holders.has(by) && state.holders.size - gone.length >= most;
    if (isFull) refuse(kind.full.code, kind.full.detail);
    const freed = gone.map((one): NameEvent => ({ type: 'NameFreed', data: { by: one.by, attempt: one.attempt } }));
    return [...freed, taking(state, kind, command)];
  };

/** Frees one name of the holder. No event if a later attempt has taken it. */
export const freeName =
  ({ by, attempt }: Pick<Hold, 'by' | 'attempt'>, value: string): NamesDecision =>
  ({ names }) =>
    names.get(value)?.by === by && names.get(value)?.attempt === attempt
      ? [{ type: 'NameFreed', data: { by, value, attempt } }]
      : [];

/** Frees the place and all names of a holder that was removed for good. `attempt`: only if this attempt created it. */
export const freeHolder =
  (by: string, attempt?: string): NamesDecision =>
  ({ holders }) => {
    const hold = holders.get(by);
    if (hold === undefined || (attempt !== undefined && hold.attempt !== attempt)) return [];
    return [{ type: 'NameFreed', data: { by, attempt: hold.attempt } }];
  };
