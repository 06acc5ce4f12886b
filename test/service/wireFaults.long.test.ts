/**
 * The service between two servers over a network that fails at one message after the other: what was acknowledged is there,
 * nothing is done twice, read models equal a fold, and everything owed happens.
 */
import { expect } from 'chai';
import { cartsAreOrders, moneyAddsUp, numbersAreExact, oneOrderACart } from '../crash/invariants.js';
import { newLedger } from '../crash/ledger.js';
import { type Answer, type Body, Shop } from '../crash/shop.js';
import { until } from '../support/fakeClock.js';
import type { Verdict, WireMessage } from '../support/faultyProxy.js';
import { type InstancesStage, instancesStage, noInstances } from '../support/instancesStage.js';
import { isHandshake } from '../support/mongoWire.js';
import { eventOf, type Receiver, receiver } from '../support/receiver.js';
import type { Demo, ServiceProcess } from '../support/serviceProcess.js';
import { faultAt, WIRE_FAULTS } from '../support/wireFaults.js';

type Way = 'events' | 'documents';

/** Which messages of a command's exchange meet a fault: those that end quickly all, those that wait for limits a few. */
const MESSAGES: Readonly<Record<string, readonly number[]>> = {
  'comes late': [0, 3],
  'is lost': [1, 4],
  'comes half': [0, 3, 6],
  'is the last one in its direction': [1, 4],
  'finds the connection reset': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
};
const counts: Readonly<Record<Way, (message: WireMessage) => boolean>> = {
  events: () => true,
  documents: (message) => !isHandshake(message),
};
/** A frame alone cannot get lost: nothing that was sent behind it comes before it. */
const canMeet = (way: Way, verdict: Verdict): boolean => way === 'documents' || verdict !== 'lose';

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300;

const title = 'a service whose network fails at one message';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(300_000);
    const ledger = newLedger();
    const created = new Map<string, Set<string>>();
    let stage: InstancesStage;
    let service: ServiceProcess;
    let shop: Shop;
    let hooks: Receiver;
    let turn = 0;

    before(async () => {
      stage = await instancesStage();
      service = await stage.start('one');
      const { workspaceId, secretKey, channel } = await stage.store('one');
      shop = new Shop(service.baseUrl, { store: { workspaceId, secretKey }, channel } as Demo);
      hooks = await receiver();
      hooks.answerBy((received) => {
        const { id, data } = eventOf(received);
        const order = (data.order as { id: string }).id;
        created.set(order, (created.get(order) ?? new Set()).add(id));
        return 204;
      });
      const made = await shop.call('POST', '/webhook-endpoints', { url: hooks.url, events: ['order.created'] });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      expect(isDone(await shop.product('P1', 1000))).to.equal(true);
    });
    after(async () => {
      await hooks?.close();
      await stage?.close();
    });

    /** As clients and the channel do: again until it is taken; told to come again, and nothing else. */
    async function change(priceCents: number): Promise<void> {
      await until(
        'the change is acknowledged',
        async () => {
          const answer = await shop.product('P1', priceCents);
          if (!isDone(answer)) expect([answer.status, answer.body.code]).to.deep.equal([503, 'unavailable']);
          return isDone(answer);
        },
        60_000,
      );
    }
    async function cart(n: number): Promise<void> {
      await until('the cart is taken', async () => (await shop.cart(n, 'P1')) === 200, 60_000);
      ledger.carts.add(n);
    }
    async function shown(priceCents: number): Promise<void> {
      await until('products are listed', async () => {
        const { status, body } = await shop.call('GET', '/commerce/products?limit=200');
        if (status === 200) expect(body.products.map((one: Body) => one.priceCents)).to.deep.equal([priceCents]);
        return status === 200;
      });
    }

    for (const way of ['events', 'documents'] as const)
      for (const [fault, verdict] of Object.entries(WIRE_FAULTS).filter(([, verdict]) => canMeet(way, verdict)))
        it(`that ${fault}, on the way to the ${way}: what was acknowledged is there`, async function () {
          if (stage.ways === undefined) return this.skip();
          for (const at of MESSAGES[fault]!) {
            turn += 1;
            const meets = faultAt(stage.ways[way], at, verdict, counts[way]);
            await Promise.all([change(1000 + turn), cart(turn)]);
            expect(meets.met, `message ${at}`).to.equal(true);
            stage.ways[way].judge(undefined);
            await shown(1000 + turn);
            expect(await cartsAreOrders(shop, ledger)).to.deep.equal([]);
          }
        });

    const invariants = { oneOrderACart, numbersAreExact, moneyAddsUp };
    it('does nothing twice, and everything that is owed', async () => {
      for (const [name, invariant] of Object.entries(invariants)) expect(await invariant(shop), name).to.deep.equal([]);
      expect(await shop.orders()).to.have.length(turn);
      await until('each order is told of', () => created.size === turn, 60_000);
      for (const [order, ids] of created) expect([...ids], order).to.have.length(1);
    });

    it('has read models that equal a fold', async () => {
      expect(await service.stop()).to.equal(0);
      const { whole, faults } = await stage.json('one', 'verify');
      expect([whole, faults]).to.deep.equal([true, []]);
    });
  });
