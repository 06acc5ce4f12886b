/** Real threads that make list pages, concurrently and in the whole service. */
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PageTask } from '../../api/http/pageMakers.js';
import { operations } from '../../api/operations/index.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { products } from '../../projections/products.js';
import { PageThreads, type PageThreadsOptions } from '../../service/composition/threads/pageThreads.js';
import { isList } from '../support/conformance/pages.js';
import { madeParams } from '../support/conformance/samples.js';
import { type ConformanceStage, conformanceStage, operationNamed, product } from '../support/conformance/stage.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { openStage, type Stage } from '../support/stages/stage.js';
import { until } from '../support/tools/until.js';

const ASHA = '5f0c7a9e-1111-4000-8000-000000000001';
const task = (operation = 'listProducts'): PageTask => ({
  operation,
  params: { workspaceId: ASHA },
  query: { limit: 50 },
  workspace: { workspaceId: ASHA, name: 'Asha', status: 'active', country: 'SO', timezone: 'UTC', locale: 'en' },
  partner: undefined,
  member: undefined,
});
const DEAF = new URL('../support/threads/deafPageThread.js', import.meta.url);

describe('threads that build pages', () => {
  let stage: Stage;
  let clock: FakeClock;
  let reported: string[];
  let threads: PageThreads | undefined;

  before(async () => {
    stage = await openStage('page-threads', { projections: [products, catalogStatus] });
  });
  after(() => stage.close());
  beforeEach(() => {
    clock = fakeClock();
    reported = [];
  });
  afterEach(() => threads?.stop());

  function open(more: Partial<PageThreadsOptions> = {}): PageThreads {
    const report = (_: object, message: string) => void reported.push(message);
    threads = new PageThreads({
      file: join(stage.folder, 'views.db'),
      masterKeys: [Buffer.alloc(32, 7)],
      ...{ threads: 2, from: 0, clock },
      log: { debug: report, info: report, warn: report, error: report, isLevelEnabled: () => true },
      ...more,
    });
    return threads;
  }
  const taken = (pages: PageThreads): Promise<void> =>
    until('one accepts pages', () => {
      const making = pages.make(task());
      return making !== undefined;
    });

  it('start when many pages are requested in a second, and build them', async () => {
    const pages = open({ from: 3 });
    for (const _ of [1, 2]) {
      expect(pages.make(task())).to.equal(undefined);
      expect(pages.workers).to.have.length(0);
    }
    pages.make(task());
    expect(pages.workers).to.have.length(2);
    await taken(pages);
    const made = await pages.make(task());
    expect(made).to.be.an('object').with.property('projections').deep.equal(['products', 'catalogStatus']);
    expect(JSON.parse((made as { bytes: Buffer }).bytes.toString()).products).to.deep.equal([]);
    expect(await pages.make({ ...task(), query: { limit: 50, cursor: 'bad' } })).to.equal(undefined);
    expect(reported).to.deep.equal([]);
  });

  it('are restarted when one stops, and waiting requests are notified', async () => {
    const pages = open({ threads: 1, entry: DEAF });
    await taken(pages);
    const [first] = pages.workers;
    const waiting = [pages.make(task()), pages.make(task('listEnds'))];
    expect(await Promise.all(waiting)).to.deep.equal([undefined, undefined]);
    await until('it is reported', () => reported.length > 0);
    expect(reported).to.deep.equal(['page thread ended, restarting']);
    expect([pages.workers.length, pages.make(task())]).to.deep.equal([0, undefined]);
    await clock.advance(200);
    expect(pages.workers).to.have.length(1).and.not.include(first);
    await taken(pages);
  });

  it('are not awaited when they hang, and get no more work', async () => {
    const pages = open({ threads: 1, entry: DEAF });
    await taken(pages);
    const waiting = pages.make(task());
    await clock.advance(4000);
    expect(await Promise.race([waiting, 'waits'])).to.equal('waits');
    await clock.advance(3000);
    expect(await waiting).to.equal(undefined);
    expect(reported).to.deep.equal(['page thread stuck, skipping it until it answers']);
    expect(pages.make(task())).to.equal(undefined);
  });

  it('accept a limited number at once', async () => {
    const pages = open({ threads: 2, entry: DEAF });
    let made = 0;
    await until('both accept pages', () => {
      while (pages.make(task()) !== undefined) made += 1;
      return made === 64;
    });
  });

  it('complete started pages before they stop', async () => {
    const pages = open({ threads: 1 });
    await taken(pages);
    const making = Array.from({ length: 10 }, () => pages.make(task()));
    await new Promise((resolve) => setImmediate(resolve));
    await pages.stop();
    expect((await Promise.all(making)).map((made) => typeof made)).to.deep.equal(Array(10).fill('object'));
    expect(pages.make(task())).to.equal(undefined);
  });
});

