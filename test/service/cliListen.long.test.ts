/** The first webhook on a laptop: `suuq listen` and `suuq trigger` against a service with default settings. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../domain/webhooks/eventTypes.js';
import {
  type Demo,
  EMBEDDED,
  readDemo,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { eventOf, type Receiver, receiver, verifies } from '../support/doubles/receiver.js';
import { commandLine, suuqConcurrently } from '../support/stages/commandLine.js';
import { until } from '../support/tools/until.js';

interface Line {
  readonly listening?: string;
  readonly endpoint?: string;
  readonly secret?: string;
  readonly answered?: number;
  readonly reason?: string;
  readonly took?: number;
  readonly attempt?: number;
  readonly event?: { readonly id: string; readonly type: string };
  readonly received?: number;
  readonly removed?: boolean;
}

describe('listening on a laptop', () => {
  const folder = temporaryFolder('suuq-listen-');
  /** Resets the permission for loopback addresses that the services of other tests have. */
  const DEFAULT = { SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '' };
  const env = { ...process.env, ...EMBEDDED, SUUQ_DATA: folder.path, XDG_CONFIG_HOME: folder.path };
  const { suuq, json } = commandLine(folder.path);
  let service: ServiceProcess;
  let demo: Demo;
  let target: Receiver;
  const children: ChildProcess[] = [];

  before(async () => {
    service = await startService(folder.path, DEFAULT);
    demo = readDemo(folder.path);
  });
  beforeEach(async () => {
    target = await receiver();
  });
  afterEach(async () => {
    for (const child of children.splice(0))
      if (child.exitCode === null && child.signalCode === null) await ended(child, 'SIGTERM');
    await target.close();
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    const over = once(child, 'close');
    child.kill(signal);
    const [status] = (await over) as [number | null];
    return status;
  }

  /** Resolves when the listener is ready. */
  async function listening(
    ...words: string[]
  ): Promise<{ child: ChildProcess; lines: () => readonly Line[]; first: Line }> {
    const child = spawn(process.execPath, [suuqCommand, 'listen', '--json', ...words], { env });
    children.push(child);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    const lines = () =>
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line);
    await until('it listens', () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${err}`);
      return out.includes('\n');
    });
    return { child, lines, first: lines()[0]! };
  }

  const endpoints = (): readonly { id: string }[] => json('api', 'listPartnerWebhookEndpoints').endpoints;
  const notify = (lines: readonly Line[], type: string) => lines.filter(({ event }) => event?.type === type);

  it('delivers events to a program, signed, and leaves no endpoint behind', async () => {
    const { child, lines, first } = await listening('--forward-to', target.url, '--events', 'order.*');
    expect(endpoints().map(({ id }) => id)).to.deep.equal([first.endpoint]);
    const made = json('trigger', 'order.paid', '--set', 'amount=4200');
    expect(made).to.deep.include({ type: 'order.paid', status: 'paid', totalCents: 4200 });
    await until('it is delivered', () => notify(lines(), 'order.paid').length > 0);
    const got = target.received.find((one) => eventOf(one).type === 'order.paid')!;
    expect(verifies(first.secret!, got)).to.equal(true);
    expect((eventOf(got).data.order as { id: string }).id).to.equal(made.orderId);
    expect(target.received.every((one) => eventOf(one).type.startsWith('order.'))).to.equal(true);
    expect(notify(lines(), 'order.paid')[0]).to.deep.include({ answered: 204, attempt: 1 });
    expect(await ended(child, 'SIGINT')).to.equal(0);
    expect(lines().at(-1)).to.deep.include({ removed: true });
    expect(endpoints()).to.deep.equal([]);
  });

  it('continues while its program is down: the delivery fails and is retried', async () => {
    const { port } = target;
    await target.close();
    const { lines } = await listening('--forward-to', `http://127.0.0.1:${port}/hook`, '--events', 'message.received');
    json('trigger', 'message.received');
    await until('it is delivered', () => lines().length > 1);
    expect(lines()[1]).to.deep.include({ answered: 502, reason: 'connection refused: no program listens there' });
    const { deliveries } = json('api', 'listPartnerWebhookDeliveries', '-q', `endpointId=${lines()[0]!.endpoint}`);
    expect(deliveries[0]).to.deep.include({ status: 'failed', responseCode: 502 });
    expect(deliveries[0].nextRetryAt).to.be.a('string');
    target = await receiver();
  });

  it('produces every real event type', async () => {
    const { lines } = await listening('--forward-to', target.url);
    const all = Object.keys(EVENT_TYPES);
    const ofOrders = all.filter((type) => type.startsWith('order.'));
    const others = all.filter((type) => !ofOrders.includes(type));
    const ran = await Promise.all(others.map((type) => suuqConcurrently(folder.path, ['trigger', type])));
    for (const { status, stderr } of ran) expect(status, stderr).to.equal(0);
    for (const type of ofOrders) json('trigger', type);
    for (const type of all) await until(type, () => notify(lines(), type).length > 0);
    const moved = json('trigger', 'order.status_changed', '--set', 'status=delivered');
    expect(moved.status).to.equal('delivered');
  });

  it('removes what a killed listener left behind, and no other', async () => {
    const first = await listening();
    const second = await listening();
    await ended(first.child, 'SIGKILL');
    expect(endpoints()).to.have.lengthOf(2);
    const third = await listening();
    expect(endpoints().map(({ id }) => id)).to.have.members([second.first.endpoint, third.first.endpoint]);
    expect(await ended(second.child, 'SIGTERM')).to.equal(0);
    expect(endpoints().map(({ id }) => id)).to.deep.equal([third.first.endpoint]);
  });

  it('ends cleanly when its output is closed', async () => {
    const { child, first } = await listening();
    child.stdout!.destroy();
    const over = once(child, 'close');
    await until('it is delivered', () => {
      suuq('trigger', 'message.received');
      return child.exitCode !== null;
    });
    expect(await over).to.deep.equal([0, null]);
    expect(endpoints().map(({ id }) => id)).to.not.include(first.endpoint);
  });

  it('opens no other address of this machine, to nobody', async () => {
    const { first } = await listening();
    const request = (url: string) =>
      suuq('api', 'createPartnerWebhookEndpoint', '--json', '-d', JSON.stringify({ url, events: ['order.paid'] }));
    for (const url of [target.url, new URL('/', first.listening).href]) {
      const { status, stderr } = request(url);
      expect([status, JSON.parse(stderr).error.code], url).to.deep.equal([1, 'validation_failed']);
    }
  });

  it('receives events of its own stores only', async () => {
    const other = json('admin', 'partners', 'create', '--name', 'Other', '--slug', 'other', '--plan', 'demo');
    const theirs = await listening('--partner', other.id);
    const ours = await listening('--store', demo.store.workspaceId);
    json('trigger', 'call.missed');
    await until('it is delivered', () => notify(ours.lines(), 'call.missed').length > 0);
    expect(theirs.lines()).to.have.lengthOf(1);
    const without = suuq('listen');
    expect([without.status, without.stderr.includes('--store or --partner is missing')]).to.deep.equal([2, true]);
    expect(suuq('listen', '--store', 'none').stderr).to.match(/^not_found: There is no store none/);
  });

  it('continues after a restart of the service', async () => {
    const { lines } = await listening('--store', demo.store.workspaceId, '--events', 'message.received');
    await service.kill();
    service = await startService(folder.path, DEFAULT);
    json('trigger', 'message.received');
    await until('it is delivered', () => notify(lines(), 'message.received').length > 0);
  });

  it('reports that no service runs', async () => {
    await service.stop();
    for (const words of [['listen'], ['trigger', 'order.paid'], ['open', 'console']]) {
      const { status, stderr } = suuq(...words);
      expect([status, /^(not_running|no_profile): /.test(stderr)], stderr).to.deep.equal([1, true]);
    }
  });
});
