import { defined } from '../../domain/defined.js';
import { accessTokenContext } from '../../domain/stores/channelNumber.js';
import { store } from '../../domain/stores/store.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { BriefCache } from '../access/briefCache.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';

/** Maximum age of a cached number, in ms. */
const FRESH_MS = 1000;
const MOST_NUMBERS = 10_000;

/**
 * Returns the connected numbers from their read model, cached for a second, since each message in either direction needs one. A missing
 * number is not cached, since updates for it would be lost.
 */
export function storeNumbers(reads: Reads, clock: Clock): ChannelNumbers {
  const numbers = new BriefCache<StoreNumber>(clock.steady, FRESH_MS, MOST_NUMBERS);
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

/**
 * Returns the number from the store's own state. Read models may lag, so this decides before anything is given up because of a missing
 * number.
 */
export const numberOfStore = (
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
): Promise<StoreNumber | undefined> =>
  commands.query(store, workspaceId, (state) => {
    if (state.status === 'absent' || state.number === undefined) return undefined;
    return { ...state.number, workspaceId, ...defined({ partnerId: state.partnerId }) };
  });

/** Ids of the numbers that a store has connected. */
export const numberIdsOf =
  (commands: Pick<CommandHandler, 'query'>) =>
  async (workspaceId: string): Promise<readonly string[]> => {
    const number = await numberOfStore(commands, workspaceId);
    return number === undefined ? [] : [number.numberId];
  };

/** Returns the number with this id from the read model, otherwise from its store. Undefined: there is none. */
export async function connectedNumber(
  numbers: Pick<ChannelNumbers, 'byNumberId'>,
  commands: Pick<CommandHandler, 'query'>,
  { numberId, workspaceId }: { readonly numberId: string; readonly workspaceId?: string },
): Promise<StoreNumber | undefined> {
  const shown = await numbers.byNumberId(numberId);
  if (shown !== undefined || workspaceId === undefined) return shown;
  const own = await numberOfStore(commands, workspaceId);
  return own?.numberId === numberId ? own : undefined;
}

/** Unseals a number's own bearer token. Undefined: it has none, and the service's is used. */
export const accessTokens =
  (secretBox: SecretBox) =>
  ({ accessTokenSealed, phoneNumberId }: StoreNumber): string | undefined =>
    accessTokenSealed === undefined ? undefined : secretBox.open(accessTokenSealed, accessTokenContext(phoneNumberId));