describe('a service whose lists are built by other threads', () => {
  let stage: ConformanceStage;
  let requested = 0;

  before(async () => {
    stage = await conformanceStage({ SUUQ_THREADS: '2' });
    await started();
    await stage.call(operationNamed(operations, 'upsertProduct'), { params: { externalId: 'shirt' }, body: product() });
  });
  after(() => stage.close());

  /** Waits until a thread makes pages. Until then the main thread makes them. */
  async function started(): Promise<void> {
    const list = operationNamed(operations, 'listProducts');
    const key = await newKey();
    await stage.call(list, { key });
    const before = await busy();
    await until('a thread builds pages', async () => {
      await stage.call(list, { key, query: { asked: ++requested } });
      return (await busy()) > before + 0.001;
    });
  }
  const newKey = async (): Promise<string> => {
    const { key } = await stage.operator('keys.create', {
      workspace: stage.main.store.workspaceId,
      mode: 'test',
      scopes: ['commerce:manage', 'orders:view'],
    });
    return key;
  };
  /** Returns the seconds that threads have spent on pages. */
  const busy = async (): Promise<number> => {
    const text = await (await fetch(`${stage.baseUrl}/metrics`)).text();
    return Number(/^suuq_thread_busy_seconds_total\{thread="pages"\} (\S+)/m.exec(text)?.[1] ?? 0);
  };
  function send(agent: Agent, method: string, path: string, key: string, body?: object) {
    const place = `${stage.baseUrl}/api/v1/workspaces/${stage.main.store.workspaceId}/commerce${path}`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(place, { agent, method, headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode!, text }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  const lists = operations.filter((one) => one.scope !== null && one.tag !== 'History' && isList(one));
  for (const operation of lists)
    it(`answers ${operation.id} the same from every thread`, async () => {
      const params = await madeParams(stage, operation);
      const page = () => stage.call(operation, { params, query: { asked: ++requested } });
      // Background changes, such as a product's push, may happen between two pages.
      await until('three pages are equal', async () => {
        const [first, ...others] = [await page(), await page(), await page()];
        expect(first!.status, first!.text).to.equal(200);
        return others.every(({ text }) => text === first!.text);
      });
    });

  it('shows at once over one connection what was changed over another', async () => {
    const [writing, reading] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    const key = await newKey();
    for (let i = 0; i < 40; i++) {
      const name = `Changed ${i}`;
      const put = await send(writing, 'PUT', '/products/changed', key, product({ name }));
      expect(put.status, put.text).to.be.oneOf([200, 201]);
      const { text } = await send(reading, 'GET', `/products?limit=50&asked=${++requested}`, key);
      expect(text).to.include(`"${name}"`);
    }
    writing.destroy();
    reading.destroy();
  });

  it('rejects a key as soon as it is revoked', async () => {
    const created = await stage.operator('keys.create', {
      workspace: stage.main.store.workspaceId,
      mode: 'test',
      scopes: ['commerce:manage'],
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const lists = () =>
      Promise.all(Array.from({ length: 20 }, () => send(agent, 'GET', `/products?asked=${++requested}`, created.key)));
    expect(new Set((await lists()).map(({ status }) => status))).to.deep.equal(new Set([200]));
    await stage.operator('keys.revoke', { id: created.id });
    expect(new Set((await lists()).map(({ status }) => status))).to.deep.equal(new Set([401]));
    agent.destroy();
  });
});
