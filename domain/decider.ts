/**
 * What every aggregate is made of. An aggregate file reads top to bottom in a fixed order:
 * Events; State and evolve; Commands and decisions. Nothing here reads a clock or draws a random number:
 * the time and new ids come in with the command.
 */

/** Something that happened in the business. `type` is stored for ever, `data` is a contract: see domain/storedEvents.ts. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Who caused an event; `id` is a member's, a key's or a customer's id. (Specification 1, 'Order event'.) */
export interface Actor {
  readonly type: 'member' | 'partner_key' | 'api_key' | 'customer' | 'system';
  readonly id?: string;
}

/** Written with every event; `at` is an RFC 3339 UTC time. */
export interface EventMeta {
  readonly at: string;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  readonly partnerId?: string;
  /** Who gave the command at the command line: the name of their account on the machine. */
  readonly operator?: string;
  /** Version of the stored shape of `data`; 1 when absent. */
  readonly schema?: number;
  /** Where the command stood in its trace, where traces are written. (W3C Trace Context; names as of CloudEvents.) */
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** Makes the data of an event's stored shape into that of the next version. Pure, and never changed once released. */
export type Upcaster = (data: object, meta: EventMeta) => object;

/** Events whose stored shape is not the first one any more, by type: the newest version, and the way there from each before. */
export type EvolvedEvents = ReadonlyMap<
  string,
  { readonly version: number; readonly upcast: Readonly<Record<number, Upcaster>> }
>;

export type WithMeta<E extends DomainEvent> = E & { readonly meta: EventMeta };

/**
 * How a state is kept between restarts when replaying its whole history would be too slow. `write` yields small
 * chunks (each well under a megabyte of JSON), `read` takes them one at a time, so that no store's size blocks others.
 */
export interface SnapshotCodec<State> {
  /** Raise when the state's shape changes: older snapshots are then ignored. */
  readonly version: number;
  /** A new snapshot is written after this many events. */
  readonly every: number;
  write(state: State): Iterable<object>;
  /**
   * The same of a state that goes on changing: takes hold of what it will write at once, in a few ms, so that nothing that comes
   * after is in it. Absent: a large state is read from its stream a second time to be written.
   */
  hold?(state: State): Iterable<object>;
  read(): { add(chunk: object): void; done(): State };
}

/**
 * A unit of consistency: one stream, `{name}-{id}`. `evolve` may change the state it is given and return it (large
 * states are not copied); it is called only with events that were decided on that very state or read from the stream.
 * `initial` makes a fresh state each time.
 */
export interface Aggregate<State, Event extends DomainEvent> {
  readonly name: string;
  initial(): State;
  evolve(state: State, event: WithMeta<Event>): State;
  readonly snapshot?: SnapshotCodec<State>;
  /** Rough size of the state in bytes, for the bounded cache; 2,000 when absent. */
  weigh?(state: State): number;
}

/** A decision: the events that a command leads to in this state. No events: the command changes nothing. */
export type Decision<State, Event extends DomainEvent> = (state: State) => readonly Event[];

/** One problem of a request. (Specification 1, 'FieldError'.) */
export interface FieldProblem {
  readonly message: string;
  /** Where, such as `body.products[3].name`. */
  readonly location?: string;
  readonly value?: unknown;
}

/** A broken business rule. `code` is stable; the HTTP status is decided in one place, api/problems.ts. */
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

/** Ends a decision: the rule named by `code` forbids it. */
export function refuse(code: string, detail: string, problems: readonly FieldProblem[] = []): never {
  throw new DomainError(code, detail, problems);
}

/** For the `default` of an exhaustive switch over a union. */
export function never(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
