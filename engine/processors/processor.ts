import type { DomainEvent, EventMeta } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { CommandContext, CommandHandler } from '../commandHandler/commands.js';
import type { Clock } from '../ports/clock.js';
import type { WriteBatch } from '../ports/documents.js';
import type { Position, RecordedEvent } from '../ports/eventStore.js';
import type { Reads } from '../projections/reads.js';

/**
 * A new task. A processor turns events into effects on the outside world. It reads events in order, notes tasks durably
 * (they are written, or its checkpoint stays before their events), and performs due tasks at least once each. Effects
 * must be idempotent, or carry an id that identifies a repetition (a webhook's event id, a derived message id): after a
 * crash the latest ones are repeated.
 */
export interface NewTask<Payload = unknown> {
  /** Unique for ever in the processor. A task that exists is left unchanged. Derive it from the event's id. */
  readonly id: string;
  readonly kind: string;
  /**
   * Tasks of one lane are performed one after another, oldest due first; lanes never wait for each other. The part
   * before a `/` is the lane's group, such as its tenant: a group takes no more turns than it leaves free for others.
   */
  readonly lane: string;
  /** Due time in ms since 1970. A future time is a durable timer. Default: now. */
  readonly dueAt?: number;
  readonly payload: Payload;
}

export interface Task<Payload = unknown> extends Required<NewTask<Payload>> {
  /** 1 for the first performance. */
  readonly attempt: number;
  readonly createdAt: number;
}

/** Cause of a task, stored in its payload. */
export interface Cause {
  readonly workspaceId: string;
  readonly partnerId?: string;
  readonly correlationId: string;
}

/** Returns undefined for an event that belongs to no store. */
export const causeOf = ({ workspaceId, partnerId, correlationId }: Pick<EventMeta, keyof Cause>): Cause | undefined =>
  workspaceId === undefined ? undefined : { workspaceId, ...defined({ partnerId }), correlationId };

/** Written atomically with an outcome. */
interface WithOutcome {
  /** Further tasks of this processor, noted like those of an event. */
  readonly next?: readonly NewTask[];
  /** Documents of work collections, such as a log of attempts. Written at least once, so make their ids repeatable. */
  readonly also?: Readonly<Record<string, WriteBatch>>;
}

/** Next performance of a task. */
interface Again {
  readonly at: number;
  /** New payload. Absent: unchanged. */
  readonly payload?: unknown;
  /**
   * The task only waits: nothing has begun, and performing it from the beginning has the same effect. So it need not be
   * written at once. After a crash it may come as it was first noted.
   */
  readonly unbegun?: true;
}

/** Result of a task. `done` removes it; `again` reschedules it at `at`, with a new payload if given. */
export type Outcome = WithOutcome & ({ readonly done: true } | { readonly again: Again });

export interface ProcessorContext {
  readonly commands: CommandHandler;
  readonly read: Reads;
  readonly clock: Clock;
  /**
   * Returns the time at which this instance took over the task's work, in ms since 1970 by the current clock. Older
   * tasks may have been begun by another instance.
   */
  since(): number;
  /** Aborted when the service stops: end the effect soon. The task is performed again after the start. */
  readonly signal: AbortSignal;
  /** Partitioning of the work among instances. */
  readonly shards: {
    /** Number of shards; 1 if the work is not partitioned. */
    readonly count: number;
    /** Returns the shard of a key (see `Processor.spread`), from 0. Always 0 if the work is not partitioned. */
    of(key: string): number;
    /** True if this instance handles the key. Tasks that `on` returns for other keys are ignored. */
    isHere(key: string): boolean;
  };
  /**
   * True if a task of this processor, in the shard of the current task, is pending: in memory, stored, or performed
   * with the outcome not yet written.
   */
  isPending(taskId: string): Promise<boolean>;
  /** Returns the context for commands caused by this task: system actor, causation by the task's id. */
  contextFor(task: Task, cause: { workspaceId?: string; partnerId?: string; correlationId?: string }): CommandContext;
}

type Noted<E extends DomainEvent> = E & RecordedEvent & { readonly streamId: string };

export interface Processor<E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly categories: readonly string[];
  /** Returns the tasks of an event. May read, but must not change anything: it is called again after a crash. */
  readonly on: {
    readonly [T in E['type']]?: (
      event: Noted<Extract<E, { type: T }>>,
      context: ProcessorContext,
    ) => readonly NewTask[] | Promise<readonly NewTask[]>;
  };
  /**
   * Performers by task kind. An error is logged, and the task is retried with back-off (1 s doubling to 60 s, ±20 %).
   */
  readonly perform: Readonly<Record<string, (task: Task<never>, context: ProcessorContext) => Promise<Outcome>>>;
  /**
   * Returns the sharding key of a task. By default, an event's tasks belong to the shard of its store (of its stream if
   * it has none), so all events of a lane must be of one store. Define it if lanes span stores. All tasks of a lane
   * must have the same key, and follow-up tasks stay in the shard. Also called for tasks that were stored before the
   * work was partitioned.
   */
  readonly spread?: (task: NewTask<never>) => string;
  /**
   * Returns the part of a payload to store; absent: all of it. Leave out personal data: a task in memory may be written
   * later, and would restore data that was erased from the store. `perform` must work with this part alone.
   */
  readonly stored?: (payload: never) => unknown;
  /** Maximum number of tasks in flight over all lanes, on each instance. Default: 64. */
  readonly concurrency?: number;
  /**
   * Event types whose tasks may be derived again from the whole log, when the work was lost and an operator settled
   * that no earlier work is due: timers, and tasks that check the state before they act. Earlier events of other types
   * are ignored.
   */
  readonly derivable?: readonly E['type'][];
  /** Start of a new processor without a checkpoint: the beginning of the log, or now. Default: 'beginning'. */
  readonly from?: 'beginning' | 'now';
}

export const defineProcessor = <E extends DomainEvent>(processor: Processor<E>): Processor<E> => processor;
// biome-ignore lint/suspicious/noExplicitAny: a list of processors of any events
export type AnyProcessor = Processor<any>;

export interface ProcessorMetrics {
  /** Called after each performance. `ms`: its duration. */
  performed(processor: string, kind: string, result: 'done' | 'again' | 'failed', ms: number): void;
  /** Called when processor stopped at an event that it cannot handle. */
  stopped(processor: string): void;
}

export interface ProcessorStatus {
  readonly name: string;
  /** failed: reading stopped at `failure.event` until that is skipped. Pending tasks are still performed. */
  readonly state: 'running' | 'failed' | 'stopped';
  /** All effects of events up to this position are done or written. */
  readonly position: Position;
  readonly inFlight: number;
  /** Tasks performed here per second, averaged over five seconds. */
  readonly effectsPerSecond: number;
  /** Number of shards worked on here. Absent if the work is not partitioned. */
  readonly shards?: number;
  /** Lanes with due tasks. `inMemory`: tasks in memory. */
  readonly lanes: number;
  readonly inMemory: number;
  /** Due time of the earliest timer, in ms since 1970. */
  readonly nextDueAt?: number;
  readonly failure?: {
    readonly message: string;
    readonly event: { id: string; type: string; stream: string; revision: number; position: Position };
  };
  /** Latest error that is being retried. */
  readonly lastTrouble?: string;
  /**
   * Time since which no store call has succeeded, in ms since 1970. Nothing is lost, and the processor continues by
   * itself.
   */
  readonly waitingSince?: number;
}
