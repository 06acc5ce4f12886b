import { expect } from 'chai';
import fc from 'fast-check';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { settle } from '../support/doubles/fakeClock.js';
import { type OwnershipStage, ownershipStage, type TestInstance } from '../support/stages/ownershipStage.js';

const NAMES = ['projection:a', 'projection:b', 'projection:c', 'projection:d'];
const hang = (): Promise<never> => new Promise(() => undefined);

/** Instances that currently believe that they may act on a name. */
const acting = (stage: OwnershipStage, name: string): string[] =>
  stage.instances.filter(({ owned }) => owned.get(name)?.valid()).map((one) => one.name);
const allOwned = (stage: OwnershipStage, names: readonly string[]) => () =>
  names.every((name) => acting(stage, name).length === 1);
const cachedBy = ({ owned }: TestInstance): number => owned.size;

/** Faults of instances. Checks that at most one running instance acts on a name at any moment. */
class Trouble {
  readonly #stage: OwnershipStage;
  readonly #whole = new Map<TestInstance, Pick<DocumentStore, 'replace' | 'insert' | 'find'>>();
  readonly #frozenAt = new Map<TestInstance, number>();
  #time = 0;

  constructor(stage: OwnershipStage) {
    this.#stage = stage;
  }

  async pass(ms: number): Promise<void> {
    for (const end = this.#time + ms; this.#time < end; this.#time += 100) {
      await this.#stage.pass(100);
      const running = this.#stage.instances.filter((one) => one.running);
      for (const name of NAMES)
        expect(running.filter(({ owned }) => owned.get(name)?.valid())).to.have.length.at.most(1);
    }
  }

  freeze(one: TestInstance): void {
    if (one.running) this.#frozenAt.set(one, this.#time);
    one.running = false;
  }

