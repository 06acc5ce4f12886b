/** A member who is limited to teams reads and forwards only the files of their own conversations. */
import { expect } from 'chai';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { file, storeFile } from '../../domain/files/file.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { teamTerms } from '../support/spec/people.js';
import { jwt, type Keys, openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';

const NUMBER = derivedId('test', 'number');
const conversationId = (name: string): string => derivedId('test conversation', name);
const CUSTOMER = { phone: '+252611000001', name: 'Hodan' };

describe('files of conversations', () => {
  let stage: SessionStage;
  let shop: Keys;
  let teams: { sales: string; support: string };
  /** Session tokens. */
  let agent: string;
  let supervisor: string;
  let count = 0;

  const context = (): CommandContext => ({
    commandId: derivedId('test command', count++),
    actor: { type: 'system' },
    correlationId: 'test',
    workspaceId: shop.id,
  });
  async function happens(name: string, ...events: ConversationEvent[]): Promise<void> {
    const { services, progress } = stage.instance();
    const { position } = await services.commandHandler.decide(
      context(),
      conversation,
      conversationId(name),
      () => events,
    );
    await progress.waitFor(['conversation'], position!, 5_000);
  }
  const begins = (name: string, teamId?: string) =>
    happens(
      name,
      { type: 'ConversationStarted', data: { numberId: NUMBER, customer: CUSTOMER } },
      { type: 'ConversationRouted', data: { by: 'default', ...(teamId === undefined ? {} : { teamId }) } },
    );
  /** Adds a customer's photo as it is stored after copying. */
  async function received(name: string): Promise<string> {
    const { services } = stage.instance();
    const fileId = derivedId('test file', name);
    const messageId = derivedId('test message', name);
    const content = (async function* () {
      yield PIXEL;
    })();
    const judge = () => ({ kind: 'image' as const, mostBytes: 1_000 });
    const taken = await services.files.take(shop.id, fileId, { content, declared: {} }, judge);
    const record = { ...taken, name: 'photo.png', source: 'channel' as const };
    await services.commandHandler.decide(context(), file, fileId, storeFile(record));
    const image = { type: 'image', channelMediaId: 'm1', mimeType: 'image/png' } as const;
    await happens(
      name,
      {
        type: 'MessageReceived',
        data: {
          messageId,
          channelMessageId: `wamid.${name}`,
          sentAt: '2026-03-01T08:00:00Z',
          content: image,
          customer: CUSTOMER,
        },
      },
      { type: 'MessageMediaStored', data: { messageId, fileId, mimeType: 'image/png', size: taken.size } },
    );
    return fileId;
  }
  const sent = (name: string, content: OutboundContent) =>
    happens(name, {
      type: 'MessageQueued',
      data: { messageId: derivedId('test message', count++), numberId: NUMBER, to: CUSTOMER, content },
    });
  async function uploaded(credential: string): Promise<string> {
    const answer = await fetch(`${stage.address()}/api/v1/workspaces/${shop.id}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}` },
      body: formWith(PIXEL, 'price.png'),
    });
    expect(answer.status).to.equal(201);
    return ((await answer.json()) as { id: string }).id;
  }
  const image = (fileId: string): OutboundContent => ({ type: 'image', fileId, mimeType: 'image/png', text: '' });

  /** Returns the status of a read, or the body of a refusal without its request id. */
  async function read(credential: string, fileId: string): Promise<unknown> {
    const answer = await fetch(`${stage.address()}/api/v1/workspaces/${shop.id}/files/${fileId}`, {
      headers: { authorization: `Bearer ${credential}` },
    });
    if (answer.status === 200) return Buffer.from(await answer.arrayBuffer()).equals(PIXEL) ? 200 : 'other bytes';
    const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>;
    return problem;
  }
  const missing = (credential: string): Promise<unknown> => read(credential, derivedId('test', 'no file'));

  before(async () => {
    stage = await openSessionStage();
    shop = await stage.store('Shop');
    const member = async (name: string, role: string) => {
      const { id } = await stage.operator('members.add', {
        workspace: shop.id,
        email: `${name}@example.com`,
        role,
        verified: true,
      });
      return id as string;
    };
    const [ali, sara] = [await member('ali', 'agent'), await member('sara', 'supervisor')];
    const team = async (name: string, memberId: string) =>
      (await stage.operator('teams.put', { workspace: shop.id, team: teamTerms(name, [{ memberId }]) })).id as string;
    teams = { sales: await team('Sales', ali), support: await team('Support', sara) };
    const signIn = async (name: string) =>
      (await stage.signIn(shop, jwt(stage.claims(name), shop.secret.key))).body.token as string;
    [agent, supervisor] = [await signIn('ali'), await signIn('sara')];
    for (const [name, teamId] of Object.entries({ sales: teams.sales, support: teams.support, nobody: undefined }))
      await begins(name, teamId);
  });
  after(() => stage.close());

  it('are hidden from a member of another team, like the conversation', async () => {
    const [own, others, nobodys] = [await received('sales'), await received('support'), await received('nobody')];
    expect(await read(agent, own)).to.equal(200);
    expect(await read(agent, nobodys)).to.equal(200);
    expect(await read(agent, others)).to.deep.equal(await missing(agent));
    for (const one of [own, others, nobodys])
      for (const caller of [supervisor, shop.secret.key]) expect(await read(caller, one)).to.equal(200);
    await happens('support', { type: 'ConversationRouted', data: { by: 'operator', teamId: teams.sales } });
    expect(await read(agent, others), 'when the conversation is theirs').to.equal(200);
    await happens('support', { type: 'ConversationRouted', data: { by: 'operator', teamId: teams.support } });
    expect(await read(agent, others), 'and no longer').to.deep.equal(await missing(agent));
  });

  it('cannot be forwarded by a member who may not see them', async () => {
    const hidden = await received('support');
    const path = `/workspaces/${shop.id}/conversations/${conversationId('sales')}/messages`;
    const send = (credential: string, fileId: string) =>
      stage.call(credential, 'POST', path, { clientMsgId: `m-${count++}`, type: 'image', media: { fileId } });
    const { status, body } = await send(agent, hidden);
    expect([status, body.code, body.errors]).to.deep.equal([
      422,
      'validation_failed',
      [
        {
          message: 'The store has no such file: upload it first.',
          location: 'body.media.fileId',
          value: hidden,
        },
      ],
    ]);
    // The file is accepted. The refusal is that the store has no number to send from.
    for (const [caller, fileId] of [
      [supervisor, hidden],
      [agent, await received('sales')],
    ] as const)
      expect((await send(caller, fileId)).body.code).to.equal('no_channel_number');
  });

  it('uploaded by the store are visible until sent, then to members who see a conversation with them, and always to the uploader', async () => {
    const [picture, own] = [await uploaded(supervisor), await uploaded(agent)];
    expect(await read(agent, picture)).to.equal(200);
    for (const one of [picture, own]) await sent('support', image(one));
    expect(await read(agent, picture)).to.deep.equal(await missing(agent));
    expect(await read(agent, own)).to.equal(200);
    const media = { fileId: picture, filename: 'price.png' };
    const components = [{ type: 'header' as const, parameters: [{ type: 'image' as const, media }] }];
    const template = { type: 'template' as const, name: 'price', language: 'en', body: [], text: 'Price', components };
    await sent('sales', template);
    expect(await read(agent, picture), 'sent with a template to a customer of theirs').to.equal(200);
  });
});
