import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { SHARDS } from '../../engine/processors/shards.js';
import { type InstancesStage, instancesStage, noInstances, type Store } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { customerOf, signedCart } from '../../harness/service/signedCart.js';
import { until } from '../support/tools/until.js';

const PRODUCTS = 20;
/**
 * Maximum time from the death of an instance until the other one runs all its shards, in ms. Detection takes 5 s of
 * silence, and the takeover 1 to 2 s on an idle machine. The limit only detects hangs, because other tests share the
 * cores. `npm run bench -- --only takeover` measures the limit of 10 s.
 */
const TAKEN_OVER = 30_000;
/** Log message of an instance that waited for another instance's heartbeat. */
const SILENT = 'instance heartbeat timed out, its leases are free';

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by the tests
  readonly body: any;
}

/** Number for the client address of a request. Each request uses its own address to avoid the rate limit. */
let address = 0;

/** One instance, as a client of the store sees it. */
class Client {
  readonly service: ServiceProcess;
  readonly store: Store;
  constructor(service: ServiceProcess, store: Store) {
    this.service = service;
    this.store = store;
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answered> {
    const answer = await fetch(`${this.service.baseUrl}/api/v1/workspaces/${this.store.workspaceId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.store.secretKey}`,
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.100.${address++ % 250}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  product(id: string, priceCents: number): Promise<Answered> {
    const imageUrls = ['https://images.example.com/shirt.jpg'];
    return this.call('PUT', `/commerce/products/${id}`, { name: `Shirt ${id}`, imageUrls, priceCents });
  }

  async prices(query = ''): Promise<Map<string, number>> {
    const { body } = await this.call('GET', `/commerce/products?limit=200${query}`);
    return new Map(
      body.products.map((one: { externalId: string; priceCents: number }) => [one.externalId, one.priceCents]),
    );
  }

  async cart(n: number): Promise<number> {
    const { body, headers } = signedCart(this.store, n, [`P${n % PRODUCTS}`]);
    return (await fetch(`${this.service.baseUrl}/channel/webhook`, { method: 'POST', headers, body })).status;
  }

  /** Returns the number of shards in this instance by processor. */
  async shards(): Promise<Map<string, number>> {
    const text = await (await fetch(`${this.service.baseUrl}/metrics`)).text();
    const found = text.matchAll(/^suuq_processor_shards\{processor="(\w+)"\} (\d+)/gm);
    return new Map([...found].map(([, name, count]) => [name!, Number(count)]));
  }

  async orders(): Promise<{ id: string; number: number; customerPhone: string }[]> {
    const all = [];
    for (let cursor = ''; ; ) {
      const { body } = await this.call('GET', `/commerce/orders?limit=200${cursor}`);
      all.push(...body.orders);
      if (body.next === undefined) return all;
      cursor = `&cursor=${encodeURIComponent(body.next)}`;
    }
  }
}

/** Pauses between two requests of one writer, so that the emulator has time for the processors. */
const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

const title = 'two instances on one EventStoreDB and one MongoDB';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(240_000);
    let stage: InstancesStage;
    let hooks: Server;
    let one: Client;
    let two: Client;
    /** Ids of the orders that were delivered to the store's endpoint. */
    const announced = new Set<string>();

    before(async () => {
      stage = await instancesStage({ SUUQ_RATE_IP: '300', SUUQ_TRUST_PROXY: '1', SUUQ_LOG: 'warn' });
      const first = await stage.start('one');
      const store = await stage.store('one');
      one = new Client(first, store);
      await until('one works on all', async () => {
        const shards = await one.shards();
        return ['orderIntake', 'webhooks', 'outbox'].every((name) => shards.get(name) === SHARDS);
      });
      two = new Client(await stage.start('two'), store);
      hooks = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const event = JSON.parse(Buffer.concat(chunks).toString()) as {
            type: string;
            data: { order: { id: string } };
          };
          if (event.type === 'order.created') announced.add(event.data.order.id);
          response.writeHead(204).end();
        });
      }).listen(0, '127.0.0.1');
      await once(hooks, 'listening');
      const made = await one.call('POST', '/webhook-endpoints', { url: hookUrl('/hook'), events: ['order.created'] });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
    });
    after(async () => {
      hooks?.close();
      await stage?.close();
    });

    const hookUrl = (path: string): string => `http://127.0.0.1:${(hooks.address() as AddressInfo).port}${path}`;

    it('divide projections and processors between them', async () => {
      await until('both own some', async () => {
        const { projections } = await stage.json('one', 'projections', 'status');
        const owners = new Set(projections.map(({ owner }: { owner?: string }) => owner ?? 'one'));
        return owners.size === 2 && projections.every(({ state }: { state: string }) => state === 'live');
      });
      await until('each works on half of each processor', async () => {
        const [ones, twos] = [await one.shards(), await two.shards()];
        return ones.size > 0 && [...ones].every(([name, count]) => count === SHARDS / 2 && twos.get(name) === count);
      });
    });

    it('show through one what was changed through the other, as soon as that has responded', async () => {
      for (let price = 100; price < 120; price += 1) {
        const [writer, reader] = price % 2 === 0 ? [one, two] : [two, one];
        const { status, body } = await writer.product('P0', price);
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
        expect((await reader.prices()).get('P0')).to.equal(price);
      }
    });

    it('replay an Idempotency-Key of the other, and run a request once', async () => {
      const batch = {
        products: [{ externalId: 'K1', name: 'K1', imageUrls: ['https://images.example.com/k.jpg'], priceCents: 1 }],
      };
      const key = { 'idempotency-key': 'across-1' };
      const first = await one.call('POST', '/commerce/products/batch', batch, key);
      expect(first.status, JSON.stringify(first.body)).to.equal(200);
      const again = await two.call('POST', '/commerce/products/batch', batch, key);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(again.body).to.deep.equal(first.body);
      const other = { products: [{ ...batch.products[0], priceCents: 2 }] };
      expect((await two.call('POST', '/commerce/products/batch', other, key)).body.code).to.equal(
        'idempotency_key_reused',
      );

      const endpoint = { url: hookUrl('/at-once'), events: ['order.paid'] };
      const make = (client: Client) =>
        client.call('POST', '/webhook-endpoints', endpoint, { 'idempotency-key': 'across-2' });
      const answers = await Promise.all([one, two, one, two].map(make));
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length, JSON.stringify(answers.map(({ body }) => body))).to.be.at.least(1);
      expect(new Set(made.map(({ body }) => body.id)).size).to.equal(1);
      for (const { status, body } of answers)
        if (status !== 201) expect(body.code, JSON.stringify(body)).to.equal('idempotency_in_flight');
      const { body } = await one.call('GET', '/webhook-endpoints');
      expect(JSON.stringify(body).split('at-once')).to.have.length(2);
    });

    it('share one quota', async () => {
      const limited = { 'x-forwarded-for': '203.0.113.7' };
      const began = Date.now();
      let passed = 0;
      for (let batch = 0; batch < 20; batch += 1) {
        const calls = Array.from({ length: 20 }, (_, i) =>
          (i % 2 === 0 ? one : two).call('GET', '/nothing', undefined, limited),
        );
        for (const { status } of await Promise.all(calls)) if (status !== 429) passed += 1;
      }
      const refilled = ((Date.now() - began) / 60_000) * 300;
      expect(passed).to.be.at.least(300 - 2 * 15);
      // Each instance may exceed the bucket by one portion (5 %).
      expect(passed).to.be.at.most(Math.ceil(300 + refilled) + 2 * 15);
    });

    it('continue when one is killed under load: nothing acknowledged is lost, and the other takes over', async () => {
      for (let n = 0; n < PRODUCTS; n += 1) expect((await one.product(`P${n}`, 1000)).status).to.be.oneOf([200, 201]);
      const acknowledged = new Map<string, number>();
      const sent = new Map<string, number>();
      const carts = new Set<number>();
      let price = 2000;
      let cart = 0;
      let ending = false;
      const writing = async (client: Client): Promise<void> => {
        while (!ending) {
          const now = price++;
          const id = `P${now % PRODUCTS}`;
          sent.set(id, now);
          const { status } = await client.product(id, now);
          if (status === 200) acknowledged.set(id, now);
          await breath();
        }
      };
      const buying = async (client: Client): Promise<void> => {
        while (!ending) {
          const n = cart++;
          if ((await client.cart(n)) === 200) carts.add(n);
          await breath();
        }
      };
      // A writer ends when the kill breaks its request.
      const load = Promise.allSettled([one, two].flatMap((client) => [writing(client), buying(client)]));
      await until('the load runs', () => carts.size >= 30);
      await one.service.kill();
      const killed = Date.now();
      await until(
        'the other accepts changes as before',
        async () => (await two.product('T1', 1)).status < 300,
        TAKEN_OVER,
      );
      await until(
        'the other runs all processors',
        async () =>
          (await two.shards()).get('webhooks') === SHARDS && (await two.shards()).get('orderIntake') === SHARDS,
        TAKEN_OVER,
      );
      const took = Date.now() - killed;
      expect(took, 'takeover in ms').to.be.below(TAKEN_OVER);
      expect(two.service.output()).to.contain(SILENT);
      const goal = carts.size + 20;
      await until('the load continues', () => carts.size >= goal);
      ending = true;
      await load;

      const prices = await two.prices();
      for (const [id, acked] of acknowledged)
        expect(prices.get(id), id)
          .to.be.at.least(acked - 4 * PRODUCTS)
          .and.at.most(sent.get(id)!);
      await until('all carts are orders', async () => {
        const phones = new Set((await two.orders()).map((order) => order.customerPhone));
        return [...carts].every((n) => phones.has(`+${customerOf(n)}`));
      });
      const orders = await two.orders();
      expect(new Set(orders.map((order) => order.customerPhone)).size, 'one order a customer').to.equal(orders.length);
      const numbers = orders.map((order) => order.number).sort((a, b) => a - b);
      expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
      await until('all orders announced', () => orders.every((order) => announced.has(order.id)));
      await until(
        'all products are in the channel’s catalog',
        async () => (await two.prices('&status=approved')).size >= PRODUCTS,
      );
    });

    it('rebalance when the killed one is back, and hand over at once when one stops', async () => {
      one = new Client(await stage.start('one'), two.store);
      await until('both own some', async () => {
        const { projections } = await stage.json('two', 'projections', 'status');
        return projections.some(({ owner }: { owner?: string }) => owner === 'one');
      });
      expect(await two.service.stop()).to.equal(0);
      await until(
        'the other accepts changes as before',
        async () => (await one.product('T2', 2)).status < 300,
        TAKEN_OVER,
      );
      await until('the other works on all', async () => (await one.shards()).get('webhooks') === SHARDS, TAKEN_OVER);
      expect(one.service.output(), 'a wait for silence').not.to.contain(SILENT);
    });
  });
