/** Which business account a store's templates belong to, and which stores have an account's. */
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { allRows } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import type { StoreNumber } from '../channel/channelNumbers.js';
import { accessTokens, numberOfStore } from '../channel/storeNumbers.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { TemplateAccount } from '../ports/templateProvider.js';

/** Numbers of one account; the provider allows far fewer. */
const MOST_NUMBERS = 10_000;

/** The account of the store's number; undefined: the store has no number connected. */
export const accountOfStore =
  (commands: Pick<CommandHandler, 'query'>, secretBox: SecretBox) =>
  async (workspaceId: string): Promise<TemplateAccount | undefined> => {
    // Not from the view: a number that has just been connected is asked for before the view shows it.
    const number = await numberOfStore(commands, workspaceId);
    if (number === undefined) return undefined;
    const { businessAccountId } = number;
    return { businessAccountId, accessToken: accessTokens(secretBox)(number) };
  };

/** The connected numbers of an account, of all stores. */
export const numbersOfAccount =
  (reads: Reads) =>
  async (businessAccountId: string): Promise<readonly StoreNumber[]> => {
    const query = { where: { businessAccountId }, sort: [] };
    return (await allRows(reads, channelNumbers, query, MOST_NUMBERS)).map(({ body }) => body);
  };
