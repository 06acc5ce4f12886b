/** Which business account a store's templates belong to, and which stores have an account's. */
import { channelNumbers } from '../../projections/channelNumbers.js';
import { allRows } from '../allRows.js';
import type { StoreNumber } from '../channel/channelNumbers.js';
import { accessTokens } from '../channel/storeNumbers.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { TemplateAccount } from '../ports/templateProvider.js';
import type { Reads } from '../reads.js';

/** Numbers of one account; the provider allows far fewer. */
const MOST_NUMBERS = 10_000;

/** The account of the store's number; undefined: the store has no number connected. */
export const accountOfStore =
  (reads: Reads, secretBox: SecretBox) =>
  async (workspaceId: string): Promise<TemplateAccount | undefined> => {
    const [found] = await reads.find(channelNumbers, { where: { workspaceId }, limit: 1 });
    if (found === undefined) return undefined;
    const { businessAccountId } = found.body;
    return { businessAccountId, accessToken: accessTokens(secretBox)(found.body) };
  };

/** The connected numbers of an account, of all stores. */
export const numbersOfAccount =
  (reads: Reads) =>
  async (businessAccountId: string): Promise<readonly StoreNumber[]> => {
    const query = { where: { businessAccountId }, sort: [] };
    return (await allRows(reads, channelNumbers, query, MOST_NUMBERS)).map(({ body }) => body);
  };
