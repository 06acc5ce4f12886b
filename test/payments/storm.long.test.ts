/** Many orders paid, refused, cancelled and retried at once, over restarts. The provider's books match the orders. */
import { expect } from 'chai';
import fc from 'fast-check';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { moveOrder, ofStore, order, type PlacedOrder } from '../../domain/orders/order.js';
import { nextAttempt, paymentReference, refundsDue } from '../../domain/orders/paymentDecisions.js';
import { systemClock } from '../../engine/ports/clock.js';
import { createWaafiPay } from '../../infrastructure/payments/waafiPay.js';
import type { SandboxPayment } from '../../infrastructure/sandbox/payments.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';
import { confirmsNumber } from '../support/stages/payerConfirmation.js';
import { type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const ORDERS = 40;
/** Steps in which the store cancels. */
const CANCELLING = 10;
/** Endings of sandbox wallets that pay, cancel, have too little, pay with a lost answer, pay late, are unreachable. */
const ENDINGS = ['0101', '9901', '9902', '9904', '9905', '9908'];

interface Plan {
  readonly ending: string;
  /** Step at which the store cancels. Half of the values lie after the last step, so the store does not cancel. */
  readonly cancelAt: number;
}
/** Plans from a fixed seed, so that a failure is reproducible. */
const PLANS = fc.sample(
  fc.record({ ending: fc.constantFrom(...ENDINGS), cancelAt: fc.integer({ min: 0, max: 2 * CANCELLING - 1 }) }),
  {
    seed: 20261121,
    numRuns: ORDERS,
  },
) as Plan[];

describe('payments of many orders at once', () => {
  let sandbox: SandboxStage;
  let provider: ReturnType<typeof createWaafiPay>;
  let stage: OrderStage;
  const two = (n: number): string => String(n).padStart(2, '0');
  const phone = (n: number): string => `+2526155${String(n).padStart(5, '0')}`;
  const idOf = (n: number): string => orderIdOf(conversationOf(phone(n)), `cart.${n}`);
  const stateOf = (n: number) => stage.commands.query(order, idOf(n), (state) => state as PlacedOrder);
  const all = Array.from({ length: ORDERS }, (_, n) => n);

  before(async () => {
    sandbox = await sandboxStage();
    provider = createWaafiPay({ baseUrl: sandbox.baseUrl, clock: systemClock });
    stage = await orderStage({ provider, unknownMs: 500 });
    await stage.addProducts({ SCARF: { name: 'Scarf', priceCents: 5_50 } });
    await stage.takePayments(['zaad']);
  });
  after(async () => {
    await stage.close();
    await provider.close();
    await sandbox.close();
  });

  const print = (n: number, id: string, token: string, fields: object): Promise<void> =>
    stage.receive(phone(n), id, { type: 'flow_reply', fields: { flow_token: token, ...fields } });

  /** Cancels the orders due at this step and retries failed payments. Returns the number of unsettled orders. */
  async function step(at: number): Promise<number> {
    let unsettled = 0;
    for (const n of all) {
      const state = await stateOf(n);
      if (PLANS[n]!.cancelAt === at && state.status !== 'cancelled' && state.status !== 'refunded')
        await stage.commands.decide(
          stage.context('cancel'),
          order,
          idOf(n),
          ofStore(STORE, moveOrder('store', 'cancelled')),
        );
      const attempt = nextAttempt(state);
      // The same answer arrives at every step, but starts only one attempt.
      if (attempt !== undefined)
        await print(n, `again.${n}.${attempt}.${Date.now()}`, paymentReference(idOf(n), attempt), {
          wallet: 'zaad',
          wallet_phone: phone(n),
        });
      const open = state.payments.some(({ standing }) => standing === 'open');
      if (open || attempt !== undefined || refundsDue(state).length > 0) unsettled += 1;
    }
    return unsettled;
  }

  async function checkOutAll(): Promise<void> {
    for (const n of all) {
      const items = [{ productRetailerId: 'SCARF', quantity: n + 1 }];
      await stage.receive(phone(n), `cart.${n}`, { type: 'order', items });
    }
    await stage.quiet();
    for (const n of all) {
      const answers = { fulfilment: 'pickup', name: 'Asha', wallet_phone: `+252615${two(n)}${PLANS[n]!.ending}` };
      await print(n, `checkout.${n}`, idOf(n), answers);
    }
    for (const n of all) await confirmsNumber(stage, phone(n), `${idOf(n)}.1`);
  }

  /** Runs steps until every order is settled, and restarts the processors in between. */
  async function settle(): Promise<void> {
    let processors = await stage.startProcessors();
    await checkOutAll();
    const end = Date.now() + 40_000;
    for (let at = 0; ; at += 1) {
      const unsettled = at < CANCELLING ? (await step(at)) + 1 : await step(CANCELLING * 2);
      if (unsettled === 0) return stage.quiet();
      if (at === 2 || at === 6) {
        await processors.stop();
        processors = await stage.startProcessors();
      }
      if (Date.now() > end) throw new Error('not settled in time');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Expects the provider's books to match the order. */
  async function agrees(n: number, books: readonly SandboxPayment[]): Promise<string> {
    const { status, totals } = await stateOf(n);
    const mine = books.filter(({ reference }) => reference.startsWith(idOf(n)));
    const current = mine.filter(({ state, reversed }) => state === 'APPROVED' && !reversed).map(({ amount }) => amount);
    expect(current, `order ${n}, ${status}`).to.deep.equal(
      status === 'paid' ? [(totals.totalCents / 100).toFixed(2)] : [],
    );
    expect(
      mine.some(({ reversed }) => reversed),
      `order ${n} gave back`,
    ).to.equal(status === 'refunded');
    expect((await stage.order(idOf(n)))?.status).to.equal(status);
    return status;
  }

  it('charge nobody twice, refund cancelled orders, and leave every paid order with its payment', async () => {
    await settle();
    const { body } = await sandbox.control('GET', '/sandbox/payments');
    const books = (body as { payments: SandboxPayment[] }).payments;
    expect(
      books.every(({ asked }) => asked === 1),
      'no try was sent twice',
    ).to.equal(true);
    const statuses = new Set<string>();
    for (const n of all) statuses.add(await agrees(n, books));
    expect([...statuses]).to.include.members(['cancelled', 'paid']);
  });
});
