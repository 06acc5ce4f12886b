/** Commands of operators for conversations, on the command line. */
import { expect } from 'chai';
import { runCli } from '../../cli/run.js';
import { conversation } from '../../domain/channel/conversation.js';
import { contactIdOf, conversationOfKey } from '../../domain/channel/conversationIds.js';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import { type AccessStage, openAccessStage } from '../support/stages/accessStage.js';

const NUMBER = '0b5f3c50-6f0d-5a9e-9d2a-111111111111';

describe('command line, conversations', () => {
  let stage: AccessStage;
  let workspace: string;
  let other: string;
  let member: string;
  let team: string;
  const asha = conversationOfKey(NUMBER, '+252615550101');
  const abdi = conversationOfKey(NUMBER, '+252615550102');

  const store = (name: string) =>
    stage.operator('stores.create', {
      name,
      ownerEmail: 'a@example.com',
      ownerName: 'A',
      country: 'SO',
      timezone: 'UTC',
      locale: 'en',
      plan: 'standard',
    });
  async function writes(id: string, phone: string): Promise<void> {
    const customer = { phone, name: 'Customer' };
    const message = {
      messageId: `message of ${id}`,
      channelMessageId: `wamid.${id}`,
      sentAt: new Date().toISOString(),
      content: { type: 'text', text: 'hello' } as const,
      customer,
    };
    const contact = { contactId: contactIdOf(workspace, phone), language: 'en' } as const;
    const { position } = await stage.instance.services.commandHandler.decide(
      { commandId: id, actor: { type: 'customer' }, correlationId: 'spec', workspaceId: workspace },
      conversation,
      id,
      receiveMessages({ numberId: NUMBER, messages: [message], contact }),
    );
    await stage.instance.progress.waitFor(['conversation'], position!, 10_000);
  }
  /** Runs a command line and returns its output. */
  async function suuq(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const code = await runCli(args, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      watched: false,
      version: '0',
      withExecute: (work) => work((command, input) => stage.operator(command, input as object)),
      start: async () => 0,
      sandbox: async () => 0,
      move: async () => ({}),
      settle: async () => ({}),
      upkeep: () => Promise.reject(new Error('nothing may be copied')),
    });
    return { code, out, err };
  }
  const typed = (word: string, id: string, more: readonly string[] = [], of = workspace) =>
    suuq('admin', 'conversations', word, '--workspace', of, '--id', id, ...more);
  const done = async (word: string, id: string, ...more: string[]) => {
    const { code, out, err } = await typed(word, id, [...more, '--json']);
    expect(code, err).to.equal(0);
    return JSON.parse(out);
  };
  const refused = async (word: string, id: string, more: readonly string[], of?: string) => {
    const { code, err } = await typed(word, id, more, of);
    expect(code).to.equal(1);
    return err.split(':')[0];
  };

  before(async () => {
    stage = await openAccessStage();
    workspace = (await store('Shop')).workspaceId;
    other = (await store('Other')).workspaceId;
    member = (
      await stage.operator('members.add', { workspace, email: 'z@example.com', role: 'owner', status: 'active' })
    ).id;
    const queue = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 };
    const door = { name: 'Door', color: 'chart-1', members: [{ memberId: member }], queue, workingHours: null };
    team = (await stage.operator('teams.put', { workspace, team: door })).id;
    await writes(asha, '+252615550101');
    await writes(abdi, '+252615550102');
  });
  after(() => stage.close());

  it('are listed per store, pinned ones first', async () => {
    expect(await done('pin', asha)).to.include({ pinned: true, changed: true });
    const list = async (...more: string[]) => suuq('admin', 'conversations', 'list', '--workspace', workspace, ...more);
    const { conversations, more } = JSON.parse((await list('--json')).out);
    expect([conversations.map(({ id }: { id: string }) => id), more]).to.deep.equal([[asha, abdi], false]);
    expect((await list()).out).to.match(new RegExp(`${asha} +open +- +- +1 +yes +\\S+ +\\+252615550101`));
    expect(JSON.parse((await list('--status', 'closed', '--json')).out).conversations).to.deep.equal([]);
    expect((await suuq('admin', 'conversations', 'list', '--workspace', other)).out).to.contain('no conversations');
    expect(await done('unpin', asha)).to.include({ pinned: false });
  });

  it('are assigned to members and teams, and unassigned', async () => {
    expect(await done('assign', asha, '--member', member)).to.include({ assigneeMemberId: member, changed: true });
    expect(await done('assign', asha, '--member', member)).to.include({ changed: false });
    expect(await done('assign', asha, '--member', 'none')).to.not.have.property('assigneeMemberId');
    expect(await done('route', asha, '--team', team)).to.include({ teamId: team, changed: true });
    expect((await typed('route', asha, ['--team', 'none'])).out).to.equal(
      `Conversation ${asha} is open, of no team, assigned to nobody.\n`,
    );
  });

  it('are closed, snoozed and opened', async () => {
    expect(await done('close', abdi)).to.include({ status: 'closed', changed: true });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await done('snooze', abdi, '--until', until)).to.include({ status: 'snoozed', snoozedUntil: until });
    expect(await done('open', abdi)).to.include({ status: 'open' });
  });

  it("are rejected if a member, team or conversation is not the store's, or a value is invalid", async () => {
    const nobody = '99999999-9999-4999-8999-999999999999';
    expect(await refused('close', asha, [], other)).to.equal('not_found');
    expect(await refused('close', nobody, [])).to.equal('not_found');
    expect(await refused('assign', asha, ['--member', nobody])).to.equal('not_found');
    expect(await refused('route', asha, ['--team', nobody])).to.equal('not_found');
    for (const until of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', 'tomorrow'])
      expect(await refused('snooze', asha, ['--until', until]), until).to.equal('validation_failed');
    expect((await typed('snooze', asha)).code).to.equal(2);
  });
});
