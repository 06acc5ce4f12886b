import { expect } from 'chai';
import {
  type Aggregate,
  type Decision,
  DomainError,
  type DomainEvent,
  type EventMeta,
} from '../../../domain/decider.js';
import { checked } from '../events/checking.js';

/** Metadata of events that a spec creates. Fixed, so that results that depend on it can be compared. */
export const specMeta: EventMeta = {
  at: '2026-03-01T09:00:00.000Z',
  actor: { type: 'api_key', id: '00000000-0000-4000-8000-00000000000a' },
  correlationId: 'spec',
};

/** Returns the state after these events. */
export const stateAfter = <S, E extends DomainEvent>(aggregate: Aggregate<S, E>, events: readonly E[]): S =>
  events.reduce((state, event) => aggregate.evolve(state, { ...event, meta: specMeta }), aggregate.initial());

interface Outcome<E extends DomainEvent> {
  /** Expects exactly these events; `[]`: the command changes nothing. */
  then(expected: readonly E[]): void;
  /** Expects a refusal with this code. Returns the error, for its problems. */
  thenRefused(code: string): DomainError;
  /** Returns the events, for looser expectations. */
  events(): readonly E[];
}

/** Tests a decision after earlier events: `given(order, placed).when(cancel(…)).then([…])`. */
export function given<S, E extends DomainEvent>(aggregate: Aggregate<S, E>, ...events: readonly E[]) {
  return {
    when(decision: Decision<S, E>): Outcome<E> {
      const decide = (): readonly E[] => checked(decision(stateAfter(aggregate, events)));
      return {
        // biome-ignore lint/suspicious/noThenProperty: given, when, then is how specs read; nothing awaits this
        then: (expected) => expect(decide()).to.deep.equal(expected),
        events: decide,
        thenRefused(code) {
          try {
            const decided = decide();
            return expect.fail(`expected to be refused with ${code}, got ${JSON.stringify(decided)}`);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            expect(error.code).to.equal(code);
            return error;
          }
        },
      };
    },
  };
}
