/** Resealing of a stream's secrets under the current master key. Their plain text does not change. */
import type { DomainEvent } from '../decider.js';
import { Code, defineEvents, type EventsOf, event, List, Shape, type Stored } from '../storedEvents.js';

const Resealed = Shape('Resealed', {
  context: Code('Context of the secret, such as `key:{keyId}`.'),
  before: Code('The previous encrypted value.'),
  after: Code('The re-encrypted value.'),
});
export type Resealed = Stored<typeof Resealed>;

/** Stored for ever, in each stream with sealed secrets. Add fields as optional, never change a meaning. */
export const resealingEvents = defineEvents({
  SecretsResealed: event('The operator re-encrypts the secrets with another master key.', {
    secrets: List(Resealed),
  }),
});
export type ResealingEvent = EventsOf<typeof resealingEvents>;

/** Returns a function that maps a sealed secret to its form after the event. Others are unchanged. */
export function resealedBy({ data }: Extract<ResealingEvent, DomainEvent>): (sealed: string) => string {
  const after = new Map(data.secrets.map((one) => [one.before, one.after]));
  return (sealed) => after.get(sealed) ?? sealed;
}

/** Reseals the secrets that the state still contains. Secrets that were replaced since are skipped. `sealedIn`: sealed secrets of the state. */
export const reseal =
  <State>(secrets: readonly Resealed[], sealedIn: (state: State) => readonly string[]) =>
  (state: State): readonly ResealingEvent[] => {
    const now = new Set(sealedIn(state));
    const still = secrets.filter(({ before }) => now.has(before));
    return still.length === 0 ? [] : [{ type: 'SecretsResealed', data: { secrets: still } }];
  };
