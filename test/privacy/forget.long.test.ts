/** `suuq admin forget` at a running service: the remaining data does not identify the customer. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { customerStreamId } from '../../application/channel/customerIdentity.js';
import { Customer } from '../../cli/demo/customer.js';
import { createClient } from '../../client/src/index.js';
import { ERASED_PHONE } from '../../domain/erasure.js';
import { ERASED_TEXT } from '../../engine/sealing/erased.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { signedInbound } from '../../harness/service/signedCart.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';
import { FAADUMO, playStory } from '../support/privacy/story.js';
import { commandLine } from '../support/stages/commandLine.js';
import { until } from '../support/tools/until.js';

const HERS = `+${FAADUMO.phone}`;
const HIS = '+252615554444';
const QUESTION = 'Have you got hats for men?';
/** Values that identify this customer. The area is excluded, because it is a setting of the store. */
const VALUES = Object.entries(FAADUMO)
  .filter(([name]) => name !== 'area')
  .map(([, value]) => String(value));

describe('an erased customer', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('suuq-forget-');
  const backups = temporaryFolder('suuq-forget-backups-');
  const { suuq, json } = commandLine(folder.path, { timeout: 120_000 });
  let service: ServiceProcess;
  let demo: Demo;
  let target: Receiver;
  let forgotten: { readonly persons: readonly string[]; readonly files: number; readonly names: readonly string[] };

  const store = () => createClient({ baseUrl: service.baseUrl, credential: demo.store.secretKey });
  const place = () => ({ workspaceId: demo.store.workspaceId });
  const inFiles = (...files: readonly string[]): string[] => {
    const all = files.filter((file) => statSync(join(folder.path, file), { throwIfNoEntry: false })?.isFile());
    const texts = all.map((file) => readFileSync(join(folder.path, file), 'latin1'));
    return VALUES.filter((value) => texts.some((text) => text.includes(value)));
  };
  /** Reads all orders and chats of the API as one text. */
  async function shown(): Promise<string> {
    const { orders } = await store().listOrders({ ...place(), limit: 100 });
    const { conversations } = await store().listConversations({ ...place(), limit: 100 });
    const whole = await Promise.all(orders.map(({ id }) => store().getOrder({ ...place(), orderId: id })));
    const texts = await Promise.all(
      conversations.map(({ id }) => store().listMessages({ ...place(), conversationId: id, limit: 100 })),
    );
    return JSON.stringify({ whole, conversations, said: texts });
  }

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    target = await receiver();
    await playStory(service.baseUrl, demo, target);
    const him = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, HIS.slice(1), 'Ismail');
    await him.send({ text: QUESTION });
    await until('his message is there', async () => (await shown()).includes(QUESTION));
    json('audit', 'verify');
    json('backup', backups.path, '--with-keys');
  });
  after(async () => {
    await service?.stop();
    await target?.close();
    folder.remove();
    backups.remove();
  });

  it('is nowhere in the log in plain text, not even before', async () => {
    expect((await shown()).includes(FAADUMO.question)).to.equal(true);
    expect(inFiles('events.db', 'events.db-wal', 'vault.db', 'vault.db-wal', 'history.db')).to.deep.equal([]);
  });

  it('has no stream with a predictable name', () => {
    const rule = customerStreamId(demo.store.workspaceId, 'phone', HERS);
    const files = ['events.db', 'events.db-wal'].map((file) => readFileSync(join(folder.path, file), 'latin1'));
    expect(files.some((text) => /customer-[0-9a-f]{8}-/.test(text))).to.equal(true);
    expect(files.some((text) => text.includes(rule))).to.equal(false);
  });

  const doneBy = (customer: string): readonly { readonly type: string }[] =>
    json('history', 'store', demo.store.workspaceId, '--actor', customer).events;

  it('is found by their actions', () => {
    expect(doneBy(HERS).map(({ type }) => type)).to.include('MessageReceived');
  });

  it('is erased by a command, which reports the result', () => {
    forgotten = json('admin', 'forget', '--phone', HERS);
    expect(forgotten.persons).to.have.length(1);
    expect(forgotten.files).to.equal(2);
    expect(forgotten.names).to.include.members(['orders', 'conversations', 'messages']);
  });

  it('is shown without data; others stay', async () => {
    const text = await shown();
    expect(VALUES.filter((value) => text.includes(value))).to.deep.equal([]);
    expect(text).to.include(ERASED_PHONE).and.to.include(ERASED_TEXT);
    expect(text).to.include(QUESTION).and.to.include(HIS);
    expect(text, 'ids stay UUIDs').to.include('"conversationId":"');
    expect(text).not.to.match(/"conversationId":"(?![0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")/);
    const { orders } = await store().listOrders({ ...place(), phone: HERS });
    expect(orders).to.deep.equal([]);
    expect(doneBy(HERS)).to.deep.equal([]);
    expect(doneBy(HIS)).not.to.deep.equal([]);
  });

  it('is in an older backup, and is erased there too when it is restored with the newest vault', async () => {
    const restored = temporaryFolder('suuq-forget-restored-');
    const concurrent = commandLine(restored.path, { timeout: 120_000 });
    const [name] = readdirSync(backups.path);
    const refused = concurrent.suuq(
      'restore',
      join(backups.path, name!),
      '--forgotten',
      join(folder.path, 'nothing.db'),
    );
    expect(refused.stderr).to.match(/^vault_missing: /);
    const text = concurrent.json('restore', join(backups.path, name!), '--forgotten', join(folder.path, 'vault.db'));
    expect(text).to.deep.include({ forgotten: 1, masterKey: 'restored' });
    const events = concurrent.suuq('query', 'select * from events', '--json').stdout;
    expect(events).to.include(QUESTION);
    expect(VALUES.filter((value) => events.includes(value))).to.deep.equal([]);
    restored.remove();
  });

  it('leaves valid proofs, and a record of the erasure', () => {
    expect(json('audit', 'verify')).to.deep.include({ whole: true });
    const { rows } = json('query', "select stream_id from events where type = 'PersonForgotten'");
    expect(rows).to.deep.equal(forgotten.persons.map((id) => ({ stream_id: id })));
  });

  it('cannot be erased twice, nor can an unknown customer', () => {
    for (const phone of [HERS, '+252615550000']) {
      const { status, stderr } = suuq('admin', 'forget', '--phone', phone);
      expect(status).to.equal(1);
      expect(stderr).to.match(/^not_found: No data subject with the number /);
    }
    expect(suuq('admin', 'forget', '--phone', '12').stderr).to.match(/^validation_failed/);
    expect(suuq('admin', 'forget', '--phone', HIS, '--workspace', 'nowhere').stderr).to.match(
      /^not_found: There is no store/,
    );
  });

  it('stays erased after a rebuild, and is in no permanent file in plain text', async () => {
    await service.stop();
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    expect(suuq('projections', 'rebuild').status).to.equal(0);
    const text = await shown();
    expect(VALUES.filter((value) => text.includes(value))).to.deep.equal([]);
    expect(text).to.include(QUESTION);
    // Freed pages of read models and tasks are overwritten only when reused (docs/concepts/privacy.md).
    const files = ['events.db', 'vault.db', 'proofs.db', 'history.db'];
    expect(inFiles(...files, ...files.map((file) => `${file}-wal`))).to.deep.equal([]);
  });

  it('is a new customer when she writes again', async () => {
    const her = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, FAADUMO.phone, 'Faadumo again');
    await her.send({ text: 'It is me.' });
    await until('her message is there', async () => (await shown()).includes('It is me.'));
    const text = await shown();
    expect(text).to.include(HERS).and.not.to.include(FAADUMO.question);
    const { persons } = json('admin', 'forget', '--phone', HERS);
    expect(persons).to.have.length(1).and.not.to.deep.equal(forgotten.persons);
    // She writes immediately, while her old identity could still be in memory. No earlier chat must become hers.
    await her.send({ text: 'Once more.' });
    await until('her message is there', async () => (await shown()).includes('Once more.'));
    const { conversations } = await store().listConversations({ ...place(), limit: 100 });
    const [hers, ...others] = conversations.filter(({ contact }) => contact.phone === HERS);
    expect(others).to.deep.equal([]);
    const { messages } = await store().listMessages({ ...place(), conversationId: hers!.id, limit: 100 });
    expect(messages.filter(({ direction }) => direction === 'inbound').map((one) => one.text)).to.deep.equal([
      'Once more.',
    ]);
  });

  it('is erased under every spelling of their numbers, and under former numbers', async () => {
    const [before, now] = ['5215512345678', '5215587654321'];
    const customer = (phone: string) => new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, phone, 'Ximena');
    await customer(before).sendCart([{ retailerId: 'DRESS', quantity: 1 }]);
    const ordersOf = async (phone: string) => (await store().listOrders({ ...place(), phone })).orders;
    await until('the order is there', async () => (await ordersOf('+525512345678')).length === 1);
    await customer(before).send({ changedNumber: now });
    await customer(now).send({ text: 'This is my new number.' });
    await until('it is there', async () => (await shown()).includes('This is my new number.'));
    for (const phone of [before, now, '+525587654321']) expect(await ordersOf(phone), phone).to.have.length(1);
    const group = { type: 'text', text: { body: 'to my friends' }, group_id: 'G1' };
    const signed = signedInbound(demo.channel, now, 'wamid.group', group);
    expect((await fetch(demo.channel.webhookUrl, { method: 'POST', ...signed })).status).to.equal(200);
    const asideOf = (): string =>
      JSON.stringify(json('history', 'store', demo.store.workspaceId, '--type', 'UpdateSetAside'));
    expect(asideOf(), 'what no conversation takes').to.include('to my friends');
    expect(doneBy('+525512345678').map(({ type }) => type)).to.include('MessageReceived');
    const nowhere = { ...demo.channel, phoneNumberId: '999' };
    const lost = signedInbound(nowhere, now, 'wamid.nowhere', { type: 'text', text: { body: 'who has this number?' } });
    expect((await fetch(demo.channel.webhookUrl, { method: 'POST', ...lost })).status).to.equal(200);
    const unknown = (): string =>
      JSON.stringify(json('query', "select * from events where type = 'UpdateOfUnknownNumberSetAside'"));
    expect(unknown(), 'what came for a number of no store').to.include('who has this number?');
    const { persons } = json('admin', 'forget', '--phone', '+525587654321');
    expect(persons).to.have.length(2);
    for (const text of [asideOf(), unknown()])
      expect(text).not.to.match(/to my friends|who has this number|5587654321/);
    await until('no customer is named', async () => {
      const text = await shown();
      return ['Ximena', 'my new number', before, now].every((value) => !text.includes(value));
    });
    for (const phone of [before, now, '+525512345678', '+525587654321']) {
      expect(await ordersOf(phone), phone).to.deep.equal([]);
      expect(suuq('admin', 'forget', '--phone', phone).stderr, phone).to.match(
        /^not_found: No data subject with the number /,
      );
    }
  });
});
