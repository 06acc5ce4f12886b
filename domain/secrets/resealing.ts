/** Secrets of a stream that are sealed anew, under the master key that seals now. They stay what they are. */
import type { DomainEvent } from '../decider.js';
import { Code, defineEvents, type EventsOf, event, List, Shape, type Stored } from '../storedEvents.js';

const Resealed = Shape('Resealed', {
  context: Code('What the secret is bound to, such as `key:{keyId}`.'),
  before: Code('As it was sealed.'),
  after: Code('As it is sealed from now on.'),
});
export type Resealed = Stored<typeof Resealed>;

/** Stored for ever, in each stream that holds sealed secrets. Add fields as optional, never change a meaning. */
export const resealingEvents = defineEvents({
  SecretsResealed: event('The operator has the secrets sealed anew, under another master key.', {
    secrets: List(Resealed),
  }),
});
export type ResealingEvent = EventsOf<typeof resealingEvents>;

/** How each of them is sealed after the event: others stay as they are. */
export function resealedBy({ data }: Extract<ResealingEvent, DomainEvent>): (sealed: string) => string {
  const after = new Map(data.secrets.map((one) => [one.before, one.after]));
  return (sealed) => after.get(sealed) ?? sealed;
}

/**
 * Seals anew what the state still holds as it was; what was replaced meanwhile stays. `held`: how the state's secrets are sealed
 * now.
 */
export const reseal =
  <State>(secrets: readonly Resealed[], held: (state: State) => readonly string[]) =>
  (state: State): readonly ResealingEvent[] => {
    const now = new Set(held(state));
    const still = secrets.filter(({ before }) => now.has(before));
    return still.length === 0 ? [] : [{ type: 'SecretsResealed', data: { secrets: still } }];
  };
