/** Business accounts of stores' templates, and stores of an account. */
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { allRows } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import type { StoreNumber } from '../channel/channelNumbers.js';
import { accessTokens, numberOfStore } from '../channel/storeNumbers.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { TemplateAccount } from '../ports/templateProvider.js';

/** Maximum numbers of one account. The provider allows far fewer. */
const MOST_NUMBERS = 10_000;

/** Returns the account of the store's number. Undefined: the store has no number connected. */
export const accountOfStore =
  (commands: Pick<CommandHandler, 'query'>, secretBox: SecretBox) =>
  async (workspaceId: string): Promise<TemplateAccount | undefined> => {
    // Does not use the view, which may not show a number that was just connected.
    const number = await numberOfStore(commands, workspaceId);
    if (number === undefined) return undefined;
    const { businessAccountId } = number;
    return { businessAccountId, accessToken: accessTokens(secretBox)(number) };
  };

/** Returns the connected numbers of an account, in all stores. */
export const numbersOfAccount =
  (reads: Reads) =>
  async (businessAccountId: string): Promise<readonly StoreNumber[]> => {
    const query = { where: { businessAccountId }, sort: [] };
    return (await allRows(reads, channelNumbers, query, MOST_NUMBERS)).map(({ body }) => body);
  };
