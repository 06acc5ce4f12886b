import type { EventMeta } from '../../domain/decider.js';

/** Place of an event in the whole store. Grows with every event; only order is promised, not density. -1 is before all. */
export type Position = number;
export const BEFORE_ALL: Position = -1;

/** What lies between two positions, and how many positions are one of it. */
export interface Measure {
  readonly unit: 'events' | 'bytes';
  readonly positions: number;
}

const EVENTS: Measure = { unit: 'events', positions: 1 };
export const measureOf = ({ measure = EVENTS }: { readonly measure?: Measure }): Measure => measure;

/** How much lies between two positions, in units; 0 when `to` is not behind `from`. */
export const distance = ({ positions }: Measure, from: Position, to: Position): number =>
  Math.max(0, Math.ceil((to - from) / positions));

/** Revision of a stream: 0 for its first event, then without gaps. */
export type Expected = 'any' | 'noStream' | number;

export interface EventData {
  /** UUID. Derived from the command's id, so that a repeated append is recognised. */
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly meta: EventMeta;
}

export interface RecordedEvent extends EventData {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** An event by which it can be told later whether a log is still the one that was read up to there. */
export type EventMark = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'position'>;

export const markOf = ({ stream, revision, id, position }: EventMark): EventMark => ({
  stream,
  revision,
  id,
  position,
});

/** How far a log was read, and the newest event that is known to stand there or before. */
export interface LogPlace {
  readonly position: Position;
  /** Absent at the beginning, and where it was not kept. */
  readonly mark?: EventMark | undefined;
}

export interface Appended {
  /** Revision of the last event of this append. */
  readonly revision: number;
  /** Position of the last event of this append. */
  readonly position: Position;
  /** These ids were in the log before: nothing was written, and what is stored may have been decided by somebody else. */
  readonly repeated?: true;
}

/** Events of these categories (stream name up to the first '-') and, when given, of these types. */
export interface EventFilter {
  readonly categories?: readonly string[];
  readonly types?: readonly string[];
}

/** How a subscription hands over what follows live. */
export interface SubscribeOptions {
  /** Events of one batch at most. */
  readonly batch?: number;
  /**
   * Events that belong to something for which it says no may be left out: to their store (`meta.workspaceId`), or to what follows the
   * category in the name of their stream where they have none. Asked in the same turn in which a batch is handed over.
   */
  readonly wants?: (key: string) => boolean;
  /** Where batches come often, events may gather for so long before the next one, in ms: for those whom nobody waits for. */
  readonly gatherMs?: number;
}

export interface Subscription {
  /** Ends delivery; resolves when the handler that is running has returned. */
  stop(): Promise<void>;
  /** Rejects when the handler threw or the store failed for good; resolves after stop(). */
  readonly ended: Promise<void>;
}

export interface Subscriber {
  /**
   * One batch at a time, in order, without a gap or a duplicate: the next comes when the promise has resolved (back-pressure).
   * `through`: everything up to this position has been seen, also what the filter left out; it may be beyond the last
   * event, and the batch may be empty when only `through` moved.
   * `last`: the newest event at or before `through`, also when the filter left it out, where the engine knows it.
   */
  batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> | void;
  /**
   * In place of an empty batch, where the engine knows at once that what came was left out: nothing is waited for. Between two batches, and
   * in order with them. Such stretches come as empty batches when absent.
   */
  passed?(through: Position, last?: EventMark): void;
  /** Once, when everything that stood in the store at some moment after subscribing has been delivered. */
  caughtUp?(): void;
}

/**
 * The log of everything that happened. One contract suite, test/contracts/eventStore.ts, holds for each engine.
 * Errors: `WrongExpectedRevision`; `PayloadTooLarge`; `StoreUnavailable` (outcome unknown: repeat with the same ids and
 * the same expectation), and of these `StorageFull` (nothing was written) and `StoreRefused` (in vain until somebody changes a
 * setting); `LogDamaged` from reads, rather than an event that has changed since it was written.
 */
export interface EventStore {
  /**
   * Atomic, durable when it resolves, 1 to 500 events, one stream. Idempotent by event id: the same ids at the same
   * place (an exact earlier revision, `noStream`) or anywhere in the stream (`any`) answer as the first time. Under `any`
   * known events come in the order in which they stand: no answer is promised to another one. Only ids are compared, so what is
   * stored under them may differ from what was sent: see `repeated`.
   */
  append(stream: string, expected: Expected, events: readonly EventData[]): Promise<Appended>;
  /** Inclusive `from`; `backwards` from the end when `from` is absent. Empty for a stream that does not exist. */
  readStream(
    stream: string,
    options?: { from?: number; direction?: 'forwards' | 'backwards'; limit?: number },
  ): Promise<RecordedEvent[]>;
  /** Events after (exclusive) a position, in order. `through`, `last` as in Subscriber; a page may be empty with `end: false`. */
  readAll(
    after: Position,
    options?: { filter?: EventFilter; limit?: number },
  ): Promise<{ events: RecordedEvent[]; through: Position; end: boolean; last?: EventMark | undefined }>;
  /** Catches up from (exclusive) a position, then follows live. */
  subscribe(after: Position, filter: EventFilter, subscriber: Subscriber, options?: SubscribeOptions): Subscription;
  /** Position of the newest event; BEFORE_ALL when empty. */
  head(): Promise<Position>;
  /** Whether `append` always says that it was `repeated`; otherwise it may be so without a word. */
  readonly tellsRepeats?: boolean;
  /** Whether no `through` is ever beyond the head: a place that is then belongs to a newer log, or to another one. */
  readonly exact?: boolean;
  /** What a distance between two positions counts; events when absent. */
  readonly measure?: Measure;
  /** About how many positions an event takes, by the newest ones: where a distance counts something else than events. */
  spacing?(): Promise<number>;
  close(): Promise<void>;
}

/** What a store around another one passes on as it is. */
export const passedOn = (
  store: Omit<EventStore, 'append'>,
): Pick<EventStore, 'head' | 'tellsRepeats' | 'exact' | 'measure' | 'spacing' | 'close'> => ({
  head: () => store.head(),
  ...(store.tellsRepeats !== undefined && { tellsRepeats: store.tellsRepeats }),
  ...(store.exact !== undefined && { exact: store.exact }),
  ...(store.measure !== undefined && { measure: store.measure }),
  ...(store.spacing !== undefined && { spacing: () => store.spacing!() }),
  close: () => store.close(),
});

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: string;
  readonly expected: Expected;
  /** -1: the stream does not exist. */
  readonly actual: number;
  constructor(stream: string, expected: Expected, actual: number) {
    super(`${stream} is at revision ${actual}, expected ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
}

export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** There is no room on the medium. Nothing was stored, so the outcome is known; it may be tried again when there is room. */
export class StorageFull extends StoreUnavailable {
  override readonly name = 'StorageFull';
}

/** What is stored is not what was written. The message says where; waiting does not mend it. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
}

/** The store turns us away, and will until somebody changes a setting: a password, a right, a certificate. */
export class StoreRefused extends StoreUnavailable {
  override readonly name = 'StoreRefused';
}

/** The stream name of an aggregate, and its category. */
export const streamName = (category: string, id: string): string => `${category}-${id}`;
export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash);
}
