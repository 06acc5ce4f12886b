/** `suuq admin export-person` at a running service: all data of one customer, and no data of others. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Customer } from '../../cli/demo/customer.js';
import { createClient } from '../../client/src/index.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';
import { FAADUMO, playStory } from '../support/privacy/story.js';
import { commandLine } from '../support/stages/commandLine.js';
import { until } from '../support/tools/until.js';

const HERS = `+${FAADUMO.phone}`;
const HIS = '+252615554444';
const QUESTION = 'Have you got hats for men?';

interface Entry {
  readonly kind: string;
  readonly workspaceId: string;
  // biome-ignore lint/suspicious/noExplicitAny: entries of any kind
  readonly of: any;
}

describe("an export of a customer's data", function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-export-');
  const place = (name: string): string => join(folder.path, name);
  const { suuq, json } = commandLine(folder.path);
  let service: ServiceProcess;
  let demo: Demo;
  let target: Receiver;
  let other: string;
  let entries: readonly Entry[];

  const refused = (...args: readonly string[]): string => {
    const { status, stderr } = suuq('admin', 'export-person', ...args);
    expect(status).to.equal(1);
    return stderr.split('\n')[0]!;
  };
  const linesOf = (name: string): Entry[] =>
    readFileSync(place(name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    target = await receiver();
    await playStory(service.baseUrl, demo, target);
    const partner = createClient({ baseUrl: service.baseUrl, credential: demo.partner.secretKey });
    ({ workspaceId: other } = await partner.createPartnerStore({
      body: {
        externalRef: 'other-store',
        name: 'Another store',
        owner: { email: 'other@example.com', name: 'Other Owner' },
        country: 'SO',
        timezone: 'Africa/Mogadishu',
        locale: 'en',
      },
    }));
    const list = { name: 'Neighbours', kind: 'uploaded', phones: [HERS, HIS] } as const;
    await partner.createNumberList({ workspaceId: other, body: list });
    const him = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, HIS.slice(1), 'Ismail');
    await him.send({ text: QUESTION });
    await until('his message is there', async () =>
      (await partner.listConversations({ workspaceId: demo.store.workspaceId })).conversations.some(
        ({ contact }) => contact.phone === HIS,
      ),
    );
    mkdirSync(place('given'));
    json('admin', 'export-person', '--phone', HERS, '--out', place('hers.jsonl'), '--files', place('given'));
    entries = linesOf('hers.jsonl');
  });
  after(async () => {
    await service?.stop();
    await target?.close();
    folder.remove();
  });

  const of = (kind: string, workspaceId = demo.store.workspaceId) =>
    entries.filter((one) => one.kind === kind && one.workspaceId === workspaceId).map((one) => one.of);

  it('contains everything she wrote, received, ordered and paid', () => {
    const text = readFileSync(place('hers.jsonl'), 'utf8');
    expect(Object.entries(FAADUMO).filter(([, value]) => !text.includes(String(value)))).to.deep.equal([]);
    expect(of('contact').map(({ phone, contact }) => [phone, contact.name])).to.deep.equal([
      [HERS, FAADUMO.channelName],
    ]);
    expect(of('order').map(({ number, customerName }) => [number, customerName])).to.deep.equal([
      [2, FAADUMO.channelName],
      [1, FAADUMO.name],
    ]);
    expect(of('message').map(({ text }) => text)).to.include.members([FAADUMO.question, FAADUMO.answer]);
    expect(of('numberList').map(({ name }) => name)).to.deep.equal(['Best customers']);
    expect(of('promotionUse')).to.have.length(1);
    expect(of('event').map(({ type }) => type)).to.include.members([
      'CustomerKnown',
      'ConversationStarted',
      'OrderPlaced',
      'OrderCheckedOut',
      'PaymentPromptAllowed',
      'PersonDataExported',
    ]);
  });

  it('contains the recipients of events', () => {
    const sent = of('webhookDelivery');
    expect([...new Set(sent.map(({ url }) => url))]).to.deep.equal([target.url]);
    expect(sent.map(({ eventType }) => eventType)).to.include.members(['order.created', 'message.received']);
  });

  it('contains nothing of another customer', () => {
    const text = readFileSync(place('hers.jsonl'), 'utf8');
    for (const his of [HIS.slice(1), 'Ismail', QUESTION]) expect(text).not.to.include(his);
    json('admin', 'export-person', '--phone', HIS, '--out', place('his.jsonl'));
    const his = readFileSync(place('his.jsonl'), 'utf8');
    expect(his).to.include(QUESTION);
    // The export does not contain the operator's account either.
    expect(text).not.to.include(`"operator":"${userInfo().username}"`);
    for (const hers of [FAADUMO.phone, FAADUMO.channelName, FAADUMO.question]) expect(his).not.to.include(hers);
  });

  it('covers all stores, or one', () => {
    expect(of('numberList', other).map(({ name }) => name)).to.deep.equal(['Neighbours']);
    const { stores, entries: alone } = json('admin', 'export-person', '--phone', HERS, '--workspace', other);
    expect(stores).to.deep.equal([other]);
    expect(alone.map(({ kind }: Entry) => kind)).to.deep.equal(['contact', 'numberList', 'event', 'event']);
  });

  it('contains files unchanged, under safe names', () => {
    const ids = of('file').map(({ id }) => id);
    expect(readdirSync(place('given')).sort()).to.deep.equal(
      of('file')
        .map(({ id, name }) => `${id}${name.slice(name.lastIndexOf('.'))}`)
        .sort(),
    );
    expect(ids).to.have.length(2);
    expect(of('file').map(({ name }) => name)).to.include(FAADUMO.filename);
  });

  it('is readable by its owner only, and never overwrites a file', () => {
    expect(statSync(place('hers.jsonl')).mode & 0o777).to.equal(0o600);
    expect(refused('--phone', HERS, '--out', place('hers.jsonl'))).to.match(/^file_not_writable: .* \(EEXIST\)/);
    expect(refused('--phone', HERS, '--out', place('nowhere/hers.jsonl'))).to.match(
      /^file_not_writable: .* \(ENOENT\)/,
    );
  });

  it('is recorded before it is returned, with the requesting account', () => {
    const { events } = json('history', 'store', other, '--type', 'PersonDataExported');
    expect(events).to.have.length.above(1);
    const account = userInfo().username;
    for (const { actor } of events) expect(actor.name).to.equal(`The operator (${account})`);
    // If the output file cannot be written, nothing is read or recorded.
    const before = events.length;
    refused('--phone', HERS, '--workspace', other, '--out', place('hers.jsonl'));
    expect(json('history', 'store', other, '--type', 'PersonDataExported').events).to.have.length(before);
  });

  it('reports that the number has also belonged to another customer', async () => {
    const phone = '252615557777';
    const shared = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, phone, 'Before');
    const exported = () => json('admin', 'export-person', '--phone', `+${phone}`);
    await shared.send({ userId: 'SO.1', text: 'This is my number.' });
    await until(
      'the first customer is known',
      async () => suuq('admin', 'export-person', '--phone', `+${phone}`).status === 0,
    );
    expect(exported().changedHands).to.deep.equal([]);
    await shared.send({ userId: 'SO.2', name: 'After', text: 'Now it is mine.' });
    await until('the second customer has it', async () => exported().changedHands.length === 1);
    expect(suuq('admin', 'export-person', '--phone', `+${phone}`).stdout).to.match(
      /The number changed hands at .*\. Older data may belong to its previous owner\./,
    );
  });

  it('is one response while it fits, and a file beyond that', async () => {
    const text = 'x'.repeat(4000);
    const messages = Array.from({ length: 500 }, () => ({ customer: HIS.slice(1), text }));
    const deliveries = `${demo.sandbox.baseUrl}/sandbox/numbers/${demo.channel.phoneNumberId}/deliveries`;
    for (let time = 0; time < 3; time += 1) {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch(deliveries, { method: 'POST', headers, body: JSON.stringify({ messages }) });
      expect(sent.status).to.equal(200);
    }
    await until('they are too many for one response', async () => {
      const { stderr } = suuq('admin', 'export-person', '--phone', HIS, '--json');
      return stderr.includes('export_too_large');
    });
    const { counts } = json('admin', 'export-person', '--phone', HIS, '--out', place('long.jsonl'));
    expect(counts.message).to.be.above(1000);
    expect(statSync(place('long.jsonl')).size).to.be.above(8 * 1024 * 1024);
  });

  it('is rejected for an unknown customer, an invalid number, and an unknown store', () => {
    expect(refused('--phone', '+252619999999')).to.equal(
      'not_found: No store has data of a data subject with the number +252619999999.',
    );
    expect(refused('--phone', '+252619999999', '--workspace', other)).to.equal(
      'not_found: The store has no data of a data subject with the number +252619999999.',
    );
    expect(refused('--phone', 'hello')).to.match(/^validation_failed: /);
    expect(refused('--phone', HERS, '--workspace', 'nowhere')).to.equal('not_found: There is no store nowhere.');
  });
});
