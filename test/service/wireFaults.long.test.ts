/**
 * The service between two servers on a network that fails at one message after another. Acknowledged data survives,
 * nothing is done twice, read models equal a fold of the log, and all pending work is done.
 */
import { expect } from 'chai';
import type { Verdict, WireMessage } from '../../harness/engines/faultyProxy.js';
import { type InstancesStage, instancesStage, noInstances } from '../../harness/engines/instancesStage.js';
import type { Demo, ServiceProcess } from '../../harness/service/serviceProcess.js';
import { cartsAreOrders, moneyAddsUp, numbersAreExact, oneOrderACart } from '../crash/invariants.js';
import { newLedger } from '../crash/ledger.js';
import { type Answer, type Body, Shop } from '../crash/shop.js';
import { until } from '../support/doubles/fakeClock.js';
import { isHandshake, onCommands, refusal } from '../support/doubles/mongoWire.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import { faultAt, WIRE_FAULTS } from '../support/doubles/wireFaults.js';

type Way = 'events' | 'documents';

/**
 * Indexes of the messages in a command's exchange that meet a fault. Faults that wait for timeouts cover fewer
 * messages.
 */
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
/** Commands that the driver sends by itself, and the next pages of an answer. */
const DRIVERS_OWN = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'getMore', 'killCursors']);
/** Collections that the owner of a lease opens. The owner retries at a later poll, so one failure in each is enough. */
const OF_OWNERS = /^(views_\w+_v\d|work_tasks_)/;
/** A build that could not be opened is restarted under a new number. All numbers count as one collection. */
const NUMBER_OF_BUILD = /_r\d+$/;
const HEAD_OF_FRAME = 9;
/** A single HTTP/2 frame cannot be lost, because later data of the connection never arrives before it. */
const canMeet = (way: Way, verdict: Verdict): boolean => way === 'documents' || verdict !== 'lose';

/**
 * MongoDB's answer to an operation that exceeded its time limit. The error is transient, and the driver does not retry
 * it.
 */
const OUT_OF_TIME = refusal(50, 'operation exceeded time limit');
const DATA_FRAME = 0;

/**
 * Refuses each command on each collection once, and resets the connection of each message to the log once, so that
 * every call of a start fails before it succeeds. Returns the refused calls.
 */
function refuseEachOnce({ events, documents }: Required<InstancesStage['ways']>): Record<Way, ReadonlySet<string>> {
  const refused: Record<Way, Set<string>> = { events: new Set(), documents: new Set() };
  const isNew = (way: Way, what: string): boolean => !refused[way].has(what) && refused[way].add(what) !== undefined;
  onCommands(documents, ({ name, body }) => {
    const collection = String(body[name]).replace(NUMBER_OF_BUILD, '');
    const isLeft = DRIVERS_OWN.has(name) || (name !== 'listIndexes' && OF_OWNERS.test(collection));
    return !isLeft && isNew('documents', `${name} ${collection}`) ? OUT_OF_TIME : undefined;
  });
  events.judge(({ way, bytes }) => {
    const isMessage = way === 'there' && bytes.length > HEAD_OF_FRAME && bytes[3] === DATA_FRAME;
    return isMessage && isNew('events', bytes.toString('latin1', HEAD_OF_FRAME)) ? 'reset' : undefined;
  });
  return refused;
}

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
    });

    it('that rejects each kind of request once during the start: waits, and becomes ready', async function () {
      this.timeout(150_000);
      const { events, documents } = stage.ways;
      const refused = events && documents && refuseEachOnce({ events, documents });
      service = await stage.start('one', {}, 120_000);
      events?.judge(undefined);
      documents?.judge(undefined);
      if (refused === undefined) return this.skip();
      for (const way of ['events', 'documents'] as const) expect(refused[way].size, way).to.be.above(10);
    });

    it('that keeps rejecting during a start: is named after the time limit, and the process exits', async function () {
      const { documents } = stage.ways;
      if (documents === undefined) return this.skip();
      onCommands(documents, ({ name, body }) =>
        name === 'listIndexes' && body[name] === 'work_projectionBoard' ? OUT_OF_TIME : undefined,
      );
      const ran = await stage.suuq('two', 'projections', 'status');
      documents.judge(undefined);
      const engines =
        /^unavailable: waited 10 s for EventStoreDB at [\d.:]+ and MongoDB at [\d.:]+: .*operation exceeded/;
      expect(ran.stderr).to.match(engines);
      expect(ran.status).to.equal(1);
    });

    it('with EventStoreDB and its own views, which falls silent during the start: waits too', async function () {
      this.timeout(150_000);
      const { events } = stage.ways;
      if (events === undefined) return this.skip();
      // Each request hangs longer than a call waits, on an open connection: one by the projections thread, one for the
      // processors.
      const silent = new Set<string>();
      events.judge(({ way, bytes }) => {
        const about = way === 'there' && /\b(projection|processor)-[a-zA-Z]/.exec(bytes.toString('latin1'))?.[1];
        return about && !silent.has(about) && silent.add(about) ? 'silence' : undefined;
      });
      const alone = await stage.start('alone', { MONGODB_URL: '' }, 120_000);
      events.judge(undefined);
      expect([...silent]).to.deep.equal(['projection', 'processor']);
      expect(await alone.stop()).to.equal(0);
    });

    it('has a store', async () => {
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

    it('stops if a later part of its start fails', async () => {
      const { port } = new URL(service.baseUrl);
      const failed = await stage.start('two', { PORT: port }).catch((error: Error) => error.message);
      expect(failed).to.match(/^the service ended \(1\):\s+port_taken: /);
    });

    /** Retries as clients and the channel do, and expects no answer but 503 until the change is accepted. */
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
      await until('the cart is accepted', async () => (await shop.cart(n, 'P1')) === 200, 60_000);
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
        it(`that ${fault}, on the way to the ${way}: everything acknowledged exists`, async function () {
          const own = stage.ways[way];
          if (own === undefined) return this.skip();
          for (const at of MESSAGES[fault]!) {
            turn += 1;
            const meets = faultAt(own, at, verdict, counts[way]);
            await Promise.all([change(1000 + turn), cart(turn)]);
            expect(meets.met, `message ${at}`).to.equal(true);
            own.judge(undefined);
            await shown(1000 + turn);
            expect(await cartsAreOrders(shop, ledger)).to.deep.equal([]);
          }
        });

    const invariants = { oneOrderACart, numbersAreExact, moneyAddsUp };
    it('performs all pending work, and nothing twice', async () => {
      for (const [name, invariant] of Object.entries(invariants)) expect(await invariant(shop), name).to.deep.equal([]);
      expect(await shop.orders()).to.have.length(turn);
      await until('each order is delivered', () => created.size === turn, 60_000);
      for (const [order, ids] of created) expect([...ids], order).to.have.length(1);
    });

    it('has read models that equal a rebuild', async () => {
      expect(await service.stop()).to.equal(0);
      const { whole, faults } = await stage.json('one', 'verify');
      expect([whole, faults]).to.deep.equal([true, []]);
    });
  });
