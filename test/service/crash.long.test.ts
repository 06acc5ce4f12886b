import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../support/serviceProcess.js';
import { customerOf, signedCart } from '../support/signedCart.js';

const KILLS = 20;
const PRODUCTS = 60;

/** What the outside world was told, and what it saw. */
interface Ledger {
  /** By product: prices whose change was acknowledged, and the highest that was ever sent. */
  acknowledged: Map<string, number>;
  sent: Map<string, number>;
  /** Carts that the service answered with 200. */
  carts: Set<number>;
  /** Ids of orders that the store's endpoint was told of. */
  announced: Set<string>;
}

interface Page {
  orders: { id: string; number: number; customerPhone: string }[];
  next?: string;
}

function receiver(ledger: Ledger): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as { type: string; data: { order: { id: string } } };
      if (event.type === 'order.created') ledger.announced.add(event.data.order.id);
      response.writeHead(204).end();
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

class Shop {
  readonly service: ServiceProcess;
  readonly demo: Demo;
  constructor(service: ServiceProcess, demo: Demo) {
    this.service = service;
    this.demo = demo;
  }

  async call(method: string, path: string, body?: object): Promise<{ status: number; body: never }> {
    const answer = await fetch(`${this.service.baseUrl}/api/v1/workspaces/${this.demo.store.workspaceId}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.demo.store.secretKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
  }

  product(id: string, priceCents: number): Promise<{ status: number }> {
    return this.call('PUT', `/commerce/products/${id}`, {
      name: `Shirt ${id}`,
      imageUrls: ['https://images.example.com/shirt.jpg'],
      priceCents,
    });
  }

  async cart(n: number): Promise<number> {
    const { body, headers } = signedCart(this.demo, n, [`P${n % PRODUCTS}`]);
    const url = `${this.service.baseUrl}/channel/webhook`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  async orders(): Promise<Page['orders']> {
    const all: Page['orders'] = [];
    for (let cursor = ''; ; ) {
      const page: Page = (await this.call('GET', `/commerce/orders?limit=200${cursor}`)).body;
      all.push(...page.orders);
      if (page.next === undefined) return all;
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
  }
}

/** Writes products and sends carts until the service is gone; what was answered goes into the ledger. */
async function workUntilKilled(shop: Shop, ledger: Ledger, next: { cart: number; price: number }): Promise<void> {
  const products = async (): Promise<void> => {
    for (;;) {
      const price = next.price++;
      const id = `P${price % PRODUCTS}`;
      ledger.sent.set(id, price);
      const { status } = await shop.product(id, price);
      if (status === 200 || status === 201) ledger.acknowledged.set(id, price);
    }
  };
  const carts = async (): Promise<void> => {
    for (;;) {
      const n = next.cart++;
      if ((await shop.cart(n)) === 200) ledger.carts.add(n);
    }
  };
  await Promise.allSettled([products(), products(), products(), products(), carts(), carts(), carts(), carts()]);
}

/** Every document of every current read model, in a form that can be compared. */
function documents(folder: string): string[] {
  const db = openDatabase(join(folder, 'views.db'), { readonly: true });
  try {
    const aliases = db.prepare<[string]>('SELECT name FROM aliases ORDER BY name').all();
    return aliases.flatMap(([name]) =>
      db
        .prepare<[string, string]>(`SELECT id, body FROM "c_${name}" ORDER BY id`)
        .all()
        .map(([id, body]) => `${name} ${id} ${body}`),
    );
  } finally {
    db.close();
  }
}

async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

describe('kill -9 under load, twenty times', function () {
  this.timeout(300_000);
  const folder = temporaryFolder('suuq-crash-');
  const ledger: Ledger = { acknowledged: new Map(), sent: new Map(), carts: new Set(), announced: new Set() };
  let server: Server;
  let shop: Shop;

  before(async () => {
    server = await receiver(ledger);
    const service = await startService(folder.path);
    shop = new Shop(service, readDemo(folder.path));
    for (let n = 0; n < PRODUCTS; n += 1) await shop.product(`P${n}`, 100 + n);
    const { status } = await shop.call('POST', '/webhook-endpoints', {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      events: ['order.created'],
    });
    expect(status).to.equal(201);
    await service.stop();

    const next = { cart: 0, price: 1000 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = await startService(folder.path);
      shop = new Shop(running, readDemo(folder.path));
      const work = workUntilKilled(shop, ledger, next);
      const goal = ledger.carts.size + 20 + (kill % 5) * 15;
      await until('the load runs', () => ledger.carts.size >= goal, 20_000);
      await running.kill();
      await work;
    }
    shop = new Shop(await startService(folder.path), readDemo(folder.path));
  });

  after(async () => {
    await shop.service.stop();
    server.close();
    folder.remove();
  });

  it('keeps every acknowledged product change', async () => {
    for (const [id, price] of ledger.acknowledged) {
      const page: { products: { externalId: string; priceCents: number }[] } = (
        await shop.call('GET', '/commerce/products?limit=200')
      ).body;
      const stored = page.products.find((product) => product.externalId === id);
      // Four writers overlap, so a change that was cut off may have landed too; older than acknowledged it never is.
      expect(stored?.priceCents, id)
        .to.be.at.least(price - 4 * PRODUCTS)
        .and.at.most(ledger.sent.get(id) ?? price);
    }
  });

  it('makes exactly one order of every cart that was answered with 200, numbered without a gap', async () => {
    await until('all carts are orders', async () => {
      const phones = new Set((await shop.orders()).map((order) => order.customerPhone));
      return [...ledger.carts].every((n) => phones.has(`+${customerOf(n)}`));
    });
    const orders = await shop.orders();
    const phones = orders.map((order) => order.customerPhone);
    expect(new Set(phones).size, 'one order a customer').to.equal(phones.length);
    const numbers = orders.map((order) => order.number).sort((a, b) => a - b);
    expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
  });

  it('tells the endpoint of every order', async () => {
    const orders = await shop.orders();
    await until('all orders announced', () => orders.every((order) => ledger.announced.has(order.id)));
  });

  it('pushes every product to the channel catalog', async () => {
    await until('all approved', async () => {
      const page: { products: unknown[] } = (await shop.call('GET', '/commerce/products?limit=200&status=approved'))
        .body;
      return page.products.length === PRODUCTS;
    });
  });

  it('has read models that equal a fresh build', async () => {
    await shop.service.stop();
    const before = documents(folder.path);
    const ran = spawnSync(process.execPath, [suuqCommand, 'projections', 'rebuild', '--json'], {
      env: { ...process.env, SUUQ_DATA: folder.path },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(ran.status, ran.stderr).to.equal(0);
    expect(before.length).to.be.greaterThan(ledger.carts.size);
    expect(documents(folder.path)).to.deep.equal(before);
  });
});
