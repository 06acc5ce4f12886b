import { channelNumbers } from '../../projections/channelNumbers.js';
import { accessTokenContext } from '../admin/numbers.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { Reads } from '../reads.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';

/** The connected numbers from their read model. */
export const storeNumbers = (reads: Reads): ChannelNumbers => ({
  byPhoneNumberId: async (phoneNumberId) => (await reads.get(channelNumbers, phoneNumberId))?.body,
  async byNumberId(numberId) {
    const [found] = await reads.find(channelNumbers, { where: { numberId }, limit: 1 });
    return found?.body;
  },
});

/** Opens a number's own bearer token; undefined when it has none and the service's is used. */
export const accessTokens =
  (secretBox: SecretBox) =>
  ({ accessTokenSealed, phoneNumberId }: StoreNumber): string | undefined =>
    accessTokenSealed === undefined ? undefined : secretBox.open(accessTokenSealed, accessTokenContext(phoneNumberId));
