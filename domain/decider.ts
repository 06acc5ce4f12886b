/**
 * Types of all aggregates. An aggregate file has a fixed order: Events; State and evolve; Commands and decisions. Domain code never reads a
 * clock or draws a random number: the time and new ids are part of the command.
 */

/** A business fact. `type` is stored for ever, `data` is a contract: see domain/storedEvents.ts. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Cause of an event. `id` is the id of a member, a key or a customer. (Specification 1, 'Order event'.) */
export interface Actor {
  readonly type: 'member' | 'partner_key' | 'api_key' | 'customer' | 'system';
  readonly id?: string;
}

/** Stored with every event. `at` is an RFC 3339 UTC time. */
export interface EventMeta {
  readonly at: string;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  readonly partnerId?: string;
  /** Account on the machine that ran the command line. */
  readonly operator?: string;
  /** Version of the stored shape of `data`; 1 when absent. */
  readonly schema?: number;
  /** Trace context of the command, if traces are recorded. (W3C Trace Context, with the names of CloudEvents.) */
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** Converts the data of an event to the next version of its stored shape. Pure, and never changed once released. */
export type Upcaster = (data: object, meta: EventMeta) => object;

/** Events with several versions of their stored shape, by type: the newest version, and an upcaster from each version before. */
export type EvolvedEvents = ReadonlyMap<
  string,
  { readonly version: number; readonly upcast: Readonly<Record<number, Upcaster>> }
>;

export type WithMeta<E extends DomainEvent> = E & { readonly meta: EventMeta };

/**
 * Snapshots of a state whose whole history would be too slow to replay. `write` yields small chunks (each well under a megabyte of JSON)
 * and `read` consumes them one at a time, so that a large store does not block others.
 */
export interface SnapshotCodec<State> {
  /** Raise it when the state's shape changes. Snapshots of other versions are ignored. */
  readonly version: number;
  /** Number of events between snapshots. */
  readonly every: number;
  write(state: State): Iterable<object>;
  /**
   * Same as `write`, for a state that continues to change. Captures the contents at once, in a few ms, so that later changes are not in the
   * snapshot. Absent: to write a large state, it is read from its stream again.
   */
  hold?(state: State): Iterable<object>;
  read(): { add(chunk: object): void; done(): State };
}

/**
 * A unit of consistency: one stream, `{name}-{id}`. `evolve` may change its argument and return it, since large states are not copied. It
 * receives only events that were decided on that same state or read from the stream. `initial` creates a new state each time.
 */
export interface Aggregate<State, Event extends DomainEvent> {
  readonly name: string;
  initial(): State;
  evolve(state: State, event: WithMeta<Event>): State;
  readonly snapshot?: SnapshotCodec<State>;
  /** Approximate size of the state in bytes, for the bounded cache. Default: 2,000. */
  weigh?(state: State): number;
}

/** A decision: the events of a command in this state. No events: the command changes nothing. */
export type Decision<State, Event extends DomainEvent> = (state: State) => readonly Event[];

/** One problem of a request. (Specification 1, 'FieldError'.) */
export interface FieldProblem {
  readonly message: string;
  /** Location of the field, such as `body.products[3].name`. */
  readonly location?: string;
  readonly value?: unknown;
}

/** A violated business rule. `code` is stable. The HTTP status is decided in one place, api/contract/problems.ts. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: string;
  readonly problems: readonly FieldProblem[];
  constructor(code: string, detail: string, problems: readonly FieldProblem[] = []) {
    super(detail);
    this.code = code;
    this.problems = problems;
  }
}

/** Ends a decision with a refusal. `code` names the violated rule. */
export function refuse(code: string, detail: string, problems: readonly FieldProblem[] = []): never {
  throw new DomainError(code, detail, problems);
}

/** Use in the `default` of an exhaustive switch over a union. */
export function never(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
