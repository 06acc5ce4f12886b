import type { Actor, Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import type { Position } from '../ports/eventStore.js';
import type { TracePlace } from '../ports/tracing.js';

/** Actor and causes of a command. `commandId` determines the event ids, so a repeated command is recognised. */
export interface CommandContext {
  readonly commandId: string;
  /**
   * Set if the id was generated for this call only, so no other call decides under it. Absent if a repetition has the
   * same id.
   */
  readonly isDrawn?: true;
  readonly actor: Actor;
  /** Id of the request, or the correlation id of the event that caused this command. */
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  readonly partnerId?: string;
  /** Account on the machine, for a command given at the command line. */
  readonly operator?: string;
  /** Place of the command in its trace. Absent if tracing is off. */
  readonly trace?: TracePlace;
}

export interface Decided<Event extends DomainEvent> {
  /** Empty if the command changed nothing. */
  readonly events: readonly Event[];
  /** Revision of the stream after the command; -1 if the stream does not exist. */
  readonly revision: number;
  /**
   * Position of the last event that the outcome depends on: the last new one or, if nothing was appended, the last one
   * of the stream. A view that has passed it shows the outcome. Absent if the stream does not exist.
   */
  readonly position?: Position;
}

/**
 * The command handler: loads (cache, snapshot, stream), decides and appends. After a conflict it reloads and decides
 * again.
 */
export interface CommandHandler {
  decide<S, E extends DomainEvent>(
    context: CommandContext,
    aggregate: Aggregate<S, E>,
    id: string,
    decision: Decision<S, E>,
  ): Promise<Decided<E>>;
  /** Reads the current state without changing it. */
  query<S, E extends DomainEvent, R>(
    aggregate: Aggregate<S, E>,
    id: string,
    read: (state: S, revision: number) => R,
  ): Promise<R>;
}
