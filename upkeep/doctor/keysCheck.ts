/** Checks that the vault has the keys of the events that readers reach next, and of the newest ones. `suuq verify` checks the whole log. */
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { LostEvent } from '../../engine/sealing/lostKeys.js';
import { placeText } from '../../engine/sealing/vaultErrors.js';
import type { Stored } from '../verify/storedData.js';
import { type Check, ok, problem } from './finding.js';
import type { Running } from './runningService.js';
import { type OpenStored, projectionsNow, storedCheck } from './storedChecks.js';

/** Newest events that are read in any case: an older vault than the log lacks their keys first. */
const NEWEST = 5_000;
/** Reading ends after so long, in ms. */
const WITHIN_MS = 4_000;

async function lostIn({ log }: Stored, after: number): Promise<readonly LostEvent[]> {
  const until = performance.now() + WITHIN_MS;
  for (let through = after; performance.now() < until; ) {
    const page = await log.lost(through);
    if (page.events.length > 0 || page.end) return page.events;
    through = page.through;
  }
  return [];
}

export const keysCheck = (stored: OpenStored, running: Running): Check =>
  storedCheck('keys', stored, async (known) => {
    const { log } = known;
    const head = await log.head();
    const read = (await projectionsNow(running, known)).map(({ position }) => position);
    const newest = head - NEWEST * Math.ceil((await log.spacing?.()) ?? 1);
    const found = await lostIn(known, Math.min(...read, head));
    const lost = found.length > 0 ? found : await lostIn(known, Math.max(BEFORE_ALL, newest));
    const [first] = lost;
    if (first === undefined) return [ok('keys_right', 'The vault has the keys of the next and the newest events.')];
    return [
      problem(
        'key_lost',
        `The vault lacks the key of ${placeText(first)}, although nobody was erased. Readers stop at this event.`,
        "Restore the vault that belongs to this log. If there is none, run 'suuq admin lost-keys list' and 'suuq admin lost-keys erase'.",
      ),
    ];
  });
