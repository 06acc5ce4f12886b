import { expect } from 'chai';
import fc from 'fast-check';
import {
  createPromotion,
  deletePromotion,
  exists,
  limitFor,
  type Promotion,
  promotion,
  redeem,
  releaseUse,
  revisePromotion,
} from '../../domain/promotions/promotion.js';
import {
  checkDefinition,
  codeKey,
  definitionOf,
  isOpen,
  type PromotionFields,
} from '../../domain/promotions/promotionDefinition.js';
import type { PromotionEvent } from '../../domain/promotions/promotionEvents.js';
import { reservedCode, usesList } from '../../domain/promotions/promotionNames.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const LIST = '00000000-0000-4000-8000-00000000001a';
const coupon: PromotionFields = { name: 'Eid', kind: 'coupon', code: 'EID10', percentOff: 10 };
const created = (fields: Partial<PromotionFields> = {}): PromotionEvent => ({
  type: 'PromotionCreated',
  data: { definition: definitionOf({ ...coupon, ...fields }) },
});
const redeemed = (orderId: string, customer = '+252611000001'): PromotionEvent => ({
  type: 'PromotionRedeemed',
  data: { orderId, customer },
});
const use = (orderId: string, customer: string | undefined = '+252611000001') => redeem({ orderId, customer });

/** Like `stateAfter`, for events stored with the store's id. */
const inStore = (...events: PromotionEvent[]): Promotion =>
  events.reduce<Promotion>(
    (state, event) => promotion.evolve(state, { ...event, meta: { ...specMeta, workspaceId: STORE } }),
    promotion.initial(),
  );
const refusedAt = (fields: Partial<PromotionFields>): string[] =>
  given(promotion)
    .when(createPromotion(definitionOf({ ...coupon, ...fields })))
    .thenRefused('validation_failed')
    .problems.map(({ location }) => location!);

describe('a promotion', () => {
  it('has defaults for omitted fields', () => {
    expect(definitionOf({ ...coupon, code: ' EID10 ', startsAt: '2026-03-01T12:00:00+03:00' })).to.deep.equal({
      name: 'Eid',
      kind: 'coupon',
      scope: 'all',
      productExternalIds: [],
      categoryExternalIds: [],
      percentOff: 10,
      code: 'EID10',
      active: true,
      startsAt: '2026-03-01T09:00:00.000Z',
    });
  });

  it('requires exactly one of percentOff and amountOffCents', () => {
    expect(refusedAt({ amountOffCents: 5_00 })).to.deep.equal(['body.amountOffCents']);
    const { percentOff: _, ...neither } = coupon;
    given(promotion)
      .when(createPromotion(definitionOf(neither)))
      .thenRefused('validation_failed');
  });

  it('requires the fields of its kind and scope', () => {
    expect(refusedAt({ code: '  ' })).to.deep.equal(['body.code']);
    expect(refusedAt({ kind: 'number_list', code: '' })).to.deep.equal(['body.numberListId']);
    expect(refusedAt({ scope: 'products' })).to.deep.equal(['body.productExternalIds']);
    expect(refusedAt({ scope: 'categories', categoryExternalIds: null })).to.deep.equal(['body.categoryExternalIds']);
  });

  it('rejects conditions that do not apply to its kind', () => {
    const conditions = { kind: 'flash_sale', numberListId: LIST, maxPerCustomer: 1, maxRedemptions: 5 } as const;
    expect(refusedAt(conditions)).to.have.members(
      ['code', 'numberListId', 'maxPerCustomer', 'maxRedemptions'].map((field) => `body.${field}`),
    );
    expect(refusedAt({ kind: 'number_list', numberListId: LIST })).to.deep.equal(['body.code']);
    given(promotion)
      .when(createPromotion(definitionOf({ ...coupon, numberListId: LIST.toUpperCase() })))
      .then([created({ numberListId: LIST })]);
  });

  it('must end after it starts', () => {
    const startsAt = '2026-03-01T12:00:00Z';
    expect(refusedAt({ startsAt, endsAt: '2026-03-01T15:00:00+03:00' })).to.deep.equal(['body.endsAt']);
    expect(refusedAt({ endsAt: '2026-06-30T23:59:60Z' }), 'a leap second').to.deep.equal(['body.endsAt']);
  });

  it('is open while it is active and inside its window, start included, end excluded', () => {
    const [from, to] = ['2026-03-01T12:00:00Z', '2026-03-01T13:00:00Z'].map(Date.parse) as [number, number];
    const window = { active: true, startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() };
    expect([from - 1, from, to - 1, to].map((now) => isOpen(window, now))).to.deep.equal([false, true, true, false]);
    expect(isOpen({ ...window, active: false }, from)).to.equal(false);
    expect(isOpen({ active: true }, 0)).to.equal(true);
  });

  it('is replaced as a whole, and records previous values of changed fields', () => {
    const { percentOff: _, ...rest } = coupon;
    const after = definitionOf({ ...rest, amountOffCents: 5_00, maxRedemptions: 3 });
    const state = inStore(created());
    expect(revisePromotion(STORE, 1, after)(state)).to.deep.equal([
      {
        type: 'PromotionRevised',
        data: { definition: after, before: { percentOff: 10, amountOffCents: null, maxRedemptions: null } },
      },
    ]);
    expect(revisePromotion(STORE, 1, definitionOf(coupon))(state), 'the same again').to.deep.equal([]);
    expect(() => revisePromotion(STORE, 2, after)(state))
      .to.throw()
      .with.property('code', 'stale_change');
    expect(() => revisePromotion(LIST, 1, after)(state))
      .to.throw()
      .with.property('code', 'not_found');
  });

  it('is removed once it is deleted', () => {
    const state = inStore(created(), { type: 'PromotionDeleted', data: { definition: definitionOf(coupon) } });
    for (const decision of [deletePromotion(STORE), revisePromotion(STORE, 1, definitionOf(coupon))])
      expect(() => decision(state))
        .to.throw()
        .with.property('code', 'not_found');
    expect(use('o1')(state), 'an order that was priced with it').to.deep.equal([]);
    expect(releaseUse('o1')(state)).to.deep.equal([]);
  });
});

