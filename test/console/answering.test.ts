/** Customers answered from the console, by the API's own operation: by those who may, in their own store. */
import { expect } from 'chai';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { type Browser, OTHER, SHOP, signedIn } from '../support/stages/consoleStage.js';
import { CHAT, received } from '../support/stages/inboxEvents.js';
import { started } from '../support/stages/inboxStage.js';

const PHONE = '+252615550101';

describe('replies in the console', () => {
  const on = signedIn();
  const thread = (store: string): string => `/api/v1/workspaces/${store}/conversations/${CHAT}/messages`;
  const answer = (browser: Browser, store: string, id: string, headers = {}) =>
    on.stage.change(browser, thread(store), { clientMsgId: id, type: 'text', text: 'وعليكم <b>' }, headers);
  const events = () => on.stage.eventStore.readStream(`conversation-${CHAT}`);
  before(async () => {
    const { stage } = on;
    const connected = await stage.change(on.operator, '/api/commands/numbers.connect', { workspace: SHOP });
    const at = new Date(stage.clock.now()).toISOString();
    const customer = { customer: { phone: PHONE }, sentAt: at };
    const text: ConversationEvent[] = [started(PHONE), received({ type: 'text', text: 'Salaam' }, customer)];
    await stage.eventStore.append(
      `conversation-${CHAT}`,
      'any',
      text.map(({ type, data }, i) => ({
        ...{ id: `00000000-0000-4000-8000-0000000000d${i}`, type },
        data: type === 'ConversationStarted' ? { ...data, numberId: connected.body.result.numberId } : data,
        meta: { at, actor: { type: 'customer' }, correlationId: 'said', workspaceId: SHOP },
      })),
    );
    await stage.shown();
  });

  it('are queued once, with the console as author instead of a member', async () => {
    const first = await answer(on.shop, SHOP, 'one');
    expect([first.status, first.body.code, first.body.text]).to.deep.equal([202, undefined, 'وعليكم <b>']);
    expect((await answer(on.shop, SHOP, 'one')).body.id).to.equal(first.body.id);
    const queued = (await events()).filter(({ type }) => type === 'MessageQueued');
    expect(queued.map(({ meta }) => meta.actor)).to.deep.equal([
      { type: 'system', id: `console-store-${on.shop.sessionId.slice(0, 8)}` },
    ]);
    expect(first.body).not.to.have.property('sentByMemberId');
    const { body } = await on.stage.read(on.auditor, thread(SHOP));
    expect(body.messages.map(({ text }: { text: string }) => text)).to.deep.equal(['وعليكم <b>', 'Salaam']);
  });

  describe('are rejected for', () => {
    const refused = async (browser: Browser, store: string, headers: object, code: string): Promise<void> => {
      const before = (await events()).length;
      const { body } = await answer(browser, store, 'two', headers);
      expect([body.code, (await events()).length]).to.deep.equal([code, before]);
    };
    it('an auditor', () => refused(on.auditor, SHOP, {}, 'permission_denied'));
    it('a request without its token', () => refused(on.shop, SHOP, { 'x-csrf-token': 'x' }, 'csrf_token_missing'));
    it('members of another store', async () => {
      const other = await on.stage.signIn({ role: 'store', workspaceId: OTHER });
      await refused(other, SHOP, {}, 'not_found');
      await refused(other, OTHER, {}, 'not_found');
      expect((await on.stage.read(other, thread(SHOP))).body.code).to.equal('not_found');
      expect((await on.stage.read(other, thread(OTHER))).body.code).to.equal('not_found');
    });
  });
});
