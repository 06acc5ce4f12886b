/** Resumes parts that are stopped at an event when the event is skipped. */
import type { EventStore } from '../../ports/eventStore.js';
import type { Log } from '../../ports/log.js';
import type { Build } from '../build.js';
import { skippedNow } from '../opening.js';
import type { Turns } from '../turns.js';
import type { ShardAnnouncements } from './announcements.js';
import type { OwnedParts } from './ownedParts.js';
import type { SharedReadModel } from './sharedReadModel.js';

interface Parts {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly turns: Turns;
  readonly log: Log;
  readonly sharings: ReadonlyMap<string, SharedReadModel>;
  readonly owned: OwnedParts;
  readonly announcements: ShardAnnouncements;
}

/** Returns the ids of the events that stopped a part. */
function eventsOf(part: Build): string[] {
  const all = [part.poison, ...[...part.shards.values()].map(({ stopped }) => stopped?.poison)];
  return all.flatMap((poison) => poison?.eventId ?? []);
}

/** Reads the skipped events only if a part is stopped. */
export async function passSkippedStops({
  eventStore,
  turns,
  log,
  sharings,
  owned,
  announcements,
}: Parts): Promise<void> {
  for (const one of sharings.values()) {
    const standing = [...one.parts].filter((part) => !owned.isFed(part) && eventsOf(part).length > 0);
    if (standing.length === 0) continue;
    const skipped = await skippedNow(eventStore, one.projection);
    for (const id of skipped) one.skipped.add(id);
    await turns.run(() => {
      for (const part of standing) {
        if (!owned.isStopped(part) || !eventsOf(part).some((id) => skipped.has(id))) continue;
        log.info({ projection: part.name }, 'projection resumed after a skipped event');
        owned.goOn(part);
      }
      announcements.stopped();
    });
  }
}
