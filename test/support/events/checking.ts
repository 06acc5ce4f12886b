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

/** Throws if an event does not match its schema. Returns the events. */
export function checked<E extends DomainEvent>(events: readonly E[]): readonly E[] {
  for (const { type, data } of events) {
    const event = storedEvents[type];
    // Tests of the engine define their own events.
    if (event === undefined) continue;
    checkData(type, event, data);
    note(type);
  }
  return events;
}

/** Makes commands in this process fail if they append events that do not match their declaration. */
export function checkWhatIsAppended(): void {
  const { decide } = LiveAggregate.prototype;
  LiveAggregate.prototype.decide = async function decideChecked(context, decision) {
    const decided = await decide.call(this, context, decision);
    checked(decided.events);
    return decided;
  };
}
