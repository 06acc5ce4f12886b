import type { Actor, Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import type { Position } from '../ports/eventStore.js';
import type { TracePlace } from '../ports/tracing.js';

/** Who asks, and in which chain of causes. `commandId` makes the event ids, so a repeated command is recognised. */
export interface CommandContext {
  readonly commandId: string;
  /** The id was drawn for this very call, so nobody else decides under it; absent where a repetition has the same id. */
  readonly isDrawn?: true;
  readonly actor: Actor;
  /** The request id, or the correlation id of the event that led here. */
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  readonly partnerId?: string;
  /** Who gave the command at the command line: the name of their account on the machine. */
  readonly operator?: string;
  /** Where the command stands in its trace; absent where none are written. */
  readonly trace?: TracePlace;
}

export interface Decided<Event extends DomainEvent> {
  /** Empty when the command changed nothing. */
  readonly events: readonly Event[];
  /** Revision of the stream after the command; -1 when it does not exist. */
  readonly revision: number;
  /**
   * Position of the last event that the outcome rests on: the last new one or, when nothing was appended, the stream's last
   * one. A view that has passed it shows the outcome. Absent when the stream does not exist.
   */
  readonly position?: Position;
}

/** The command handler: load (warm cache, snapshot, stream), decide, append; on conflict resync and decide again. */
export interface CommandHandler {
  decide<S, E extends DomainEvent>(
    context: CommandContext,
    aggregate: Aggregate<S, E>,
    id: string,
    decision: Decision<S, E>,
  ): Promise<Decided<E>>;
  /** Looks at the current state without changing it. */
  query<S, E extends DomainEvent, R>(
    aggregate: Aggregate<S, E>,
    id: string,
    look: (state: S, revision: number) => R,
  ): Promise<R>;
}
