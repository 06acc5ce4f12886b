/** Messages through the real process, killed between queueing and sending, with a channel that does not deduplicate. */
import { expect } from 'chai';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { callService } from '../../service/admin/adminClient.js';
import { adminSocketPath } from '../../service/admin/protocol.js';
import { channelEnvironment, type FakeChannel, fakeChannel } from '../support/doubles/fakeChannel.js';
import { until } from '../support/doubles/fakeClock.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as any client without types would
type Body = any;

const CUSTOMERS = 3;
const PATIENCE = 60_000;
/** Window before a kill in which an accepted message may not be recorded, in ms. */
const IN_FLIGHT_MS = 3_000;

const phoneOf = (customer: number): string => `2526110000${10 + customer}`;
const textOf = (customer: number, n: number): string => `to ${customer} no. ${String(n).padStart(3, '0')}`;

describe('messages and kill -9', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-sending-crash-');
  let channel: FakeChannel;
  let service: ServiceProcess;
  let workspaceId: string;
  let key: string;
  const conversations: string[] = [];
  const kills: number[] = [];

  const boot = async () => {
    service = await startService(folder.path, channelEnvironment(channel.baseUrl));
  };
  const kill = async () => {
    await service.kill();
    kills.push(Date.now());
  };
  const operator = (command: string, input: object): Promise<Body> =>
    callService(adminSocketPath(folder.path), command, input);
  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${workspaceId}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  }
  const send = (customer: number, n: number) =>
    call('POST', `/conversations/${conversations[customer]}/messages`, {
      clientMsgId: `${customer}.${n}`,
      type: 'text',
      text: textOf(customer, n),
    });
  /** Returns the messages that the store sent, oldest first. */
  async function thread(customer: number): Promise<Body[]> {
    const { body } = await call('GET', `/conversations/${conversations[customer]}/messages?limit=200`);
    return body.messages.filter(({ direction }: Body) => direction === 'outbound').reverse();
  }
  const takenBy = (customer: number): string[] =>
    channel.taken.filter(({ to }) => to === `+${phoneOf(customer)}`).map(({ text }) => text);
  const isSent = async () =>
    (await Promise.all(conversations.map((_, customer) => thread(customer))))
      .flat()
      .every(({ status }) => status === 'sent');

  before(async () => {
    channel = await fakeChannel();
    await boot();
    await operator('plans.put', { key: 'all', name: 'All', features: [{ key: 'channel.number' }] });
    const partner = await operator('partners.create', { name: 'Partner', slug: 'partner', plan: 'all' });
    const store = await operator('stores.create', {
      partner: partner.id,
      externalRef: 'store',
      name: 'Store',
      ownerEmail: 'hodan@example.com',
      ownerName: 'Hodan',
      country: 'SO',
      timezone: 'Africa/Mogadishu',
    });
    workspaceId = store.workspaceId;
    const { phoneNumberId } = await operator('numbers.connect', { workspace: workspaceId });
    ({ key } = await operator('keys.create', { workspace: workspaceId, mode: 'test', scopes: ['inbox:reply'] }));
    for (let customer = 0; customer < CUSTOMERS; customer += 1) {
      const message = channel.textFrom(phoneNumberId, phoneOf(customer), `wamid.in.${customer}`);
      const { status } = await fetch(`${service.baseUrl}/channel/webhook`, { method: 'POST', ...message });
      expect(status).to.equal(200);
    }
    await until('the customers have written', async () => {
      const { body } = await call('GET', '/conversations');
      const rows: Body[] = body.conversations.filter(({ unreadCount }: Body) => unreadCount > 0);
      conversations.splice(0);
      for (let customer = 0; customer < CUSTOMERS; customer += 1)
        conversations.push(rows.find(({ contact }) => contact.phone === `+${phoneOf(customer)}`)?.id);
      return !conversations.includes(undefined as never);
    });
  });
  after(async () => {
    await service.stop();
    await channel.close();
    folder.remove();
  });

  it('are sent once each and in order, after it was killed between queueing and sending', async () => {
    channel.mode = 'down';
    for (let n = 0; n < 5; n += 1)
      for (let customer = 0; customer < CUSTOMERS; customer += 1) {
        const { status, body } = await send(customer, n);
        expect([status, body.status]).to.deep.equal([202, 'pending']);
      }
    await until('it has tried', () => channel.refused > 0, PATIENCE);
    await kill();
    channel.mode = 'up';
    await boot();
    // A client that got no response retries.
    for (let customer = 0; customer < CUSTOMERS; customer += 1) expect((await send(customer, 4)).status).to.equal(202);
    await until('all are sent', isSent, PATIENCE);
    for (let customer = 0; customer < CUSTOMERS; customer += 1) {
      const expected = Array.from({ length: 5 }, (_, n) => textOf(customer, n));
      expect(takenBy(customer)).to.deep.equal(expected);
      expect((await thread(customer)).map(({ text }) => text)).to.deep.equal(expected);
    }
  });

  it('are each queued once and sent, and only those in flight again, after it was killed under load', async () => {
    channel.latencyMs = 20;
    const waiting = new Map<string, [number, number]>();
    for (let n = 5; n < 30; n += 1)
      for (let customer = 0; customer < CUSTOMERS; customer += 1) waiting.set(`${customer}.${n}`, [customer, n]);
    /** Sends the unconfirmed messages, one at a time per conversation, until the process is killed. */
    const work = async (customer: number): Promise<void> => {
      for (const [name, [to, n]] of [...waiting]) {
        if (to !== customer) continue;
        if ((await send(to, n)).status === 202) waiting.delete(name);
      }
    };
    const all = () => Promise.allSettled(conversations.map((_, customer) => work(customer)));
    for (const goal of [50, 25]) {
      const working = all();
      await until('some are confirmed', () => waiting.size <= goal, PATIENCE);
      await kill();
      await working;
      await boot();
    }
    await all();
    expect(waiting.size).to.equal(0);
    await until('all are sent', isSent, PATIENCE);
    for (let customer = 0; customer < CUSTOMERS; customer += 1) {
      const expected = Array.from({ length: 30 }, (_, n) => textOf(customer, n));
      expect((await thread(customer)).map(({ text }) => text)).to.deep.equal(expected);
      const heard = takenBy(customer);
      expect([...new Set(heard)]).to.deep.equal(expected);
    }
    const firsts = new Map<string, number>();
    for (const { messageId, at } of channel.taken) {
      const first = firsts.get(messageId);
      if (first === undefined) firsts.set(messageId, at);
      else
        expect(
          kills.some((time) => first <= time && first >= time - IN_FLIGHT_MS),
          messageId,
        ).to.equal(true);
    }
    expect(channel.taken.length - firsts.size).to.be.at.most(kills.length * CUSTOMERS);
  });

  it('are sent again at most once, if the channel accepted them and the response was lost', async () => {
    channel.mode = 'mute';
    const { body } = await send(0, 30);
    await until('the channel has it', () => channel.taken.some(({ messageId }) => messageId === body.id), PATIENCE);
    await kill();
    channel.mode = 'up';
    await boot();
    await until('it is sent', isSent, PATIENCE);
    expect(channel.taken.filter(({ messageId }) => messageId === body.id)).to.have.length(2);
  });
});
