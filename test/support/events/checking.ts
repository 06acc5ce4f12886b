import { appendFileSync } from 'node:fs';
import type { DomainEvent } from '../../../domain/decider.js';
import { LiveAggregate } from '../../../engine/commandHandler/liveAggregate.js';
import { storedEvents } from '../../../service/composition/events.js';
import { checkData } from './validity.js';

const seen = new Set<string>();
const seenFile = process.env.SUUQ_EVENTS_SEEN;

function note(type: string): void {
  if (seenFile === undefined || seen.has(type)) return;
  seen.add(type);
  appendFileSync(seenFile, `${type}\n`);
}

/** Throws when one of them is not as its schema says; answers them. */
export function checked<E extends DomainEvent>(events: readonly E[]): readonly E[] {
  for (const { type, data } of events) {
    const event = storedEvents[type];
    // Tests of the engine have events of their own.
    if (event === undefined) continue;
    checkData(type, event, data);
    note(type);
  }
  return events;
}

/** From now on, in this process, a command fails that appends what is not as declared. */
export function checkWhatIsAppended(): void {
  const { decide } = LiveAggregate.prototype;
  LiveAggregate.prototype.decide = async function decideChecked(context, decision) {
    const decided = await decide.call(this, context, decision);
    checked(decided.events);
    return decided;
  };
}
