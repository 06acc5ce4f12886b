import { expect } from 'chai';
import { IN_FLIGHT_MS } from '../../application/holds.js';
import { takeName } from '../../application/names.js';
import { createNumberList, deleteNumberList } from '../../application/numberLists/numberLists.js';
import { promotionHolders } from '../../application/promotions/promotionNames.js';
import { createPromotion } from '../../application/promotions/promotions.js';
import { derivedId } from '../../domain/ids.js';
import { numberList, takeList } from '../../domain/numberLists/numberList.js';
import type { PromotionFields } from '../../domain/promotions/promotionDefinition.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { type PromotionStage, promotionStage, SHOP } from '../support/stages/promotionStage.js';

const coupon: PromotionFields = { name: 'Eid', kind: 'coupon', code: 'EID10', percentOff: 10 };
const LOST = derivedId('promotion', 'never stored');
const LATER = IN_FLIGHT_MS + 1_000;

/** A stop of the service between taking something and storing what has it. */
describe('a reservation of an interrupted change', () => {
  let stage: PromotionStage;
  let count = 0;
  beforeEach(async () => {
    stage = await promotionStage();
  });
  afterEach(() => stage.close());

  const context = (later = 0) => ({
    commands: bindCommands(stage.commands, stage.by()),
    read: stage.reads,
    caughtUp: () => stage.shown(),
    workspaceId: SHOP,
    now: Date.now() + later,
    newId: (name: string) => derivedId('holding test', name, count++),
  });
  const refused = async (code: string, tried: Promise<unknown>): Promise<void> => {
    const error = await tried.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('code', code);
  };
  const takeCode = (by: string, attempt: string) =>
    takeName(context(), promotionHolders(SHOP, Date.now()), { by, attempt, value: 'EID10' });

  it('is respected for a minute, then released: a code', async () => {
    await takeCode(LOST, 'a1');
    await refused('coupon_code_taken', createPromotion(context(), derivedId('second'), coupon));
    await createPromotion(context(LATER), derivedId('second'), coupon);
    await refused('coupon_code_taken', createPromotion(context(LATER), derivedId('third'), coupon));
  });

  it('is respected for a minute, then released: a list', async () => {
    const listId = derivedId('list');
    await createNumberList(context(), listId, { name: 'VIP', kind: 'uploaded' });
    await stage.commands.decide(stage.by(), numberList, listId, takeList(SHOP, LOST, 'a1'));
    await refused('promotion_in_use', deleteNumberList(context(), listId));
    await deleteNumberList(context(LATER), listId);
    await createNumberList(context(), derivedId('list', 2), { name: 'vip', kind: 'uploaded' });
  });

  it('belongs to the same promotion when its creation continues', async () => {
    await takeCode(LOST, 'a1');
    await createPromotion(context(), LOST, coupon);
    await refused('coupon_code_taken', createPromotion(context(LATER), derivedId('second'), coupon));
  });

  it('does not survive the deletion of its promotion', async () => {
    const id = await stage.create(coupon);
    await stage.remove(id);
    // A change that was under way at the deletion has taken the code again.
    await takeCode(id, 'a2');
    await createPromotion(context(), derivedId('second'), coupon);
  });
});