describe('a coupon’s code', () => {
  it('is compared ignoring case, outer spaces and Unicode forms', () => {
    expect(codeKey(' eid10 ')).to.equal(codeKey('EID10'));
    expect(codeKey('ＥＩＤ１０')).to.equal(codeKey('EID10'));
    expect(codeKey('straße')).to.equal(codeKey('STRASSE'));
  });

  it('is compared ignoring direction marks and Arabic keyboard characters', () => {
    for (const typed of ['\u2068EID10\u2069', '\u200fEID10', 'EID\u200b10', '\u2060eid10\ufeff', 'EID١٠', 'EID۱۰'])
      expect(codeKey(typed), JSON.stringify(typed)).to.equal(codeKey('EID10'));
  });

  it('is visible, and on one line', () => {
    for (const code of ['\u200f', '\u2068\u2069', 'EID\n10', 'EID\u202810'])
      expect(
        () => checkDefinition(definitionOf({ name: 'Eid', kind: 'coupon', percentOff: 10, code })),
        code,
      ).to.throw();
    for (const name of ['\u200b', 'Eid\nsale'])
      expect(() => checkDefinition(definitionOf({ name, kind: 'flash_sale', percentOff: 10 })), name).to.throw();
  });

  it('stays reserved until the coupon has ended, also while it is switched off', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const stored = (fields: Partial<PromotionFields>) => reservedCode(definitionOf({ ...coupon, ...fields }), now);
    expect(stored({ active: false })).to.equal('EID10');
    expect(stored({ startsAt: '2026-04-01T00:00:00Z' })).to.equal('EID10');
    expect(stored({ code: ' eid10' })).to.equal('EID10');
    expect(stored({ endsAt: '2026-03-01T12:00:00Z' })).to.equal(undefined);
    expect(stored({ kind: 'flash_sale' })).to.equal(undefined);
  });
});

describe('a number list', () => {
  it('is used by the promotion that names it, until that is deleted', () => {
    expect(usesList(LIST)(inStore(created({ numberListId: LIST })))).to.equal('yes');
    expect(usesList(LIST)(inStore(created()))).to.equal('no');
    expect(usesList(LIST)({ status: 'absent' })).to.equal('no');
    expect(usesList(LIST)({ status: 'deleted' })).to.equal('gone');
  });
});

