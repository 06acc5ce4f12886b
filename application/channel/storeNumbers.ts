import { accessTokenContext } from '../../domain/stores/channelNumber.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { BriefCache } from '../access/briefCache.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';

/** How long a number is taken as it was, in ms. */
const FRESH_MS = 1000;
const MOST_NUMBERS = 10_000;
/** Numbers of one store: more than anyone connects. */
const MOST_OF_STORE = 100;

/**
 * The connected numbers from their read model, remembered for a second: each message in either direction asks. A number
 * that was not found is looked for again every time, since what comes for it would be lost.
 */
export function storeNumbers(reads: Reads, clock: Clock): ChannelNumbers {
  const numbers = new BriefCache<StoreNumber>(clock, FRESH_MS, MOST_NUMBERS);
  const known = async (name: string, load: () => Promise<StoreNumber | undefined>): Promise<StoreNumber | undefined> =>
    (await numbers.get(name, load)) ?? load();
  return {
    byPhoneNumberId: (phoneNumberId) =>
      known(`phone ${phoneNumberId}`, async () => (await reads.get(channelNumbers, phoneNumberId))?.body),
    byNumberId: (numberId) =>
      known(`number ${numberId}`, async () => {
        const [found] = await reads.find(channelNumbers, { where: { numberId }, limit: 1 });
        return found?.body;
      }),
  };
}

/** Ids of the numbers that a store has connected. */
export const numbersOfStore =
  (reads: Reads) =>
  async (workspaceId: string): Promise<readonly string[]> => {
    const found = await reads.find(channelNumbers, { where: { workspaceId }, limit: MOST_OF_STORE });
    return found.map(({ body }) => body.numberId);
  };

/** Opens a number's own bearer token; undefined when it has none and the service's is used. */
export const accessTokens =
  (secretBox: SecretBox) =>
  ({ accessTokenSealed, phoneNumberId }: StoreNumber): string | undefined =>
    accessTokenSealed === undefined ? undefined : secretBox.open(accessTokenSealed, accessTokenContext(phoneNumberId));
