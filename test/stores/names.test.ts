import { expect } from 'chai';
import fc from 'fast-check';
import { IN_FLIGHT_MS, isLeftOver } from '../../application/holds.js';
import { DomainError } from '../../domain/decider.js';
import type { Hold } from '../../domain/hold.js';
import type { NameEvent } from '../../domain/nameEvents.js';
import { freeHolder, freeName, type Names, names, type TakeName, takeName } from '../../domain/names.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const kind = {
  full: { code: 'list_limit_reached', detail: 'The store is full.' },
  taken: { code: 'name_taken', detail: 'Another has this name.' },
};
const taken = (by: string, value: string | undefined, attempt: string): NameEvent => ({
  type: 'NameTaken',
  data: value === undefined ? { by, attempt } : { by, value, attempt },
});
const since = Date.parse(specMeta.at);
const hold = (by: string, attempt: string): Hold => ({ by, attempt, since });
const eid = taken('p1', 'EID', 'a1');
const ramadan = taken('p2', 'RAMADAN', 'a2');

describe('unique names in a store', () => {
  const take = (by: string, value: string | undefined, attempt: string, more: object = {}) =>
    takeName(kind, { by, value, attempt, most: 2, ...more });

  it('belong to one owner, until it releases them', () => {
    given(names, eid)
      .when(take('p2', 'EID', 'a2'))
      .thenRefused('name_taken');
    given(names, eid)
      .when(take('p2', 'RAMADAN', 'a2'))
      .then([ramadan]);
    given(names, eid, { type: 'NameFreed', data: { by: 'p1', value: 'EID', attempt: 'a1' } })
      .when(take('p2', 'EID', 'a2'))
      .then([taken('p2', 'EID', 'a2')]);
  });

  it('are taken once per attempt, and again by another attempt of the same owner', () => {
    given(names, eid)
      .when(take('p1', 'EID', 'a1'))
      .then([]);
    given(names, eid)
      .when(take('p1', 'EID', 'a3'))
      .then([taken('p1', 'EID', 'a3')]);
  });

  it('are taken over from the attempt found to be stale, and from no later one', () => {
    const over = take('p2', 'EID', 'a2', { stale: hold('p1', 'a1') });
    const instead = { type: 'NameTaken', data: { by: 'p2', value: 'EID', attempt: 'a2', instead: 'a1' } } as const;
    given(names, eid).when(over).then([instead]);
    given(names, eid, taken('p1', 'EID', 'a3'))
      .when(over)
      .thenRefused('name_taken');
  });

  it('are not released by the name of an earlier attempt', () => {
    given(names, eid, taken('p1', 'EID', 'a3'))
      .when(freeName(hold('p1', 'a1'), 'EID'))
      .then([]);
    given(names, eid)
      .when(freeName(hold('p1', 'a1'), 'EID'))
      .then([{ type: 'NameFreed', data: { by: 'p1', value: 'EID', attempt: 'a1' } }]);
  });

  it('are released with their owner, which has two of them while it is renamed', () => {
    const state = stateAfter(names, [eid, taken('p1', 'SALE', 'a3')]);
    expect([...state.names.keys()]).to.deep.equal(['EID', 'SALE']);
    expect(state.holders.size, 'one holder').to.equal(1);
    const gone = given(names, eid, taken('p1', 'SALE', 'a3'))
      .when(freeHolder('p1'))
      .events();
    expect(gone).to.deep.equal([{ type: 'NameFreed', data: { by: 'p1', attempt: 'a3' } }]);
    const after = stateAfter(names, [eid, taken('p1', 'SALE', 'a3'), ...gone]);
    expect([after.holders.size, after.names.size]).to.deep.equal([0, 0]);
  });

  it('of a rejected creation are released by that attempt only', () => {
    given(names, eid).when(freeHolder('p1', 'a9')).then([]);
    given(names).when(freeHolder('p1', 'a1')).then([]);
  });

  it('count towards the limit, also owners without a name, and block no other name', () => {
    const full = [eid, taken('p2', undefined, 'a2')];
    given(names, ...full)
      .when(take('p3', undefined, 'a3'))
      .thenRefused('list_limit_reached');
    given(names, ...full)
      .when(take('p3', 'NEW', 'a3'))
      .thenRefused('list_limit_reached');
    given(names, ...full)
      .when(take('p2', 'NEW', 'a4'))
      .then([taken('p2', 'NEW', 'a4')]);
    given(names, ...full)
      .when(take('p3', 'NEW', 'a5', { most: undefined }))
      .then([taken('p3', 'NEW', 'a5')]);
  });

  it('free their place for another when their owner is found to be deleted', () => {
    given(names, eid, ramadan)
      .when(take('p3', 'EID', 'a3', { gone: [hold('p1', 'a1')], stale: hold('p1', 'a1') }))
      .then([
        { type: 'NameFreed', data: { by: 'p1', attempt: 'a1' } },
        { type: 'NameTaken', data: { by: 'p3', value: 'EID', attempt: 'a3', instead: 'a1' } },
      ]);
    const later = { gone: [hold('p1', 'a0')] };
    given(names, eid, ramadan)
      .when(take('p3', 'SALE', 'a3', later))
      .thenRefused('list_limit_reached');
  });

  it('are the same after a snapshot', () => {
    const state = stateAfter(names, [eid, ramadan, taken('p3', undefined, 'a4')]);
    const reading = names.snapshot!.read();
    for (const chunk of names.snapshot!.write(state)) reading.add(JSON.parse(JSON.stringify(chunk)));
    expect(reading.done()).to.deep.equal(state);
    expect(names.snapshot!.read().done()).to.deep.equal(names.initial());
  });
});