describe('redemptions of a promotion', () => {
  it('count once per order', () => {
    given(promotion, created())
      .when(use('o1'))
      .then([redeemed('o1')]);
    given(promotion, created(), redeemed('o1')).when(use('o1')).then([]);
  });

  it('end at maxRedemptions and, for each customer, at maxPerCustomer', () => {
    given(promotion, created({ maxRedemptions: 1 }), redeemed('o1'))
      .when(use('o2', 'other'))
      .thenRefused('limit');
    const each = created({ maxPerCustomer: 1 });
    given(promotion, each, redeemed('o1')).when(use('o2')).thenRefused('customer_limit');
    given(promotion, each, redeemed('o1'))
      .when(use('o2', 'other'))
      .then([redeemed('o2', 'other')]);
    expect(
      given(promotion, each)
        .when(redeem({ orderId: 'o1', customer: undefined }))
        .thenRefused('customer_limit'),
    );
    given(promotion, each, redeemed('o1')).when(use('o1')).then([]);
  });

  it('are released once, and can be made again', () => {
    const back: PromotionEvent = { type: 'RedemptionGivenBack', data: { orderId: 'o1', customer: '+252611000001' } };
    const once = created({ maxRedemptions: 1 });
    given(promotion, once, redeemed('o1')).when(releaseUse('o1')).then([back]);
    given(promotion, once, redeemed('o1'), back).when(releaseUse('o1')).then([]);
    given(promotion, once, redeemed('o1'), back)
      .when(use('o1'))
      .then([redeemed('o1')]);
    given(promotion, once).when(releaseUse('o1')).then([]);
  });

  it('beyond a later reduced limit stay, and no further one is accepted', () => {
    const state = inStore(created(), redeemed('o1'), redeemed('o2'), {
      type: 'PromotionRevised',
      data: { definition: definitionOf({ ...coupon, maxRedemptions: 1 }), before: { maxRedemptions: null } },
    });
    expect(exists(state) && limitFor(state, 'o3', 'x')).to.equal('limit');
    expect(exists(state) && limitFor(state, 'o2', 'x')).to.equal(undefined);
  });

  const step = fc.record({
    order: fc.integer({ min: 0, max: 11 }),
    does: fc.constantFrom('use', 'use', 'give back'),
  });
  const limits = fc.record(
    { maxRedemptions: fc.integer({ min: 1, max: 6 }), maxPerCustomer: fc.integer({ min: 1, max: 3 }) },
    { requiredKeys: [] },
  );

  /** Model of the expected uses, independent of the aggregate. */
  class Expected {
    readonly uses = new Map<string, string>();
    readonly #most: number;
    readonly #mostOf: number;
    constructor({ maxRedemptions = 99, maxPerCustomer = 99 }: { maxRedemptions?: number; maxPerCustomer?: number }) {
      this.#most = maxRedemptions;
      this.#mostOf = maxPerCustomer;
    }
    refuses(orderId: string, customer: string): boolean {
      if (this.uses.has(orderId)) return false;
      const ofCustomer = [...this.uses.values()].filter((one) => one === customer).length;
      return this.uses.size >= this.#most || ofCustomer >= this.#mostOf;
    }
    apply({ type, data }: PromotionEvent): void {
      if (type === 'PromotionRedeemed') this.uses.set(data.orderId, data.customer);
      if (type === 'RedemptionGivenBack') this.uses.delete(data.orderId);
    }
  }

  const decided = (decide: () => readonly PromotionEvent[]): readonly PromotionEvent[] | 'refused' => {
    try {
      return decide();
    } catch {
      return 'refused';
    }
  };
  const sorted = (uses: Iterable<[string, string]>): string[] => [...uses].map(([id, one]) => `${id} ${one}`).sort();

  /** Takes one step, compares its outcome with the model, and returns the next state. */
  function taken(state: Promotion, expected: Expected, { order, does }: { order: number; does: string }): Promotion {
    const [orderId, customer] = [`o${order}`, `customer ${order % 4}`];
    const decision = does === 'use' ? use(orderId, customer) : releaseUse(orderId);
    const events = decided(() => decision(state));
    expect(events === 'refused').to.equal(does === 'use' && expected.refuses(orderId, customer));
    const happened = events === 'refused' ? [] : events;
    for (const event of happened) expected.apply(event);
    const after = happened.reduce<Promotion>(
      (before, event) => promotion.evolve(before, { ...event, meta: specMeta }),
      state,
    );
    expect(sorted(exists(after) ? after.uses : [])).to.deep.equal(sorted(expected.uses));
    return after;
  }

  it('never exceed a limit, in any order of redeeming and releasing, and each belongs to one order', () => {
    const property = fc.property(limits, fc.array(step, { maxLength: 60 }), (set, steps) => {
      const expected = new Expected(set);
      let state = stateAfter(promotion, [created(set)]);
      for (const one of steps) state = taken(state, expected, one);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('are complete when the promotion is loaded from a snapshot', () => {
    const events = Array.from({ length: 4_500 }, (_, i) => redeemed(`o${i}`, `customer ${i % 7}`));
    const state = inStore(created({ maxPerCustomer: 9 }), ...events);
    const reader = promotion.snapshot!.read();
    for (const chunk of promotion.snapshot!.write(state)) reader.add(JSON.parse(JSON.stringify(chunk)));
    expect(reader.done()).to.deep.equal(state);
    for (const other of [promotion.initial(), { status: 'deleted' } as const]) {
      const empty = promotion.snapshot!.read();
      for (const chunk of promotion.snapshot!.write(other)) empty.add(chunk);
      expect(empty.done()).to.deep.equal(other);
    }
  });
});
