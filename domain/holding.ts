/**
 * Things of a store that only one at a time may have: a coupon's code, a list's name. Each has a stream of its own; the
 * thing is taken before its holder is stored and freed after the holder has let go of it, so that a stop in between leaves
 * at worst a hold without a holder. Such a hold is told by looking at the holder, and taken over: see
 * application/holding.ts, which also says why each try to take has a name of its own.
 */
import { type Aggregate, type Decision, type DomainEvent, refuse, type WithMeta } from './decider.js';
import { type EventDefinitions, event, Maybe, Shape, type Stored, Text } from './storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------
const TakenShape = Shape('Taken', {
  value: Text('In the form in which it is compared.'),
  by: Text("The holder's id."),
  attempt: Text('The try that took it.'),
  instead: Maybe(Text('The attempt that it was taken over from.')),
});
const FreedShape = Shape('Freed', { by: Text("The holder's id."), attempt: Text('The try that had taken it.') });

export type HoldingEvent<Taken extends string = string, Freed extends string = string> =
  | DomainEvent<Taken, Stored<typeof TakenShape>>
  | DomainEvent<Freed, Stored<typeof FreedShape>>;

// State ----------------------------------------------------------------------------------------------------------
export interface Hold {
  readonly by: string;
  /** The newest try of the holder: what is freed names it, so that a later try is never undone. */
  readonly attempt: string;
  /** ms since 1970. */
  readonly since: number;
}

/** Who has the thing; null: nobody. */
export type Holding = Hold | null;

export const holdOf = ({ data, meta }: WithMeta<DomainEvent<string, { by: string; attempt: string }>>): Hold => ({
  by: data.by,
  attempt: data.attempt,
  since: Date.parse(meta.at),
});

// Decisions ------------------------------------------------------------------------------------------------------
/** Refuses a change of a holder that was made for a state which is no more. It is made again, and answered to nobody. */
export const STALE_CHANGE = 'stale_change';

export interface Take {
  /** In the form in which it is compared. */
  readonly value: string;
  readonly by: string;
  readonly attempt: string;
  /** The attempt of another holder that has been found to have let go of it. */
  readonly stale?: string | undefined;
}

/** One kind of such things: its streams, and the words for what happens. */
export interface Holdable<Taken extends string, Freed extends string> {
  readonly aggregate: Aggregate<Holding, HoldingEvent<Taken, Freed>>;
  readonly events: EventDefinitions;
  /** Refuses with the kind's code when another has it. */
  take(command: Take): Decision<Holding, HoldingEvent<Taken, Freed>>;
  /** Changes nothing when a later try has taken it. */
  free(hold: Pick<Hold, 'by' | 'attempt'>): Decision<Holding, HoldingEvent<Taken, Freed>>;
}

export function holdable<Taken extends string, Freed extends string>(kind: {
  readonly stream: string;
  readonly taken: Taken;
  readonly freed: Freed;
  readonly code: string;
  readonly detail: string;
  /** What is taken, in words for whoever reads the log. */
  readonly thing: string;
}): Holdable<Taken, Freed> {
  type Event = HoldingEvent<Taken, Freed>;
  return {
    events: {
      [kind.taken]: event(`${kind.thing} is about to be somebody's.`, TakenShape.properties),
      [kind.freed]: event(`${kind.thing} is free again.`, FreedShape.properties),
    },
    aggregate: {
      name: kind.stream,
      initial: () => null,
      evolve: (_, event) => (event.type === kind.taken ? holdOf(event) : null),
      weigh: () => 300,
    },
    take:
      ({ value, by, attempt, stale }) =>
      (hold): readonly Event[] => {
        if (hold?.attempt === attempt) return [];
        const others = hold !== null && hold.by !== by;
        if (others && hold.attempt !== stale) return refuse(kind.code, kind.detail);
        const instead = others ? { instead: hold.attempt } : {};
        return [{ type: kind.taken, data: { value, by, attempt, ...instead } } as Event];
      },
    free:
      ({ by, attempt }) =>
      (hold): readonly Event[] =>
        hold?.by === by && hold.attempt === attempt
          ? [{ type: kind.freed, data: { by, attempt } } as unknown as Event]
          : [],
  };
}
