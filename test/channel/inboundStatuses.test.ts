/** Search for the conversation of a status: the likeliest first, since each attempt is a command. */
import { expect } from 'chai';
import { createInboundStatuses } from '../../application/channel/inboundStatuses.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';

const PHONE = '+252615550101';
const number = { workspaceId: 'w', numberId: 'n' };
const status = { channelMessageId: 'wamid.1', status: 'delivered', at: 0, recipient: { phone: PHONE } };

describe('a status of a message', () => {
  async function scannedIn(key: string | undefined): Promise<string[]> {
    const scanned: string[] = [];
    const take = createInboundStatuses({
      commands: { decide: async (_: object, __: object, id: string) => scanned.push(id) } as never,
      contacts: { find: async () => key } as never,
      aliases: { byPhone: async () => ['alias', conversationOfKey('n', PHONE)] },
      count: () => undefined,
    });
    await take(number as never, status as never, 'request');
    return scanned;
  }

  it('is searched in the conversation of the known customer, then in those of the phone, each once', async () => {
    expect(await scannedIn('a random key')).to.deep.equal([
      conversationOfKey('n', 'a random key'),
      conversationOfKey('n', PHONE),
      'alias',
    ]);
    expect(await scannedIn(PHONE)).to.deep.equal([conversationOfKey('n', PHONE), 'alias']);
    expect(await scannedIn(undefined)).to.deep.equal([conversationOfKey('n', PHONE), 'alias']);
  });
});
