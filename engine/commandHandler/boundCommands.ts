import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import type { Position } from '../ports/eventStore.js';
import type { CommandContext, CommandHandler, Decided } from './commands.js';

/** Commands with a bound context (actor and causes), such as a request's or an administrator's. */
export interface BoundCommands extends Pick<CommandHandler, 'query'> {
  decide<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    id: string,
    decision: Decision<S, E>,
  ): Promise<Decided<E>>;
}

/**
 * `context`: one for all commands, or a function that makes one for each, such as with its own id. `reached` receives
 * the position that views must have passed to show the outcome, the aggregate, and the number of new events.
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
    query: (aggregate, id, read) => handler.query(aggregate, id, read),
  };
}
