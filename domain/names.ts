/**
 * What only one at a time may have in a store: a coupon's code, the name of a list or of a template. One stream a store and
 * kind holds all of them, and who counts toward the kind's limit, so that no name is two holders' and no limit is exceeded
 * whatever happens at the same time. A holder takes its place and its name before it is stored, and frees them after it is
 * gone; what a stop in between leaves is found by looking at the holder, and taken over: see application/names.ts, which
 * also says why each try to take has a name of its own.
 */
import { type Aggregate, type Decision, refuse, type SnapshotCodec, type WithMeta } from './decider.js';
import { defined } from './defined.js';
import { type Hold, holdOf } from './holding.js';
import { inChunks } from './inChunks.js';
import type { NameEvent } from './nameEvents.js';

// Events: NameEvent in nameEvents.ts -----------------------------------------------------------------------------

// State ----------------------------------------------------------------------------------------------------------
export interface Names {
  /** All that count toward the limit, by id, with the newest try. */
  readonly holders: Map<string, Hold>;
  /** Who has each name. */
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

/** One kind of holders: how many a store may have, and what another one is refused with. */
export interface NameKind {
  /** In the stream's name: stored for ever. */
  readonly name: 'promotion' | 'numberList' | 'template';
  readonly most: number;
  readonly full: Refusal;
  readonly taken: Refusal;
}

export interface TakeName {
  readonly by: string;
  /** In the form in which it is compared; absent: the holder has no name. */
  readonly value?: string | undefined;
  readonly attempt: string;
  /** How many there may be with this one. Absent: it is there already, and no limit keeps it from changing. */
  readonly most?: number | undefined;
  /** A hold of the name whose holder was found to have let go of it. */
  readonly stale?: Hold | undefined;
  /** Holders that were found to be gone, or never to have come. */
  readonly gone?: readonly Hold[];
}

const isSame = (one: Hold | undefined, other: Hold | undefined): boolean =>
  one !== undefined && one.by === other?.by && one.attempt === other.attempt;

/** Whether this very try has taken it already. */
function isDone({ holders, names }: Names, { by, value, attempt }: TakeName): boolean {
  const hold = value === undefined ? undefined : names.get(value);
  return holders.has(by) && (value === undefined || (hold?.by === by && hold.attempt === attempt));
}

/** Holders whose places are free, since they were found to be gone and nothing has changed about them. */
const leaving = ({ holders }: Names, { by, gone = [] }: TakeName): readonly Hold[] =>
  gone.filter((one) => one.by !== by && isSame(one, holders.get(one.by)));

function taking({ names }: Names, kind: Pick<NameKind, 'taken'>, { by, value, attempt, stale }: TakeName): NameEvent {
  const hold = value === undefined ? undefined : names.get(value);
  const other = hold?.by === by ? undefined : hold;
  if (other !== undefined && !isSame(other, stale)) refuse(kind.taken.code, kind.taken.detail);
  return { type: 'NameTaken', data: { by, ...defined({ value }), attempt, ...defined({ instead: other?.attempt }) } };
}

/**
 * Takes a place, and the name if there is one, also one that the holder has: then for a new try. The same try again changes
 * nothing. Refuses with the kind's codes when the store is full, or another has the name.
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

/** The holder has another name, or none; changes nothing when a later try has taken it. */
export const freeName =
  ({ by, attempt }: Pick<Hold, 'by' | 'attempt'>, value: string): NamesDecision =>
  ({ names }) =>
    names.get(value)?.by === by && names.get(value)?.attempt === attempt
      ? [{ type: 'NameFreed', data: { by, value, attempt } }]
      : [];

/** The holder is gone for good: its place and all its names are free. `attempt`: only if this try brought it. */
export const freeHolder =
  (by: string, attempt?: string): NamesDecision =>
  ({ holders }) => {
    const hold = holders.get(by);
    if (hold === undefined || (attempt !== undefined && hold.attempt !== attempt)) return [];
    return [{ type: 'NameFreed', data: { by, attempt: hold.attempt } }];
  };
