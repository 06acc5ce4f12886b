import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import type { Position } from '../ports/eventStore.js';
import type { CommandContext, CommandHandler, Decided } from './commands.js';

/** Commands whose context (who asks, in which chain of causes) is bound already: a request's, or an administrator's. */
export interface BoundCommands extends Pick<CommandHandler, 'query'> {
  decide<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    id: string,
    decision: Decision<S, E>,
  ): Promise<Decided<E>>;
}

/**
 * `context`: that of all commands, or the one of each, such as with an id of its own. `reached` is told the position that
 * views must have passed to show what a command came to, of which aggregate, and how many events that were.
 */
export function bindCommands(
  handler: CommandHandler,
  context: CommandContext | ((aggregate: string, id: string) => CommandContext),
  reached: (position: Position, aggregate: string, events: number) => void = () => {},
): BoundCommands {
  const contextOf = typeof context === 'function' ? context : () => context;
  return {
    async decide(aggregate, id, decision) {
      const decided = await handler.decide(contextOf(aggregate.name, id), aggregate, id, decision);
      if (decided.position !== undefined) reached(decided.position, aggregate.name, decided.events.length);
      return decided;
    },
    query: (aggregate, id, look) => handler.query(aggregate, id, look),
  };
}
