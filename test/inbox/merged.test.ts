import { expect } from 'chai';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { derivedId } from '../../domain/ids.js';
import {
  conversationId,
  type InboxStage,
  inboxStage,
  NUMBER,
  STORE,
  started,
  texted,
} from '../support/stages/inboxStage.js';

const merged = (into?: string): ConversationEvent => ({
  type: 'ConversationStatusChanged',
  data: { status: 'closed', before: 'open', reason: 'merged', ...(into && { mergedInto: into }) },
});

describe('conversations that were merged', () => {
  let stage: InboxStage;
  beforeEach(async () => {
    stage = await inboxStage();
  });
  afterEach(() => stage.close());

  const chat = (name: string, phone: string, ...more: ConversationEvent[]) =>
    stage.append(name, 1, [started(phone), texted(name, name, 1, phone), ...more]);
  const into = async (name: string): Promise<string | undefined> => {
    const one = (await stage.get(`/conversations/${conversationId(name)}`)).body;
    const { conversations } = (await stage.get('/conversations')).body;
    expect(conversations.find(({ id }: { id: string }) => id === one.id)).to.deep.equal(one);
    return one.mergedInto;
  };

  it('name the final conversation, also through several merges', async () => {
    await chat('first', '+252611000001', merged(conversationId('second')));
    await chat('second', '+252611000002', merged(conversationId('last')));
    await chat('last', '+252611000003');
    expect([await into('first'), await into('second')]).to.deep.equal(Array(2).fill(conversationId('last')));
    expect(await into('last')).to.equal(undefined);
  });

  it('name none until the customer has written in the other conversation', async () => {
    await chat('first', '+252611000001', merged(conversationId('second')));
    expect(await into('first')).to.equal(undefined);
  });

  it("are resolved through the customer's current identity if the oldest events do not name it", async () => {
    const phone = '+252611000001';
    await chat('first', phone, merged());
    const meta = { at: '2026-03-01T09:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'test' };
    const known = { type: 'CustomerKnown', data: { kind: 'phone', key: 'SO.7' }, id: derivedId('known'), meta };
    await stage.eventStore.append(`customer-${derivedId('customer', STORE, 'phone', phone)}`, 'any', [known]);
    const other = conversationOfKey(NUMBER, 'SO.7');
    const startedAt = { ...started('+252611000007'), id: derivedId('begun'), meta: { ...meta, workspaceId: STORE } };
    await stage.eventStore.append(`conversation-${other}`, 'any', [startedAt]);
    expect(await into('first')).to.equal(other);
  });

  it('end instead of following a cycle', async () => {
    await chat('first', '+252611000001', merged(conversationId('second')));
    await chat('second', '+252611000002', merged(conversationId('first')));
    expect(await into('first')).to.equal(undefined);
  });
});
