import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { RateLimiter } from '../../api/http/rates/rateLimit.js';
import { rateLimits, SharedRates } from '../../api/http/rates/sharedRates.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type FakeClock, fakeClock, until } from '../support/doubles/fakeClock.js';

const QUOTA = 600;
/** Portion of the limit per minute: 5 %. */
const PORTION = 30;
const START = Date.parse('2026-11-21T10:00:00Z');

describe('rate limits across instances', () => {
  const folder = temporaryFolder('suuq-rates-');
  let count = 0;
  let work: DocumentStore;
  let clock: FakeClock;
  const running: SharedRates[] = [];
  let warned: string[] = [];
  const log = {
    warn: (_: object, text: string) => void warned.push(text),
    info: (_: object, text: string) => void warned.push(text),
  } as unknown as ConstructorParameters<typeof SharedRates>[2];

  beforeEach(() => {
    work = openEmbeddedReadModels(join(folder.path, `work-${count++}.db`));
    clock = fakeClock(START);
    warned = [];
  });
  afterEach(async () => {
    for (const rates of running.splice(0)) rates.stop();
    await work.close();
  });
  after(() => folder.remove());

  async function instance(perMinute = QUOTA, on: DocumentStore = work): Promise<RateLimiter> {
    const rates = new SharedRates(on, clock, log);
    running.push(rates);
    await rates.start();
    return rates.limiter('key', perMinute)!;
  }
  const take = async (limiter: RateLimiter, who = 'k1') => (await limiter.take(who, clock.now())).allowed;
  async function allowedOf(limiters: readonly RateLimiter[], requests: number): Promise<number> {
    let allowed = 0;
    for (let i = 0; i < requests; i += 1) if (await take(limiters[i % limiters.length]!)) allowed += 1;
    return allowed;
  }

  it('allow exactly one quota in total', async () => {
    const limiters = [await instance(), await instance(), await instance()];
    expect(await allowedOf(limiters, QUOTA * 2)).to.equal(QUOTA);
    const refused = await limiters[1]!.take('k1', clock.now());
    expect(refused).to.deep.include({ allowed: false, remaining: 0, retrySeconds: 1 });
    expect(await take(limiters[0]!, 'k2'), 'another caller').to.equal(true);
  });

  it('refill evenly', async () => {
    const limiters = [await instance(), await instance()];
    await allowedOf(limiters, QUOTA * 2);
    await clock.advance(6000);
    expect(await allowedOf(limiters, QUOTA)).to.equal(QUOTA / 10);
    await clock.advance(60_000);
    expect(await allowedOf(limiters, QUOTA * 2)).to.equal(QUOTA);
  });

  it('count concurrent requests, and query the store for few of them', async () => {
    let requested = 0;
    const counted = new Proxy(work, {
      get(target, name) {
        if (name === 'get') requested += 1;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const limiters = [await instance(QUOTA, counted), await instance(QUOTA, counted)];
    const all = Array.from({ length: QUOTA * 2 }, (_, i) => take(limiters[i % 2]!));
    const allowed = (await Promise.all(all)).filter(Boolean).length;
    expect(allowed).to.be.within(QUOTA - 2 * PORTION, QUOTA);
    requested = 0;
    await clock.advance(60_000);
    await allowedOf(limiters, QUOTA / 2);
    expect(requested).to.be.at.most(QUOTA / 2 / PORTION + 2);
  });

  it('return unused portions', async () => {
    const [first, second] = [await instance(), await instance()];
    await take(first);
    await clock.advance(11_000);
    await take(first);
    expect(await allowedOf([second], QUOTA * 2), 'all but what the first holds now').to.equal(QUOTA - PORTION);
  });

  it('charge a large request its cost, at most a minute’s, and return what is not counted', async () => {
    const limiters = [await instance(), await instance()];
    const cost = async (n: number, much: number) => (await limiters[n]!.take('k1', clock.now(), much)).allowed;
    expect([await cost(0, 128), await cost(1, 128), await cost(0, 200)]).to.deep.equal([true, true, true]);
    const refused = await limiters[1]!.take('k1', clock.now(), 200);
    expect([refused.allowed, refused.retrySeconds >= 6]).to.deep.equal([false, true]);
    expect(await allowedOf(limiters, QUOTA), 'what is left').to.be.within(QUOTA - 456 - 2 * PORTION, QUOTA - 456);
    limiters[0]!.refund('k1', 5);
    expect(await allowedOf([limiters[0]!], 10)).to.equal(5);
    await clock.advance(120_000);
    expect(await cost(0, 10_000), 'as a whole minute').to.equal(true);
    expect(await cost(1, 1)).to.equal(false);
  });

  it('never allow more per minute than one bucket, plus one portion for each instance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 80 }), fc.nat(9000)), { minLength: 5, maxLength: 25 }),
        async (steps) => {
          const perMinute = 120;
          const limiters = [await instance(perMinute), await instance(perMinute), await instance(perMinute)];
          const who = `caller-${count++}`;
          const passed: number[] = [];
          for (const [which, requests, pause] of steps) {
            await clock.advance(pause);
            for (let i = 0; i < requests; i += 1) if (await take(limiters[which]!, who)) passed.push(clock.now());
          }
          for (const at of passed) {
            const span = passed.filter((other) => other >= at && other < at + 60_000);
            const refilled = ((span.at(-1)! - at) / 60_000) * perMinute;
            expect(span.length).to.be.at.most(perMinute + Math.ceil(refilled) + 3 * Math.ceil(perMinute * 0.05));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are counted by each instance alone while the store is unavailable, and together afterwards', async () => {
    let down = false;
    const failing = new Proxy(work, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown =>
          down ? Promise.reject(new Error('the store is away')) : member.apply(target, args);
      },
    });
    const limiters = [await instance(QUOTA, failing), await instance(QUOTA, failing)];
    down = true;
    expect(await allowedOf(limiters, QUOTA * 4)).to.equal(QUOTA * 2);
    expect(warned).to.have.length(2);
    down = false;
    await clock.advance(1001);
    expect(await allowedOf(limiters, QUOTA * 4)).to.equal(QUOTA);
    expect(warned).to.have.length(4);
  });

  it("remove buckets that are full, and store no caller's name", async () => {
    const limiter = await instance();
    await take(limiter, '203.0.113.9');
    const stored = await work.find(rateLimits.name, { limit: 10 });
    expect(stored).to.have.length(1);
    expect(JSON.stringify(stored)).not.to.include('203.0.113.9');
    await clock.advance(3 * 60_000);
    await until('the bucket is removed', async () => (await work.count(rateLimits.name, {}, 1)) === 0);
  });
});
