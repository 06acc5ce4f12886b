import { expect } from 'chai';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { CHAT, FILE, PHONE, received } from '../support/stages/inboxEvents.js';
import { AMINA, atMinute, inboxStage, messageId, SALES, started, texted } from '../support/stages/inboxStage.js';
import { eventually, everything } from '../support/stages/projectionStage.js';

const names = ['conversations', 'messages'];

const photo = received({ type: 'image', channelMediaId: 'M', caption: 'this one' });

const WHOLE: readonly ConversationEvent[] = [
  started(PHONE),
  { type: 'RoutingMenuOffered', data: { messageId: messageId('out'), teamIds: [SALES], deadline: atMinute(6) } },
  {
    type: 'MessageQueued',
    data: {
      messageId: messageId('out'),
      numberId: 'n',
      to: { phone: PHONE },
      content: { type: 'text', text: 'Hello' },
    },
  },
  photo,
  { type: 'MessageAccepted', data: { messageId: messageId('out'), channelMessageId: 'wamid.out' } },
  { type: 'MessageMediaStored', data: { messageId: messageId('in'), fileId: FILE, mimeType: 'image/jpeg', size: 9 } },
  { type: 'ConversationRouted', data: { teamId: SALES, by: 'deadline' } },
  { type: 'MessageStatusChanged', data: { messageId: messageId('out'), status: 'delivered', at: atMinute(7) } },
  {
    type: 'MessageReactionChanged',
    data: { messageId: messageId('out'), by: 'contact', at: atMinute(8), emoji: '👍' },
  },
  { type: 'MessageDeleted', data: { messageId: messageId('in'), at: atMinute(9) } },
  { type: 'ConversationAssigned', data: { memberId: AMINA } },
  { type: 'ConversationPinned', data: { pinned: true } },
];

describe('the views of the inbox', () => {
  it('are the same after a rebuild', async () => {
    const stage = await inboxStage();
    try {
      for (const [minute, event] of WHOLE.entries()) await stage.append('chat', minute, [event]);
      await stage.append('other', 20, [started('+252611000002'), texted('x', 'x', 20)]);
      await stage.shown();
      const seen = async () => [
        await everything(stage.views, 'conversations'),
        await everything(stage.views, 'messages'),
      ];
      const live = await seen();
      expect(Object.keys(live[1]!)).to.have.length(3);
      const builds = await Promise.all(names.map((name) => stage.views.resolve(name)));
      await Promise.all(names.map((name) => stage.projections.rebuild(name)));
      await eventually(async () =>
        (await Promise.all(names.map((name) => stage.views.resolve(name)))).every((name, i) => name !== builds[i]),
      );
      expect(await seen()).to.deep.equal(live);
    } finally {
      await stage.close();
    }
  });

  it('stop before an event that they cannot read, and show the previous state', async () => {
    const stage = await inboxStage();
    try {
      const good = await stage.append('chat', 1, [started(PHONE), texted('in', 'good', 1)]);
      const broken = { type: 'MessageReceived', data: { messageId: messageId('bad') } };
      await stage.append('chat', 2, [broken as unknown as ConversationEvent]);
      await stage.append('chat', 3, [texted('later', 'later', 3)]);
      const { body } = await stage.get(`/conversations/${CHAT}/messages`);
      expect(body.messages.map(({ text }: { text: string }) => text)).to.deep.equal(['good']);
      for (const status of await stage.projections.status()) {
        expect(status.position, status.name).to.equal(good);
        expect(status.poison?.type).to.equal('MessageReceived');
      }
    } finally {
      await stage.close();
    }
  });
});