  wake(one: TestInstance): void {
    if (!one.running) one.clock.jump(this.#time - this.#frozenAt.get(one)!);
    one.running = true;
  }

  /** Cuts an instance off from the store. */
  cut(one: TestInstance): void {
    const { replace, insert, find } = one.work;
    if (!this.#whole.has(one)) this.#whole.set(one, { replace, insert, find });
    const away = () => Promise.reject(new StoreUnavailable('cut'));
    Object.assign(one.work, { replace: away, insert: away, find: away });
  }

  mend(one: TestInstance): void {
    Object.assign(one.work, this.#whole.get(one));
  }
}

describe('leases', () => {
  let stage: OwnershipStage;
  beforeEach(async () => {
    stage = await ownershipStage();
  });
  afterEach(() => stage.close());

  it('are all taken at once by a single instance, and renewed', async () => {
    const a = await stage.add('a', NAMES);
    expect(cachedBy(a)).to.equal(4);
    await stage.pass(30_000);
    expect(a.events.filter((what) => !what.startsWith('acquired'))).to.deep.equal([]);
    expect(NAMES.map((name) => a.leases.ownerOf(name))).to.deep.equal(['a', 'a', 'a', 'a']);
  });

  it('cost one write every 1.5 s, however many there are', async () => {
    const a = await stage.add('a', NAMES);
    let writes = 0;
    const { replace, write } = a.work;
    Object.assign(a.work, {
      replace: (...given: Parameters<typeof replace>) => {
        writes++;
        return replace(...given);
      },
      write: (...given: Parameters<typeof write>) => {
        writes++;
        return write(...given);
      },
    });
    await stage.pass(15_000);
    expect(writes).to.be.within(9, 11);
  });

  it('are taken over within 10 s from a dead instance, with higher fences', async () => {
    const a = await stage.add('a', NAMES);
    const before = new Map([...a.owned].map(([name, { fence }]) => [name, fence]));
    a.running = false;
    const b = await stage.add('b', NAMES);
    expect(cachedBy(b)).to.equal(0);
    const took = await stage.passUntil('b owns all', () => cachedBy(b) === 4, 10_000);
    expect(took).to.be.at.least(5000);
    for (const [name, lease] of b.owned) expect(lease.fence).to.be.greaterThan(before.get(name)!);
  });

  it('are taken over at the next check after a planned stop', async () => {
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', NAMES);
    await stage.passUntil('they share', () => cachedBy(a) === 2 && cachedBy(b) === 2, 10_000);
    await a.leases.stop();
    expect(a.events.filter((what) => what.startsWith('handover'))).to.have.length(4);
    expect(await stage.passUntil('b owns all', () => cachedBy(b) === 4, 2000)).to.be.at.most(1600);
  });

  it('are shared evenly with a new instance, never with two owners at a time', async () => {
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', NAMES);
    const c = await stage.add('c', NAMES);
    await stage.passUntil(
      'each has one or two',
      () => {
        for (const name of NAMES) expect(acting(stage, name).length).to.be.at.most(1);
        return [a, b, c].every((one) => cachedBy(one) >= 1) && allOwned(stage, NAMES)();
      },
      20_000,
    );
    const reported = [...a.events];
    await stage.pass(20_000);
    expect(a.events, 'nothing wanders once it is even').to.deep.equal(reported);
    expect(a.events.filter((what) => what.startsWith('lost'))).to.deep.equal([]);
  });

  it('are shared per kind, among the instances that accept the kind', async () => {
    const processors = ['processor:x', 'processor:y'];
    const all = await stage.add('all', [...NAMES, ...processors]);
    const some = await stage.add('some', processors);
    await stage.passUntil('they share', () => cachedBy(some) === 1, 10_000);
    await stage.pass(5000);
    expect([...all.owned.keys()]).to.include.members(NAMES);
    expect(cachedBy(all)).to.equal(5);
  });

  it('go to the instance with the highest rank while it is alive, such as a newer version', async () => {
    const old = await stage.add('old', NAMES);
    const fresh = await stage.add('new', []);
    for (const name of NAMES)
      fresh.leases.hold(
        name,
        { acquired: (lease) => void fresh.owned.set(name, lease), lost: () => void fresh.owned.delete(name) },
        2,
      );
    await stage.passUntil('the new one owns all', () => cachedBy(fresh) === 4 && cachedBy(old) === 0, 10_000);
    await stage.pass(20_000);
    expect(cachedBy(fresh)).to.equal(4);
    fresh.running = false;
    await stage.passUntil('the old one goes on', () => cachedBy(old) === 4, 10_000);
  });

  it('go to another instance when a participant does not take them', async () => {
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', []);
    for (const name of NAMES)
      b.leases.hold(name, { acquired: () => Promise.reject(new Error('it cannot')), lost: () => undefined });
    await stage.pass(8000);
    expect(cachedBy(a)).to.equal(4);
  });

  /** Holds a name whose start fails while `failure` returns an error. Returns the times of all attempts. */
  function beginning(one: TestInstance, name: string, failure: () => Error | undefined) {
    const requested: number[] = [];
    one.leases.hold(name, {
      async acquired(lease) {
        requested.push(one.clock.now());
        const error = failure();
        if (error !== undefined) throw error;
        one.owned.set(name, lease);
      },
      lost: () => void one.owned.delete(name),
    });
    return requested;
  }

  it('are retried soon on a single instance after temporary errors, and late after others', async () => {
    const a = await stage.add('a', []);
    let away: Error | undefined = new StoreUnavailable('away');
    const requested = beginning(a, 'projection:a', () => away);
    await stage.pass(20_000);
    const pauses = requested.slice(1).map((at, i) => at - requested[i]!);
    expect(pauses.length).to.be.at.least(5);
    expect(Math.max(...pauses)).to.be.at.most(3_200);
    expect(Math.min(...pauses)).to.be.at.least(1_400);
    away = undefined;
    await stage.passUntil('it goes on', () => cachedBy(a) === 1, 3_200);
    const wrong = beginning(a, 'projection:b', () => new Error('wrong'));
    await stage.pass(30_000);
    expect(wrong.length).to.be.within(2, 3);
  });

  it("go to another instance soon when the owner's store is unavailable", async () => {
    const a = await stage.add('a', []);
    const b = await stage.add('b', []);
    await stage.pass(3000);
    const requested = beginning(a, 'projection:a', () => new StoreUnavailable('away'));
    await stage.passUntil('it tries', () => requested.length > 0, 3000);
    beginning(b, 'projection:a', () => undefined);
    await stage.passUntil('the other has it', () => cachedBy(b) === 1, 6_500);
    expect(requested).to.have.length(1);
    await stage.pass(20_000);
    expect(cachedBy(b)).to.equal(1);
  });

  it('are handed over only when the owner has finished its work', async () => {
    const a = await stage.add('a', []);
    const ending: (() => void)[] = [];
    let busy = true;
    for (const name of NAMES)
      a.leases.hold(name, {
        acquired: (lease) => void a.owned.set(name, lease),
        async lost() {
          if (busy) await new Promise<void>((resolve) => ending.push(resolve));
          a.owned.delete(name);
        },
      });
    await stage.passUntil('a owns all', () => cachedBy(a) === 4, 3000);
    const b = await stage.add('b', NAMES);
    await stage.pass(8000);
    expect([ending.length, cachedBy(b)], 'a finishes two, which are nobody else’s yet').to.deep.equal([2, 0]);
    busy = false;
    for (const end of ending) end();
    await stage.passUntil('b has them', () => cachedBy(b) === 2, 3000);
    expect(cachedBy(a)).to.equal(2);
  });

  it('stay with an owner that renews at the moment it is considered dead', async () => {
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', NAMES);
    await stage.passUntil('they share', () => cachedBy(a) === 2 && cachedBy(b) === 2, 10_000);
    const { replace } = b.work;
    let late = 0;
    Object.assign(b.work, {
      async replace(...given: Parameters<typeof replace>) {
        const [, , { id, body }] = given;
        if (id.startsWith('session/a/') && (body as { ended?: boolean }).ended && late++ === 0) {
          // As if the process and its clock had been frozen: the pending write is done now.
          a.running = true;
          a.clock.jump(1500);
          await settle();
        }
        return replace(...given);
      },
    });
    a.running = false;
    await stage.passUntil('b would end it', () => late > 0, 10_000);
    for (let passed = 0; passed < 10_000; passed += 100) {
      await stage.pass(100);
      for (const name of NAMES) expect(acting(stage, name).length).to.be.at.most(1);
    }
    expect([cachedBy(a), cachedBy(b)]).to.deep.equal([2, 2]);
    expect(a.events.filter((what) => what.startsWith('lost'))).to.deep.equal([]);
  });

  it('expire by the own clock of an owner that cannot write, before another starts', async () => {
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', NAMES);
    await stage.passUntil('they share', () => cachedBy(a) === 2 && cachedBy(b) === 2, 10_000);
    Object.assign(a.work, { replace: () => Promise.reject(new StoreUnavailable('away')), insert: hang });
    await stage.passUntil(
      'b owns all',
      () => {
        for (const name of NAMES) expect(acting(stage, name).length).to.be.at.most(1);
        return cachedBy(b) === 4;
      },
      10_000,
    );
    expect(NAMES.flatMap((name) => acting(stage, name)).every((name) => name === 'b')).to.equal(true);
    await stage.passUntil('a knows', () => cachedBy(a) === 0, 2000);
  });

  it('cost nothing in an election: nobody can renew for 12 s, and all continue with the same fences', async () => {
    const trouble = new Trouble(stage);
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', NAMES);
    await stage.passUntil('they share', () => cachedBy(a) === 2 && cachedBy(b) === 2, 10_000);
    const leases = [...a.owned.values(), ...b.owned.values()];
    const reported = [...a.events, ...b.events];
    for (let elections = 0; elections < 3; elections++) {
      await stage.pass(3000 + elections * 500);
      for (const one of [a, b]) trouble.cut(one);
      await stage.pass(5000);
      expect(leases.some((lease) => lease.valid() || !lease.isOwned())).to.equal(false);
      await stage.pass(7000);
      // One of them reaches the store again before the other has renewed its lease.
      trouble.mend(elections === 1 ? b : a);
      await stage.pass(600);
      trouble.mend(elections === 1 ? a : b);
      await stage.passUntil('all act again', () => leases.every((lease) => lease.valid()), 1000);
    }
    await stage.pass(10_000);
    expect([...a.events, ...b.events]).to.deep.equal(reported);
    expect([...a.owned.values(), ...b.owned.values()]).to.deep.equal(leases);
  });

  it('are taken over within 10 s after an election from an instance that died during it', async () => {
    const trouble = new Trouble(stage);
    const a = await stage.add('a', NAMES);
    const b = await stage.add('b', NAMES);
    await stage.passUntil('they share', () => cachedBy(a) === 2 && cachedBy(b) === 2, 10_000);
    for (const one of [a, b]) trouble.cut(one);
    await stage.pass(6000);
    trouble.freeze(a);
    await stage.pass(6000);
    trouble.mend(b);
    await stage.passUntil('b owns all', () => cachedBy(b) === 4, 10_000);
  });

  it('are given up by an owner that cannot reach the store for half a minute', async () => {
    const trouble = new Trouble(stage);
    const a = await stage.add('a', NAMES);
    trouble.cut(a);
    await stage.pass(25_000);
    expect(cachedBy(a)).to.equal(4);
    await stage.passUntil('it gives up', () => cachedBy(a) === 0, 11_000);
    trouble.mend(a);
    await stage.passUntil('it begins anew', allOwned(stage, NAMES), 5000);
  });

  it('do not return because of a stale read from a store replica', async () => {
    const a = await stage.add('a', NAMES);
    const behind = await a.work.get(
      'leases',
      (await a.work.find('leases', { where: { kind: 'session' }, limit: 1 }))[0]!.id,
    );
    await stage.pass(3000);
    Object.assign(a.work, { replace: async () => false, get: async () => behind });
    await stage.pass(6000);
    expect(acting(stage, NAMES[0]!)).to.deep.equal([]);
  });

  it('survive a renewal whose response was lost', async () => {
    const a = await stage.add('a', NAMES);
    const { replace } = a.work;
    let failures = 0;
    Object.assign(a.work, {
      async replace(...given: Parameters<typeof replace>) {
        const written = await replace(...given);
        if (failures++ % 2 === 0) throw new StoreUnavailable('no answer');
        return written;
      },
    });
    await stage.pass(20_000);
    expect(failures).to.be.greaterThan(5);
    expect(cachedBy(a)).to.equal(4);
    expect(a.events.some((what) => what.startsWith('lost'))).to.equal(false);
  });

  it('are not trusted by an owner that was frozen and resumes, which then participates again', async () => {
    const a = await stage.add('a', NAMES);
    a.running = false;
    const b = await stage.add('b', NAMES);
    await stage.passUntil('b owns all', () => cachedBy(b) === 4, 10_000);
    const before = [...a.owned.values()];
    a.clock.jump(60_000);
    expect(before.some((lease) => lease.valid())).to.equal(false);
    a.running = true;
    await stage.passUntil('they share', () => cachedBy(a) === 2 && cachedBy(b) === 2, 20_000);
    expect(allOwned(stage, NAMES)()).to.equal(true);
  });

  it('are protected by fences from an owner whose clock stopped, which notices at its next renewal', async () => {
    const a = await stage.add('a', NAMES);
    a.running = false;
    const b = await stage.add('b', NAMES);
    await stage.passUntil('b owns all', () => cachedBy(b) === 4, 10_000);
    // Its own clock has not moved, so it cannot know.
    expect([...a.owned.values()].every((lease) => lease.valid())).to.equal(true);
    a.running = true;
    await stage.passUntil('a knows', () => a.events.some((what) => what.startsWith('lost')), 2000);
    await stage.passUntil('they share', allOwned(stage, NAMES), 20_000);
  });

  it('get a higher fence when the engine rejects theirs, as after a store was restored', async () => {
    const a = await stage.add('a', []);
    const fences: number[] = [];
    a.leases.hold('projection:a', {
      acquired(lease) {
        fences.push(lease.fence);
        if (lease.fence < 100) lease.fenced();
      },
      lost: () => undefined,
    });
    await stage.passUntil('it was accepted', () => (fences.at(-1) ?? 0) >= 100, 20_000);
    expect(fences).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128]);
  });

  it('have at most one active owner, and soon one again, whichever instances stop, start and leave', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            who: fc.integer({ min: 0, max: 2 }),
            what: fc.constantFrom<'freeze' | 'wake' | 'cut' | 'mend'>('freeze', 'wake', 'cut', 'mend'),
            ms: fc.integer({ min: 0, max: 9000 }),
          }),
          { maxLength: 6 },
        ),
        async (steps) => {
          const own = await ownershipStage();
          const trouble = new Trouble(own);
          try {
            for (const name of ['a', 'b', 'c']) await own.add(name, NAMES);
            for (const { who, what, ms } of steps) {
              trouble[what](own.instances[who]!);
              await trouble.pass(ms);
            }
            for (const one of own.instances) {
              trouble.wake(one);
              trouble.mend(one);
            }
            await trouble.pass(25_000);
            expect(allOwned(own, NAMES)()).to.equal(true);
            expect(own.instances.every((one) => cachedBy(one) >= 1)).to.equal(true);
          } finally {
            await own.close();
          }
        },
      ),
      { numRuns: 12 },
    ));
});
