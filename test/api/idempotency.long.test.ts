import { expect } from 'chai';
import fc from 'fast-check';
import type { Refusal } from '../../api/contract/problems.js';
import { entryId, eraseAnswers, Idempotency, idempotencyKeys } from '../../api/http/idempotency/idempotency.js';
import { type IdempotencyLimits, idempotencyUse } from '../../api/http/idempotency/idempotencyUse.js';
import { DomainError } from '../../domain/decider.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { fakeClock, unset } from '../support/doubles/fakeClock.js';
import { ALPHA, keys, testServices } from '../support/doubles/fakeServices.js';
import { type SampleApi, type Sent, send, startSampleApi } from '../support/stages/sampleApi.js';

const HOUR = 3600_000;

describe('Idempotency-Key', () => {
  let api: SampleApi;
  const create = (idempotencyKey: string, body: unknown = { title: 'Milk' }, key = keys.alpha): Promise<Sent> =>
    send(`${api.url}/api/v1/workspaces/${ALPHA}/notes`, 'POST', {
      key,
      body,
      headers: { 'idempotency-key': idempotencyKey },
    });
  const replayed = (sent: Sent): boolean => sent.headers.get('idempotent-replayed') === 'true';

  beforeEach(async () => {
    api = await startSampleApi();
  });
  afterEach(() => api.close());

  it('the same request is answered as the first time and runs once', async () => {
    const first = await create('k');
    const again = await create('k', { title: 'Milk' });
    expect([first.status, again.status, replayed(first), replayed(again)]).to.deep.equal([201, 201, false, true]);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('content-type')).to.equal('application/json');
    expect(api.stage.runs).to.equal(1);
  });

  it('compares the meaning of requests, not their spelling', async () => {
    const first = await create('k', '{"title":"Milk","stock":1}');
    const again = await create('k', '{ "stock": 1, "title": "M\\u0069lk", "kind": "plain" }');
    expect([again.text, replayed(again)]).to.deep.equal([first.text, true]);
  });

  it('another request with the key is rejected', async () => {
    await create('k');
    const other = await create('k', { title: 'Bread' });
    expect([other.status, other.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('belongs to the caller', async () => {
    await create('k');
    const other = await create('k', { title: 'Bread' }, keys.partner);
    expect([other.status, replayed(other)]).to.deep.equal([201, false]);
  });

  it('is 1 to 255 visible ASCII characters', async () => {
    for (const bad of ['', 'has space', 'x'.repeat(256), 'caf\u00e9'])
      expect((await create(bad)).body.errors[0].location, bad).to.equal('header.Idempotency-Key');
    expect((await create('~'.repeat(255))).status).to.equal(201);
  });

  it('while the first request runs, the second is asked to wait', async () => {
    let open = (): void => undefined;
    api.stage.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = create('k');
    while (api.stage.runs === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await create('k');
    expect([second.status, second.body.code]).to.deep.equal([409, 'idempotency_in_flight']);
    expect(second.headers.get('retry-after')).to.equal('1');
    // A long-running request renews its lease.
    await api.clock.advance(5 * 60_000);
    expect((await create('k')).body.code).to.equal('idempotency_in_flight');
    open();
    expect((await first).status).to.equal(201);
    expect(replayed(await create('k'))).to.equal(true);
  });

  it('compares the meaning also if the body is large and parsed in another thread', async () => {
    const first = await create('k', '{"title":"Milk","stock":1}');
    const again = await create('k', `{ "stock": 1,${' '.repeat(20_000)}"title": "M\\u0069lk" }`);
    expect([again.text, replayed(again)]).to.deep.equal([first.text, true]);
    const other = await create('k', `{ "stock": 2,${' '.repeat(20_000)}"title": "Milk" }`);
    expect([other.status, other.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('is stored for 24 hours', async () => {
    const first = await create('k');
    await api.clock.advance(24 * HOUR - 1);
    expect((await create('k')).text).to.equal(first.text);
    await api.clock.advance(1);
    const later = await create('k');
    expect([later.status, replayed(later)]).to.deep.equal([201, false]);
    expect(later.body.id, 'a new request makes a new note').not.to.equal(first.body.id);
  });

  it('stores errors of the operation, but not earlier ones', async () => {
    api.stage.fault = new DomainError('name_taken', 'The name is taken.');
    const refused = await create('k');
    api.stage.fault = undefined;
    const again = await create('k');
    expect([again.status, again.text, replayed(again)]).to.deep.equal([409, refused.text, true]);
    expect(again.headers.get('content-type')).to.equal('application/problem+json');
    const { requestId } = JSON.parse(refused.text);
    expect([refused, again].map(({ headers }) => headers.get('x-request-id'))).to.deep.equal([requestId, requestId]);
    expect(again.headers.get('idempotent-replay-request-id'))
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(requestId);
    expect((await create('v', { title: '' })).status).to.equal(422);
    expect((await create('v')).status).to.equal(201);
  });

  for (const fault of [new Error('bug'), new StoreUnavailable('down'), new DomainError('concurrent_change', 'Busy.')])
    it(`is released by ${fault.message}, and the retried request creates the same ids`, async () => {
      api.stage.fault = fault;
      expect((await create('k')).status).to.be.oneOf([500, 503, 409]);
      api.stage.fault = undefined;
      const retried = await create('k');
      expect([retried.status, replayed(retried)]).to.deep.equal([201, false]);
      expect(new Set(api.stage.ids).size).to.equal(1);
    });

  it('is released for another request too, with its own ids', async () => {
    api.stage.fault = new Error('bug');
    await create('k');
    api.stage.fault = undefined;
    expect((await create('k', { title: 'Bread' })).status).to.equal(201);
    expect(new Set(api.stage.ids).size).to.equal(2);
  });

  it('never replays a secret', async () => {
    const make = () =>
      send(`${api.url}/api/v1/workspaces/${ALPHA}/secrets`, 'POST', {
        key: keys.alpha,
        headers: { 'idempotency-key': 'k' },
      });
    const first = await make();
    const again = await make();
    expect(first.body.secret).to.equal('whsec_abcdef');
    expect([again.status, again.body]).to.deep.equal([201, { id: first.body.id }]);
    const [retained] = await api.services.work.find(idempotencyKeys.name, { limit: 1 });
    expect(retained!.json).not.to.include('whsec_');
  });

  for (const renewals of [0, 3])
    it(`stores only the status of a request during which a customer was erased, after ${renewals} renewals of its lease`, async () => {
      const other = await create('other');
      let open = (): void => undefined;
      api.stage.gate = new Promise((resolve) => {
        open = resolve;
      });
      const runs = api.stage.runs;
      const first = create('k', { title: 'Of Asha' });
      while (api.stage.runs === runs) await new Promise((resolve) => setImmediate(resolve));
      const { work } = api.services;
      // At this point the request may have read the customer's data.
      await eraseAnswers(work, (json) => json.includes('Asha'));
      for (let count = 0; count < renewals; count += 1) await api.clock.advance(20_000);
      open();
      const answered = await first;
      expect([answered.status, answered.body.title]).to.deep.equal([201, 'Of Asha']);
      const stored = await work.find(idempotencyKeys.name, { limit: 10 });
      expect(stored).to.have.lengthOf(2);
      expect(stored.filter(({ json }) => json.includes('Asha'))).to.deep.equal([]);
      const again = await create('k', { title: 'Of Asha' });
      expect([again.status, replayed(again), again.text]).to.deep.equal([201, true, '']);
      expect((await create('other')).text).to.equal(other.text);
      expect(api.stage.runs).to.equal(runs + 1);
    });

  it('old entries are removed in the background', async () => {
    await create('k');
    await api.clock.advance(25 * HOUR);
    expect(await api.services.work.count(idempotencyKeys.name, {}, 10)).to.equal(0);
  });

  it('concurrent identical requests run once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 8 }), fc.uuid(), async (count, key) => {
        const before = api.stage.runs;
        const sent = await Promise.all(Array.from({ length: count }, () => create(key)));
        expect(api.stage.runs - before).to.equal(1);
        for (const { status, body } of sent)
          expect([status, body.code]).to.be.deep.oneOf([
            [201, undefined],
            [409, 'idempotency_in_flight'],
          ]);
      }),
      { numRuns: 15, seed: 3 },
    );
  });
});

describe('Idempotency-Keys of one caller', () => {
  const clock = fakeClock();
  let work: DocumentStore;
  let close: () => Promise<void>;
  let idempotency: Idempotency;
  const limited = async (limits: IdempotencyLimits): Promise<Idempotency> => {
    idempotency = new Idempotency(work, clock, limits);
    await idempotency.start();
    return idempotency;
  };
  /** Returns the outcome of a new request of the caller with this key. */
  const request = async (key: string, caller = 'a', body = 'x'): Promise<string> => {
    try {
      const started = await idempotency.begin(entryId(caller, 'createNote', key), 'same', caller);
      if ('replay' in started) return 'replayed';
      await started.run.store({ status: 201, body });
      return 'ran';
    } catch (error) {
      return (error as DomainError).code;
    }
  };

  beforeEach(async () => {
    const test = await testServices(clock);
    work = test.services.work;
    close = test.close;
  });
  afterEach(async () => {
    await idempotency.stop();
    await close();
  });

  it('are limited in 24 hours; then new ones are rejected, old ones replayed, and others’ accepted', async () => {
    await limited({ keys: 3, bytes: 1e9 });
    expect([await request('1'), await request('2'), await request('3')]).to.deep.equal(['ran', 'ran', 'ran']);
    expect([await request('4'), await request('2'), await request('4', 'b')]).to.deep.equal([
      'rate_limited',
      'replayed',
      'ran',
    ]);
    const refusal = await idempotency.begin('new', 'same', 'a').catch((error) => error as Refusal);
    expect((refusal as Refusal).headers).to.deep.equal({ 'Retry-After': '3600' });
    await clock.advance(23 * HOUR);
    expect(await request('5')).to.equal('rate_limited');
    await clock.advance(2 * HOUR);
    expect(await request('5')).to.equal('ran');
  });

  it('are limited in bytes', async () => {
    await limited({ keys: 1000, bytes: 100_000 });
    expect(await request('1', 'a', 'x'.repeat(50_000))).to.equal('ran');
    expect(await request('2', 'a', 'x'.repeat(50_000))).to.equal('ran');
    expect([await request('3'), await request('1')]).to.deep.equal(['rate_limited', 'replayed']);
  });

  it('are counted across restarts, and across instances within a minute', async () => {
    await limited({ keys: 2, bytes: 1e9 });
    await request('1');
    await idempotency.stop();
    const second = await limited({ keys: 2, bytes: 1e9 });
    await request('2');
    expect(await request('3')).to.equal('rate_limited');
    const third = await limited({ keys: 4, bytes: 1e9 });
    expect([await request('3'), await request('4')]).to.deep.equal(['ran', 'ran']);
    await clock.advance(61_000);
    expect(await request('5'), 'what the second did is seen').to.equal('rate_limited');
    expect(await work.count(idempotencyUse.name, {}, 10)).to.equal(1);
    await Promise.all([second.stop(), third.stop()]);
  });
});

describe('Idempotency-Keys of a dead instance', () => {
  const clock = fakeClock();
  let work: DocumentStore;
  let close: () => Promise<void>;
  const started = async (): Promise<Idempotency> => {
    const idempotency = new Idempotency(work, clock);
    await idempotency.start();
    return idempotency;
  };
  const seedOf = async (idempotency: Idempotency): Promise<string> => {
    const started = await idempotency.begin('entry', 'same', 'caller');
    if (!('run' in started)) throw new Error('was replayed');
    return started.run.seed;
  };
  /** Begins a request and never renews its lease, as after a crash. */
  const crashed = async (): Promise<string> => {
    const dead = new Idempotency(work, unset({ now: () => clock.now(), at: () => () => undefined }));
    return seedOf(dead);
  };

  beforeEach(async () => {
    const test = await testServices(clock);
    work = test.services.work;
    close = test.close;
  });
  afterEach(() => close());

  it('run again with the same ids if the data has only one user', async () => {
    await work.open(idempotencyKeys);
    const seed = await crashed();
    const next = await started();
    await next.releaseAll();
    expect(await seedOf(next)).to.equal(seed);
    next.stop();
  });

  it('run again with the same ids when the lease has expired', async () => {
    await work.open(idempotencyKeys);
    const seed = await crashed();
    const other = await started();
    const refused = await other.begin('entry', 'same', 'caller').catch((error) => error.code);
    expect(refused).to.equal('idempotency_in_flight');
    await clock.advance(61_000);
    expect(await seedOf(other)).to.equal(seed);
    other.stop();
  });
});
