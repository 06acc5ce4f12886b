/**
 * Before a store's names were held in one stream (names.ts), each name had a stream of its own. What was claimed there is
 * still respected while its holder has it, and never written any more.
 */
import type { Aggregate, DomainEvent } from './decider.js';
import { type Hold, holdOf } from './holding.js';
import { type EventDefinitions, event, Id, Label, Maybe, Shape, type Stored } from './storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------
const TakenShape = Shape('Taken', {
  value: Label('In the form in which it is compared.'),
  by: Id("The holder's id."),
  attempt: Id('The try that took it.'),
  instead: Maybe(Id('The attempt that it was taken over from.')),
});
const FreedShape = Shape('Freed', { by: Id("The holder's id."), attempt: Id('The try that had taken it.') });

export type NameClaimEvent =
  | DomainEvent<string, Stored<typeof TakenShape>>
  | DomainEvent<string, Stored<typeof FreedShape>>;

// State ----------------------------------------------------------------------------------------------------------
/** Who claimed the name; null: nobody. */
export type NameClaim = Hold | null;

/** One kind of such streams, `{stream}-{workspaceId}.{hash of the name}`. */
export interface NameClaims {
  readonly aggregate: Aggregate<NameClaim, NameClaimEvent>;
  readonly events: EventDefinitions;
}

export const nameClaims = (kind: {
  readonly stream: string;
  readonly taken: string;
  readonly freed: string;
  /** What is claimed, in words for whoever reads the log. */
  readonly thing: string;
}): NameClaims => ({
  events: {
    [kind.taken]: event(`${kind.thing} is about to be somebody's. No longer written.`, TakenShape.properties),
    [kind.freed]: event(`${kind.thing} is free again. No longer written.`, FreedShape.properties),
  },
  aggregate: {
    name: kind.stream,
    initial: () => null,
    evolve: (_, event) => (event.type === kind.taken ? holdOf(event) : null),
    weigh: () => 300,
  },
});
