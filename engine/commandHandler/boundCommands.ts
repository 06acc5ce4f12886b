import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import type { CommandContext, CommandHandler, Decided } from './commands.js';

/** Commands whose context (who asks, in which chain of causes) is bound already: a request's, or an administrator's. */
export interface BoundCommands extends Pick<CommandHandler, 'query'> {
  decide<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    id: string,
    decision: Decision<S, E>,
  ): Promise<Decided<E>>;
}

/** `reached` is told the position that views must have passed to show what a command came to. */
export function bindCommands(
  handler: CommandHandler,
  context: CommandContext,
  reached: (position: number) => void = () => {},
): BoundCommands {
  return {
    async decide(aggregate, id, decision) {
      const decided = await handler.decide(context, aggregate, id, decision);
      if (decided.position !== undefined) reached(decided.position);
      return decided;
    },
    query: (aggregate, id, look) => handler.query(aggregate, id, look),
  };
}
