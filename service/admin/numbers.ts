import { createHash } from 'node:crypto';
import { accessTokenContext } from '../../application/channel/storeNumbers.js';
import { NOT_INTERNATIONAL, phoneReader } from '../../application/phones.js';
import type { SecretBox } from '../../application/ports/secretBox.js';
import { derivedId } from '../../domain/ids.js';
import {
  channelNumber,
  checkConnectable,
  checkNumber,
  connectNumber as connect,
  takeNumber,
} from '../../domain/stores/channelNumber.js';
import { store } from '../../domain/stores/store.js';
import type { ChannelNumber } from '../../domain/stores/storeEvents.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';

/** Digits that look like the channel's, and are the same each time for the same store. */
const digits = (workspaceId: string, name: string, count: number): string => {
  const hash = createHash('sha256').update(`${name}\u0000${workspaceId}`).digest('hex');
  return BigInt(`0x${hash}`).toString().slice(-count);
};

/** What a number has that nobody has told the particulars of: enough for the sandbox. */
const invented = (workspaceId: string) => ({
  phoneNumberId: `1${digits(workspaceId, 'phoneNumberId', 14)}`,
  // Nobody has a number with the area code 555.
  displayPhoneNumber: `+1555${digits(workspaceId, 'displayPhoneNumber', 7)}`,
  businessAccountId: `2${digits(workspaceId, 'businessAccountId', 14)}`,
  catalogId: `3${digits(workspaceId, 'catalogId', 14)}`,
});

const NAMES = ['phoneNumberId', 'displayPhoneNumber', 'businessAccountId', 'catalogId'] as const;

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

/**
 * `{workspace, phoneNumberId?, displayPhoneNumber?, businessAccountId?, catalogId?, accessToken?}` → the number, and how
 * the channel is to be set up: `{webhookUrl, verifyToken, appSecret, …}`. What is left out stays as it was, or is
 * invented for the sandbox. The number is taken for the store first, so a crash is healed by the next try.
 */
export async function connectNumber(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  const given = Object.fromEntries(NAMES.map((name) => [name, fields.optionalText(name)]).filter(([, v]) => v));
  const accessToken = fields.optionalText('accessToken');
  if (given.displayPhoneNumber !== undefined) {
    const { displayPhoneNumber: typed } = given;
    given.displayPhoneNumber = (await phoneReader()).international(typed);
    if (given.displayPhoneNumber === undefined) fields.problem('displayPhoneNumber', NOT_INTERNATIONAL, typed);
  }
  fields.check();
  const state = await work.commands().query(store, workspaceId, (found) => found);
  const before = state.status === 'absent' ? undefined : state.number;
  const { phoneNumberId, displayPhoneNumber, businessAccountId, catalogId } = {
    ...invented(workspaceId),
    ...before,
    ...(given as Partial<ReturnType<typeof invented>>),
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
    ...(token.sealed === undefined ? {} : { accessTokenSealed: token.sealed }),
  };
  await commands.decide(store, workspaceId, connect(number, token.same));
  return { ...work.channel, workspaceId, numberId, ...particulars };
}

/** Never their access tokens, only whether they have one of their own. */
export async function listNumbers({ reads }: AdminWork) {
  const { bodies, more } = await listAll(reads, channelNumbers, {});
  const numbers = bodies.map(({ accessTokenSealed, ...number }) => ({
    ...number,
    ownAccessToken: accessTokenSealed !== undefined,
  }));
  return { numbers, more };
}
