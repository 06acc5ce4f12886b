/** Decides commands as the service does, one at once and without a disk: the states of what goes on are in memory. */
import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import { metaOf, toEventData } from '../../engine/commandHandler/appending.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import { type EventData, streamName } from '../../engine/ports/eventStore.js';
import { evolvedEvents } from '../../service/composition/events.js';

/** One command's events, as they are to be appended. */
export interface Append {
  readonly stream: string;
  readonly expected: 'noStream' | number;
  readonly events: readonly EventData[];
}

export type By = Omit<CommandContext, 'commandId'>;

interface StoredState {
  state: unknown;
  revision: number;
}

export class Ledger {
  /** ms since 1970. */
  now = 0;
  /** Events. */
  written = 0;
  readonly #seed: string;
  readonly #append: (append: Append) => void;
  readonly #states = new Map<string, StoredState>();
  #commands = 0;

  /** `append` is to take hold of the events at once: what they hold may change afterwards. */
  constructor(seed: string, append: (append: Append) => void) {
    this.#seed = seed;
    this.#append = append;
  }

  /** Throws what the decision refuses: a history has no command that would be. */
  decide<S, E extends DomainEvent>(
    by: By,
    aggregate: Aggregate<S, E>,
    id: string,
    decision: Decision<S, E>,
  ): readonly E[] {
    const stream = streamName(aggregate.name, id);
    const current = this.#states.get(stream) ?? { state: aggregate.initial(), revision: -1 };
    const decided = decision(current.state as S);
    this.#commands += 1;
    if (decided.length === 0) return decided;
    const meta = metaOf({ ...by, commandId: '' }, this.now);
    const events = toEventData(`${this.#seed} ${this.#commands}`, stream, decided, meta, evolvedEvents);
    this.#append({ stream, expected: current.revision === -1 ? 'noStream' : current.revision, events });
    for (const event of decided) current.state = aggregate.evolve(current.state as S, { ...event, meta });
    current.revision += decided.length;
    this.written += decided.length;
    this.#states.set(stream, current);
    return decided;
  }

  query<S, E extends DomainEvent, R>(aggregate: Aggregate<S, E>, id: string, read: (state: S) => R): R {
    return read((this.#states.get(streamName(aggregate.name, id))?.state ?? aggregate.initial()) as S);
  }

  /** No command will concern it any more. One that did would end the making: its append is refused. */
  forget(aggregate: { readonly name: string }, id: string): void {
    this.#states.delete(streamName(aggregate.name, id));
  }

  get inMemory(): number {
    return this.#states.size;
  }
}
