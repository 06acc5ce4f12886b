import type { EventMeta } from '../../domain/decider.js';

/** Place of an event in the whole store. Positions grow but may have gaps. -1 is before all events. */
export type Position = number;
export const BEFORE_ALL: Position = -1;

/** Unit of the distance between two positions, and the number of positions per unit. */
export interface Measure {
  readonly unit: 'events' | 'bytes';
  readonly positions: number;
}

const EVENTS: Measure = { unit: 'events', positions: 1 };
export const measureOf = ({ measure = EVENTS }: { readonly measure?: Measure }): Measure => measure;

/** Returns the distance between two positions in units; 0 if `to` is not behind `from`. */
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

/** Identifies an event, to check later whether a log is still the one that was read up to it. */
export type EventMark = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'position'>;

export const markOf = ({ stream, revision, id, position }: EventMark): EventMark => ({
  stream,
  revision,
  id,
  position,
});

/** Position up to which a log was read, with the newest known event at or before it. */
export interface LogPlace {
  readonly position: Position;
  /** Absent at the beginning of the log, and for places that were stored without one. */
  readonly mark?: EventMark | undefined;
}

export interface Appended {
  /** Revision of the last event of this append. */
  readonly revision: number;
  /** Position of the last event of this append. */
  readonly position: Position;
  /** These ids were already in the log, so nothing was written. The stored events may come from another decision. */
  readonly repeated?: true;
}

/** Events of these categories (stream name up to the first '-') and, when given, of these types. */
export interface EventFilter {
  readonly categories?: readonly string[];
  readonly types?: readonly string[];
}

/** Options for the delivery of live events. */
export interface SubscribeOptions {
  /** Maximum number of events in one batch. */
  readonly batch?: number;
  /**
   * May leave out events whose key it returns false for. The key is the store (`meta.workspaceId`), or the part of the
   * stream name after the category if the event has no store. Called in the same turn in which a batch is delivered.
   */
  readonly accepts?: (key: string) => boolean;
  /**
   * Time to gather events before the next batch if batches come often, in ms. For subscribers that may lag a little.
   */
  readonly gatherMs?: number;
}

export interface Subscription {
  /** Ends delivery. Resolves when the running handler has returned. */
  stop(): Promise<void>;
  /** Rejects when the handler threw or the store failed for good; resolves after stop(). */
  readonly ended: Promise<void>;
}

export interface Subscriber {
  /**
   * Delivers batches one at a time, in order, without gaps or duplicates. The next batch comes when the promise has
   * resolved (back-pressure). `through`: everything up to this position was scanned, including events that the filter
   * left out. It may be beyond the last event, and the batch may be empty if only `through` moved. `last`: the newest
   * event at or before `through`, even if the filter left it out, if the engine knows it.
   */
  batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> | void;
  /**
   * Replaces an empty batch if the engine knows at once that all events were filtered out. Called between batches and
   * in order with them; nothing waits for it. Absent: such stretches come as empty batches.
   */
  passed?(through: Position, last?: EventMark): void;
  /** Called once, after everything that was in the store at some moment after subscribing has been delivered. */
  caughtUp?(): void;
}

/**
 * The log of everything that happened. The contract suite test/contracts/eventStore.ts holds for each engine. Errors:
 * `WrongExpectedRevision`; `PayloadTooLarge`; `LogDamaged` from reads, in place of an event that has changed since it
 * was written; `StoreUnavailable` (outcome unknown: retry with the same ids and the same expectation). Subclasses of
 * the last are `StorageFull` (nothing was written) and `StoreRefused` (retries fail until somebody changes a setting).
 */
export interface EventStore {
  /**
   * Appends 1 to 500 events to one stream, atomically; durable when it resolves. Idempotent by event id: the same ids
   * at the same place (an exact earlier revision, `noStream`) or anywhere in the stream (`any`) return the first
   * result. With `any`, known events must come in their stored order. Only ids are compared, so the stored events may
   * differ from those sent: see `repeated`.
   */
  append(stream: string, expected: Expected, events: readonly EventData[]): Promise<Appended>;
  /** `from` is inclusive; absent with `backwards`: from the end. Returns nothing for a stream that does not exist. */
  readStream(
    stream: string,
    options?: { from?: number; direction?: 'forwards' | 'backwards'; limit?: number },
  ): Promise<RecordedEvent[]>;
  /**
   * Returns events after (exclusive) a position, in order. `through`, `last`: see Subscriber. A page may be empty with
   * `end: false`.
   */
  readAll(
    after: Position,
    options?: { filter?: EventFilter; limit?: number },
  ): Promise<{ events: RecordedEvent[]; through: Position; end: boolean; last?: EventMark | undefined }>;
  /** Catches up from (exclusive) a position, then follows live events. */
  subscribe(after: Position, filter: EventFilter, subscriber: Subscriber, options?: SubscribeOptions): Subscription;
  /** Returns the position of the newest event; BEFORE_ALL if the log is empty. */
  head(): Promise<Position>;
  /** True if `append` always reports `repeated`. Otherwise an append may be a repetition without the flag. */
  readonly reportsRepeats?: boolean;
  /** True if no `through` is ever beyond the head. A place beyond it then belongs to a newer or another log. */
  readonly exact?: boolean;
  /** Returns true if a read may lag behind what another caller has read, since the log has replicas. Absent: it may, unless `exact`. */
  mayLag?(): boolean;
  /** Unit of the distance between two positions. Absent: events. */
  readonly measure?: Measure;
  /** Estimates the positions per event from the newest events, if distances are not counted in events. */
  spacing?(): Promise<number>;
  close(): Promise<void>;
}

/** Returns the members that a wrapper of a store passes on unchanged. */
export const passedOn = (
  store: Omit<EventStore, 'append'>,
): Pick<EventStore, 'head' | 'reportsRepeats' | 'exact' | 'mayLag' | 'measure' | 'spacing' | 'close'> => ({
  head: () => store.head(),
  ...(store.reportsRepeats !== undefined && { reportsRepeats: store.reportsRepeats }),
  ...(store.exact !== undefined && { exact: store.exact }),
  ...(store.mayLag !== undefined && { mayLag: () => store.mayLag!() }),
  ...(store.measure !== undefined && { measure: store.measure }),
  ...(store.spacing !== undefined && { spacing: () => store.spacing!() }),
  close: () => store.close(),
});

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: string;
  readonly expected: Expected;
  /** Current revision; -1 if the stream does not exist. */
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

/** The disk is full. Nothing was stored, so the outcome is known. Retry when there is room. */
export class StorageFull extends StoreUnavailable {
  override readonly name = 'StorageFull';
}

/** Stored data differs from what was written. The message names the place; waiting does not help. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
}

/** The store refuses this client until somebody changes a setting: a password, a permission, a certificate. */
export class StoreRefused extends StoreUnavailable {
  override readonly name = 'StoreRefused';
}

/** Returns the stream name of an aggregate. */
export const streamName = (category: string, id: string): string => `${category}-${id}`;
export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash);
}
