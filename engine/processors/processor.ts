import type { DomainEvent, EventMeta } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { CommandContext, CommandHandler } from '../commandHandler/commands.js';
import type { Clock } from '../ports/clock.js';
import type { WriteBatch } from '../ports/documents.js';
import type { Position, RecordedEvent } from '../ports/eventStore.js';
import type { Reads } from '../projections/reads.js';

/**
 * A processor turns events into effects on the world outside: it reads events in order, notes tasks that no crash
 * loses (they are written, or its checkpoint stays behind their events), and performs those that are due, at least once
 * each. So an effect must be idempotent, or say in its own protocol which it repeats (a webhook's event id, a derived
 * message id): after a crash those of the last moment come again.
 */
export interface NewTask<Payload = unknown> {
  /** Unique for ever in the processor; a task that exists is left as it is. Derive it from the event's id. */
  readonly id: string;
  readonly kind: string;
  /**
   * Tasks of one lane are performed one after another, oldest due first; lanes never wait for each other. What stands
   * before a `/` is the lane's group, such as its tenant: a group takes no more turns than it leaves free for others.
   */
  readonly lane: string;
  /** ms since 1970; now when absent. A future time is a durable timer. */
  readonly dueAt?: number;
  readonly payload: Payload;
}

export interface Task<Payload = unknown> extends Required<NewTask<Payload>> {
  /** 1 for the first performance. */
  readonly attempt: number;
  readonly createdAt: number;
}

/** Where a task comes from: kept in its payload. */
export interface Cause {
  readonly workspaceId: string;
  readonly partnerId?: string;
  readonly correlationId: string;
}

/** Undefined for an event that belongs to no store. */
export const causeOf = ({ workspaceId, partnerId, correlationId }: Pick<EventMeta, keyof Cause>): Cause | undefined =>
  workspaceId === undefined ? undefined : { workspaceId, ...defined({ partnerId }), correlationId };

/** What is written together with an outcome: all of it, or nothing. */
interface WithOutcome {
  /** Further tasks of this processor, noted as those of an event are. */
  readonly next?: readonly NewTask[];
  /** Documents of the work collections, such as a log of attempts. Written at least once: make their ids repeatable. */
  readonly also?: Readonly<Record<string, WriteBatch>>;
}

/** When a task is performed again. */
interface Again {
  readonly at: number;
  /** That of before when absent. */
  readonly payload?: unknown;
  /**
   * It only waits: nothing has begun, and whoever performs it from the beginning does the same. So it need not be written at once, and after a
   * crash it may come as it was noted.
   */
  readonly unbegun?: true;
}

/** What became of a task. `done` removes it; `again` keeps it, due at `at` (and with a new payload when given). */
export type Outcome = WithOutcome & ({ readonly done: true } | { readonly again: Again });

export interface ProcessorContext {
  readonly commands: CommandHandler;
  readonly read: Reads;
  readonly clock: Clock;
  /**
   * Returns when this instance took over the work that the task belongs to, in ms since 1970 by the clock as it is set now. What is
   * older may have been begun by another instance.
   */
  since(): number;
  /** Aborted when the service stops: end the effect soon; the task will be performed again after the start. */
  readonly signal: AbortSignal;
  /** How the work is parted among instances. */
  readonly shards: {
    /** How many there are; 1 where the work is not parted. */
    readonly count: number;
    /** Shard of a key (see `Processor.spread`), from 0; one for all where the work is not parted. */
    of(key: string): number;
    /** Whether what goes by this key is done here: what `on` makes of other keys is left out. */
    isHere(key: string): boolean;
  };
  /**
   * Whether a task of this processor, in the shard of the task that is being performed, is pending: in memory, stored, or
   * performed with the outcome not yet written.
   */
  isPending(taskId: string): Promise<boolean>;
  /** Context for commands caused by this task: system actor, causation by the task's id. */
  contextFor(task: Task, cause: { workspaceId?: string; partnerId?: string; correlationId?: string }): CommandContext;
}

type Noted<E extends DomainEvent> = E & RecordedEvent & { readonly streamId: string };

export interface Processor<E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly categories: readonly string[];
  /** Which tasks an event leads to. May read, must not change anything outside: it runs again after a crash. */
  readonly on: {
    readonly [T in E['type']]?: (
      event: Noted<Extract<E, { type: T }>>,
      context: ProcessorContext,
    ) => readonly NewTask[] | Promise<readonly NewTask[]>;
  };
  /** By kind. A throw is logged and means: again, with back-off (1 s doubling to 60 s, ±20 %). */
  readonly perform: Readonly<Record<string, (task: Task<never>, context: ProcessorContext) => Promise<Outcome>>>;
  /**
   * Where several instances share the work, an event's tasks belong to the shard of its store (of its stream where it has
   * none), so all events of a lane must be of one store. A processor whose lanes are not of one store says here what each
   * task goes by: all tasks of a lane by the same key, and what follows from a task stays in its shard. Also asked of tasks
   * that were stored before the work was parted.
   */
  readonly spread?: (task: NewTask<never>) => string;
  /**
   * Part of a payload that is stored; all of it when absent. What tells of people is left out: a task is written also by who has it in memory,
   * so it would come back after it was erased from the store. `perform` must do with the part.
   */
  readonly stored?: (payload: never) => unknown;
  /** Tasks in flight at once over all lanes, on each instance; 64 when absent. */
  readonly concurrency?: number;
  /**
   * Types whose tasks may be noted again from the whole log when the work was lost and an operator says that nothing of before
   * is owed: timers, and tasks that look at the state before they do anything. Of all other types what came before is left out.
   */
  readonly derivable?: readonly E['type'][];
  /** Where a new processor (no checkpoint) begins: the store's beginning, or now. 'beginning' when absent. */
  readonly from?: 'beginning' | 'now';
}

export const defineProcessor = <E extends DomainEvent>(processor: Processor<E>): Processor<E> => processor;
// biome-ignore lint/suspicious/noExplicitAny: a list of processors of any events
export type AnyProcessor = Processor<any>;

export interface ProcessorMetrics {
  /** After each performance; `ms` is what it took. */
  performed(processor: string, kind: string, result: 'done' | 'again' | 'failed', ms: number): void;
  /** A processor has stopped at an event that it cannot handle. */
  stopped(processor: string): void;
}

export interface ProcessorStatus {
  readonly name: string;
  /** failed: reading stopped at `failure.event`, until that is skipped; tasks that are owed are still performed. */
  readonly state: 'running' | 'failed' | 'stopped';
  /** What every event up to here led to is done or written. */
  readonly position: Position;
  readonly inFlight: number;
  /** Performed here over the last five seconds, on the average. */
  readonly effectsPerSecond: number;
  /** Shards of it that are worked on here, where instances share it by shards. */
  readonly shards?: number;
  /** Lanes with something due, and tasks in memory. */
  readonly lanes: number;
  readonly held: number;
  /** The earliest timer, ms since 1970. */
  readonly nextDueAt?: number;
  readonly failure?: {
    readonly message: string;
    readonly event: { id: string; type: string; stream: string; revision: number; position: Position };
  };
  /** What went wrong last and is tried again. */
  readonly lastTrouble?: string;
  /** No store call has succeeded since then, ms since 1970. Nothing is lost, and the processor goes on by itself. */
  readonly waitingSince?: number;
}
