import { createHash } from 'node:crypto';
import { NOT_INTERNATIONAL, phoneReader } from '../../application/phones.js';
import type { SecretBox } from '../../application/ports/secretBox.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import {
  accessTokenContext,
  channelNumber,
  checkConnectable,
  checkNumber,
  connectNumber,
  takeNumber,
} from '../../domain/stores/channelNumber.js';
import { store } from '../../domain/stores/store.js';
import type { ChannelNumber } from '../../domain/stores/storeEvents.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery } from './declaration.js';
import { refuseInput } from './input.js';
import { listAll, paging } from './listPages.js';
import { text, workspace } from './options.js';
import { facts, listText, table } from './text.js';

/** Digits that look like the channel's, and are the same each time for the same store. */
const digits = (workspaceId: string, name: string, count: number): string => {
  const hash = createHash('sha256').update(`${name}\u0000${workspaceId}`).digest('hex');
  return BigInt(`0x${hash}`).toString().slice(-count);
};

/** Generated details of a number, sufficient for the sandbox. */
const invented = (workspaceId: string) => ({
  phoneNumberId: `1${digits(workspaceId, 'phoneNumberId', 14)}`,
  // Nobody has a number with the area code 555.
  displayPhoneNumber: `+1555${digits(workspaceId, 'displayPhoneNumber', 7)}`,
  businessAccountId: `2${digits(workspaceId, 'businessAccountId', 14)}`,
  catalogId: `3${digits(workspaceId, 'catalogId', 14)}`,
});

type Particulars = ReturnType<typeof invented>;

/** The given details, with the telephone number in the channel's format. */
async function internationally(typed: { readonly [Name in keyof Particulars]: string | undefined }) {
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value)) as Partial<Particulars>;
  const { displayPhoneNumber: typedNumber } = given;
  if (typedNumber === undefined) return given;
  const displayPhoneNumber = (await phoneReader()).international(typedNumber);
  if (displayPhoneNumber === undefined)
    return refuseInput([{ location: 'displayPhoneNumber', message: NOT_INTERNATIONAL, value: typedNumber }]);
  return { ...given, displayPhoneNumber };
}

function sealedToken(
  secretBox: SecretBox,
  phoneNumberId: string,
  before: ChannelNumber | undefined,
  token: string | undefined,
): { sealed: string | undefined; same: boolean } {
  const old = before?.accessTokenSealed;
  const context = accessTokenContext(phoneNumberId);
  if (token === undefined || (old !== undefined && secretBox.open(old, context) === token))
    return { sealed: old, same: true };
  return { sealed: secretBox.seal(token, context), same: false };
}

const connect = adminCommand({
  name: 'numbers.connect',
  about: "Connect a store's number. The sandbox makes up missing values.",
  secrets: ['verifyToken', 'appSecret'],
  options: {
    workspace,
    phoneNumberId: text({ value: 'DIGITS', about: "The channel's id of the number." }),
    displayPhoneNumber: text({ value: 'TEL', about: 'Number with country code, such as +252611234567.' }),
    businessAccountId: text({ value: 'DIGITS', about: "The channel's id of the business account." }),
    catalogId: text({ value: 'DIGITS', about: "Provider's id of the catalog that products are pushed to." }),
    accessToken: text({ value: 'TOKEN', about: "Access token for this number. Default: the service's own." }),
  },
  /**
   * The number, and how the channel is to be set up. What is left out stays as it was, or is invented for the sandbox.
   * The number is taken for the store first, so a crash is healed by the next try.
   */
  async run(work, { workspace: workspaceId, accessToken, ...typed }) {
    const given = await internationally(typed);
    const state = await work.commands().query(store, workspaceId, (found) => found);
    const before = state.status === 'absent' ? undefined : state.number;
    const { phoneNumberId, displayPhoneNumber, businessAccountId, catalogId } = {
      ...invented(workspaceId),
      ...before,
      ...given,
    };
    const particulars = { phoneNumberId, displayPhoneNumber, businessAccountId, catalogId };
    checkNumber(particulars);
    checkConnectable(state, phoneNumberId);
    const token = sealedToken(work.secretBox, phoneNumberId, before, accessToken);
    const commands = work.commands(await aboutStore(work, workspaceId));
    await commands.decide(channelNumber, phoneNumberId, takeNumber({ phoneNumberId, workspaceId }));
    const numberId = derivedId('number', workspaceId, phoneNumberId);
    const number = {
      numberId,
      ...particulars,
      ...defined({ accessTokenSealed: token.sealed }),
    };
    await commands.decide(store, workspaceId, connectNumber(number, token.same));
    return { ...work.channel, workspaceId, numberId, ...particulars };
  },
  text: (channel) => facts({ ...channel }),
});

const list = adminQuery({
  name: 'numbers.list',
  about: 'List the connected numbers.',
  list: 'numbers',
  forStore: true,
  options: { workspace: text({ value: 'ID', about: 'Only this store.' }), ...paging },
  /** Never their access tokens, only whether they have one of their own. */
  async run({ reads }, { workspace: workspaceId, ...page }) {
    const where = workspaceId === undefined ? {} : { where: { workspaceId } };
    const { bodies, ...rest } = await listAll(reads, channelNumbers, where, page);
    const numbers = bodies.map(({ accessTokenSealed, ...number }) => ({
      ...number,
      ownAccessToken: accessTokenSealed !== undefined,
    }));
    return { numbers, ...rest };
  },
  text: ({ numbers, more }) =>
    listText(
      table(
        ['PHONE NUMBER ID', 'NUMBER', 'CATALOG', 'WORKSPACE'],
        numbers.map((n) => [n.phoneNumberId, n.displayPhoneNumber, n.catalogId, n.workspaceId]),
        'There are no connected numbers.',
      ),
      more,
    ),
});

export const numberCommands: readonly AdminCommand[] = [connect, list];
