/** Names and limits of a store through the use cases, on embedded engines: stops, and many at once. */
import { expect } from 'chai';
import { IN_FLIGHT_MS } from '../../application/holds.js';
import { takeName } from '../../application/names.js';
import { createNumberList, deleteNumberList, updateNumberList } from '../../application/numberLists/numberLists.js';
import { promotionHolders } from '../../application/promotions/promotionNames.js';
import {
  createPromotion,
  deletePromotion,
  type PromotionContext,
  updatePromotion,
} from '../../application/promotions/promotions.js';
import { derivedId } from '../../domain/ids.js';
import { freeHolder, names } from '../../domain/names.js';
import { numberList } from '../../domain/numberLists/numberList.js';
import { promotion } from '../../domain/promotions/promotion.js';
import { definitionOf, type PromotionFields } from '../../domain/promotions/promotionDefinition.js';
import type { PromotionEvent } from '../../domain/promotions/promotionEvents.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { numberLists } from '../../projections/numberLists.js';
import { promotions } from '../../projections/promotions.js';
import { OTHER_SHOP, type PromotionStage, promotionStage, SHOP } from '../support/stages/promotionStage.js';

const sale: PromotionFields = { name: 'Ramadan', kind: 'flash_sale', percentOff: 10 };
const coupon = (code: string, more: Partial<PromotionFields> = {}): PromotionFields => ({
  ...{ name: 'Eid', kind: 'coupon', percentOff: 10, code },
  ...more,
});
const LATER = IN_FLIGHT_MS + 1_000;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('names and limits of a store', () => {
  let stage: PromotionStage;
  let count = 0;
  beforeEach(async () => {
    stage = await promotionStage({ sharedStore: true });
  });
  afterEach(() => stage.close());

  interface Who {
    readonly later?: number;
    readonly workspaceId?: string;
    readonly commands?: CommandHandler;
  }
  const context = ({ later = 0, workspaceId = SHOP, commands = stage.commands }: Who = {}): PromotionContext => ({
    commands: bindCommands(commands, () => ({ ...stage.by(), workspaceId })),
    read: stage.reads,
    workspaceId,
    now: Date.now() + later,
    newId: (name) => derivedId('names test', name, count++),
  });
  /** The codes of those that were refused; the others are done. */
  const refusals = async (tries: readonly Promise<unknown>[]): Promise<string[]> => {
    const outcomes = await Promise.allSettled(tries);
    return outcomes.flatMap((one) => (one.status === 'fulfilled' ? [] : [(one.reason as { code: string }).code]));
  };
  const create = (name: string, fields: PromotionFields = sale, who: Who = {}) =>
    createPromotion(context(who), derivedId(name), fields);
  const createList = (name: string, who: Who = {}) =>
    createNumberList(context(who), derivedId('list', name), { name, kind: 'uploaded' });
  const namesOf = async (kind: string, workspaceId = SHOP) =>
    (await stage.events.readStream(`names-${workspaceId}.${kind}`)).map(({ type }) => type);
  const stored = async (workspaceId = SHOP): Promise<number> => {
    await stage.shown();
    return stage.reads.count(promotions, { workspaceId }, 2_000);
  };

  const happened = (id: string, event: PromotionEvent) =>
    stage.commands.decide(stage.by(), promotion, id, () => [event]);
  /** The store has so many promotions already. */
  const filled = async (count: number): Promise<void> => {
    const ids = times(count, (i) => derivedId('there', i));
    for (let i = 0; i < count; i += 500)
      await stage.commands.decide(stage.by(), names, `${SHOP}.promotion`, () =>
        ids.slice(i, i + 500).map((by) => ({ type: 'NameTaken', data: { by, attempt: by } })),
      );
    const data = { definition: definitionOf(sale) };
    await Promise.all(ids.map((id) => happened(id, { type: 'PromotionCreated', data })));
  };

  it('are exact when 1,010 promotions are created at once', async () => {
    const refused = await refusals(times(1_010, (i) => create(`p${i}`)));
    expect(refused).to.deep.equal(times(10, () => 'promotion_limit_reached'));
    expect(await stored()).to.equal(1_000);
    expect(await refusals([create('one more', coupon('EID'))])).to.deep.equal(['promotion_limit_reached']);
    await deletePromotion(context(), derivedId('p7'));
    expect(await refusals([create('next'), create('one too many')])).to.have.lengthOf(1);
    expect(await stored()).to.equal(1_000);
    expect(await stored(OTHER_SHOP), 'another store').to.equal(0);
    await create('of another store', sale, { workspaceId: OTHER_SHOP });
  });

  it('are exact when 510 lists are created at once', async () => {
    const refused = await refusals(times(510, (i) => createList(`List ${i}`)));
    expect(refused).to.deep.equal(times(10, () => 'number_list_limit_reached'));
    await stage.shown();
    expect(await stage.reads.count(numberLists, { workspaceId: SHOP }, 2_000)).to.equal(500);
  });

  it('belong to one owner when many request one at once', async () => {
    const refused = await refusals(times(20, (i) => create(`p${i}`, coupon(i % 2 ? 'eid' : 'EID '))));
    expect(refused).to.deep.equal(times(19, () => 'coupon_code_taken'));
    await create('of another store', coupon('EID'), { workspaceId: OTHER_SHOP });
  });

  describe('after an interruption', () => {
    it('between place and owner are free a minute later, also if the store is full', async () => {
      await filled(998);
      const expected = { by: derivedId('lost'), value: 'EID', attempt: 'a1' };
      await takeName(context(), promotionHolders(SHOP, Date.now()), expected);
      expect(await refusals([create('a', coupon('EID'))])).to.deep.equal(['coupon_code_taken']);
      await create('full');
      expect(await refusals([create('a')])).to.deep.equal(['promotion_limit_reached']);
      // The broken-off creation has a place, though no promotion: it goes to the next once its minute is over.
      await create('b', coupon('EID'), { later: LATER });
      expect(await refusals([create('c', sale, { later: LATER })])).to.deep.equal(['promotion_limit_reached']);
    });

    it('between deletion and release are free at once, the place a minute later', async () => {
      await filled(998);
      await create('one', coupon('EID'));
      await create('two');
      // Deleted, and stopped before its name was freed.
      const definition = definitionOf(coupon('EID'));
      await happened(derivedId('one'), { type: 'PromotionDeleted', data: { definition } });
      await updatePromotion(context(), derivedId('two'), coupon('EID'));
      expect(await refusals([create('a')])).to.deep.equal(['promotion_limit_reached']);
      await create('b', sale, { later: LATER });
      expect(await refusals([create('c', sale, { later: LATER })])).to.deep.equal(['promotion_limit_reached']);
    });

    it('belong to the same owner when the request is repeated', async () => {
      const expected = { by: derivedId('p'), value: 'EID', attempt: derivedId('again') };
      await takeName(context(), promotionHolders(SHOP, Date.now()), expected);
      const again = { ...context(), newId: () => derivedId('again') };
      await createPromotion(again, derivedId('p'), coupon('EID'));
      await createPromotion(again, derivedId('p'), coupon('EID'));
      expect(await namesOf('promotion')).to.deep.equal(['NameTaken']);
      expect(await stored()).to.equal(1);
    });
  });

  it('are free at once when the creation is rejected', async () => {
    const listId = derivedId('list', 'VIP');
    await createList('VIP');
    const list = { ...coupon('EID'), numberListId: listId };
    const slow = context();
    // The list is deleted after it was looked at, before the promotion puts it to use.
    const decide: typeof slow.commands.decide = async (aggregate, id, decision) => {
      if (aggregate.name === 'numberList') await deleteNumberList(context(), listId).catch(() => undefined);
      return slow.commands.decide(aggregate, id, decision);
    };
    const tried = createPromotion({ ...slow, commands: { ...slow.commands, decide } }, derivedId('p'), list);
    expect(await refusals([tried])).to.deep.equal(['validation_failed']);
    expect(await namesOf('promotion')).to.deep.equal(['NameTaken', 'NameFreed']);
    await create('a', coupon('EID'));
  });

  it('are all free when lists are renamed and deleted concurrently', async () => {
    await Promise.all(times(20, (i) => createList(`Old ${i}`)));
    const changes = times(20, (i) => [
      updateNumberList(context(), derivedId('list', `Old ${i}`), { name: `New ${i}`, kind: 'uploaded' }),
      deleteNumberList(context(), derivedId('list', `Old ${i}`)),
    ]);
    // Whichever came first.
    for (const code of await refusals(changes.flat())) expect(code).to.equal('not_found');
    const existing = times(20, (i) =>
      stage.commands.query(numberList, derivedId('list', `Old ${i}`), ({ status }) => status),
    );
    expect(new Set(await Promise.all(existing))).to.deep.equal(new Set(['deleted']));
    const both = times(20, (i) => [createList(`new ${i}`), createList(`old ${i}`)]).flat();
    expect(await refusals(both)).to.deep.equal([]);
  });

  it('stay reserved after the service starts again', async () => {
    await create('a', coupon('EID'));
    await create('b');
    const fresh = stage.another();
    expect(await refusals([create('c', coupon('EID'), { commands: fresh })])).to.deep.equal(['coupon_code_taken']);
    await fresh.decide(stage.by(), names, `${SHOP}.promotion`, freeHolder(derivedId('b')));
    expect(await fresh.query(names, `${SHOP}.promotion`, ({ holders }) => [...holders.keys()])).to.deep.equal([
      derivedId('a'),
    ]);
  });
});