// Steps of holders, in any order. A change reads the current holders, takes its name, and is stored or breaks off.
const PLACES = [0, 1, 2] as const;
const MOST = 2;
const at = fc.constantFrom(...PLACES);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('look' as const), at, value: fc.constantFrom('EID', 'SALE', undefined) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('store' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('breakOff' as const, 'refuse' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at, frees: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1_000, IN_FLIGHT_MS + 1) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A change under way: its command, and its holder's name when the change began. */
interface Change {
  readonly command: TakeName;
  readonly hadValue: string | undefined;
  readonly had: Hold | undefined;
  /** Time at which the change took its name. Undefined if it has only read. */
  readonly startedAt?: number;
}

/** Holders as the use cases change them. Each holder has one change at a time, which may stop at any point. */
class Shop {
  readonly living = new Map<string, string | undefined>();
  now = since;
  #state: Names = names.initial();
  readonly #gone = new Set<string>();
  readonly #changes = new Map<string, Change>();
  /** Id of the current holder at each place. After a removal the place gets a new one. */
  readonly #ids: string[] = PLACES.map((place) => `p${place}`);
  #attempts = 0;

  #apply(events: readonly NameEvent[]): void {
    const meta = { ...specMeta, at: new Date(this.now).toISOString() };
    for (const event of events) this.#state = names.evolve(this.#state, { ...event, meta });
  }

  #isLeftOver(one: Hold, has: boolean): boolean {
    return isLeftOver(one, this.#gone.has(one.by) ? 'gone' : has ? 'yes' : 'no', this.now);
  }

  check(by: string, value: string | undefined): void {
    const isThere = this.living.has(by);
    // An existing holder can only take another name.
    if (this.#gone.has(by) || this.#changes.has(by) || (isThere && value === undefined)) return;
    const { names: current, holders } = this.#state;
    const other = value === undefined ? undefined : current.get(value);
    const has = other !== undefined && this.living.has(other.by) && this.living.get(other.by) === value;
    const stale = other !== undefined && other.by !== by && this.#isLeftOver(other, has) ? other : undefined;
    const gone = [...holders.values()].filter((one) => this.#isLeftOver(one, this.living.has(one.by)));
    const hadValue = this.living.get(by);
    const had = hadValue === undefined ? undefined : current.get(hadValue);
    const attempt = `a${this.#attempts++}`;
    const command = { by, value, attempt, most: isThere ? undefined : MOST, stale, gone };
    this.#changes.set(by, { command, hadValue, had });
  }

  take(by: string): void {
    const change = this.#changes.get(by);
    if (change === undefined || change.startedAt !== undefined) return;
    try {
      this.#apply(takeName(kind, change.command)(this.#state));
      this.#changes.set(by, { ...change, startedAt: this.now });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#changes.delete(by);
    }
  }

  store(by: string): void {
    const { command, startedAt = Number.NEGATIVE_INFINITY, had, hadValue } = this.#changes.get(by) ?? {};
    if (command === undefined || startedAt === Number.NEGATIVE_INFINITY) return;
    this.#changes.delete(by);
    if (this.now - startedAt > IN_FLIGHT_MS || this.#gone.has(by)) return;
    this.living.set(by, command.value);
    if (had?.by === by && hadValue !== undefined && hadValue !== command.value)
      this.#apply(freeName(had, hadValue)(this.#state));
  }

  breakOff(by: string): void {
    this.#changes.delete(by);
  }

  refuse(by: string): void {
    const change = this.#changes.get(by);
    this.#changes.delete(by);
    if (change?.startedAt !== undefined && !this.living.has(by))
      this.#apply(freeHolder(by, change.command.attempt)(this.#state));
  }

  remove(by: string, frees: boolean): void {
    if (!this.living.delete(by)) return;
    this.#gone.add(by);
    if (frees) this.#apply(freeHolder(by)(this.#state));
  }

  run(one: Step): void {
    if (one.do === 'pass') {
      this.now += one.ms;
      return;
    }
    const by = this.#ids[one.at]!;
    if (one.do === 'look') this.check(by, one.value);
    else if (one.do === 'remove') this.remove(by, one.frees);
    else this[one.do](by);
    if (this.#gone.has(by) && !this.#changes.has(by)) this.#ids[one.at] = `${by}'`;
  }

  stop(): void {
    this.#changes.clear();
  }

  /** Returns true if two holders have the same name, or if there are too many holders. */
  isBroken(): boolean {
    const current = [...this.living.values()].filter((value) => value !== undefined);
    return new Set(current).size !== current.length || this.living.size > MOST;
  }
}

describe('any sequence of changes to owners of names', () => {
  it('never leads to duplicate names, nor to more than the limit', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 60 }), (steps) => {
        const shop = new Shop();
        for (const one of steps) {
          shop.run(one);
          if (shop.isBroken()) return false;
        }
        return true;
      }),
      { numRuns: 2_000, seed: 20_260_301 },
    );
  });

  it('leaves every place and name free a minute after the last interruption', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
        const shop = new Shop();
        for (const one of steps) shop.run(one);
        shop.stop();
        shop.now += IN_FLIGHT_MS + 1;
        for (const value of ['EID', 'SALE'])
          if (shop.living.size < MOST && ![...shop.living.values()].includes(value)) {
            shop.check(`new ${value}`, value);
            shop.take(`new ${value}`);
            shop.store(`new ${value}`);
            expect(shop.living.get(`new ${value}`)).to.equal(value);
          }
      }),
      { numRuns: 300, seed: 20_260_302 },
    );
  });
});
