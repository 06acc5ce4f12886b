import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { type InstancesStage, instancesStage, noInstances, type Store } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { signedCart } from '../../harness/service/signedCart.js';
import { until } from '../support/tools/until.js';

interface Notice {
  readonly data: { readonly order: { readonly id: string } };
}

const CARTS = 3;
const title = 'instances with a role each';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(120_000);
    let stage: InstancesStage;
    let front: ServiceProcess;
    let holder: ServiceProcess;
    let worker: ServiceProcess;
    let store: Store;
    let hooks: Server;
    /** Status codes of the API instance for orders that the other instance has just announced. */
    const found: number[] = [];
    before(async () => {
      stage = await instancesStage();
      // The instance with projections starts first, because the others wait for the read models.
      holder = await stage.start('keeper', { SUUQ_ROLES: 'projections' });
      front = await stage.start('front', { SUUQ_ROLES: 'api' });
      worker = await stage.start('worker', { SUUQ_ROLES: 'processors' });
      store = await stage.store('front');
      hooks = createServer((request, response) => {
        void json(request)
          .then((event) => call(front, 'GET', `/commerce/orders/${(event as Notice).data.order.id}`))
          .then(({ status }) => found.push(status))
          .finally(() => response.writeHead(204).end());
      }).listen(0, '127.0.0.1');
      await once(hooks, 'listening');
    });
    after(async () => {
      hooks?.close();
      await stage?.close();
    });

    const call = (service: ServiceProcess, method: string, path: string, body?: object): Promise<Response> =>
      fetch(`${service.baseUrl}/api/v1/workspaces/${store.workspaceId}${path}`, {
        method,
        headers: { authorization: `Bearer ${store.secretKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const metrics = async (service: ServiceProcess): Promise<string> =>
      (await fetch(`${service.baseUrl}/metrics`)).text();

    it('together behave like one: carts become orders, and webhooks are sent, whose receivers find the orders', async () => {
      const shirt = { name: 'Shirt', imageUrls: ['https://images.example.com/shirt.jpg'], priceCents: 1500 };
      expect((await call(front, 'PUT', '/commerce/products/shirt', shirt)).status).to.equal(201);
      const url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/hook`;
      expect((await call(front, 'POST', '/webhook-endpoints', { url, events: ['order.created'] })).status).to.equal(
        201,
      );
      for (let n = 1; n <= CARTS; n += 1) {
        const cart = signedCart(store, n, ['shirt']);
        expect((await fetch(`${front.baseUrl}/channel/webhook`, { method: 'POST', ...cart })).status).to.equal(200);
        await until(`order ${n} is delivered`, () => found.length === n);
      }
      expect(found).to.deep.equal(Array.from({ length: CARTS }, () => 200));
      const { orders } = (await (await call(front, 'GET', '/commerce/orders')).json()) as { orders: unknown[] };
      expect(orders).to.have.length(CARTS);
    });

    it('serve the API and the channel’s webhook with the role api only', async () => {
      for (const other of [holder, worker]) {
        expect((await call(other, 'GET', '/commerce/products')).status).to.equal(404);
        expect((await fetch(`${other.baseUrl}/channel/webhook`)).status).to.equal(404);
        expect((await fetch(`${other.baseUrl}/readyz`)).status).to.equal(200);
      }
    });

    it('run projections and processors only where configured', async () => {
      expect(await metrics(holder)).to.match(/suuq_projection_lag_bytes\{projection="orders"\}/);
      expect(await metrics(holder)).not.to.include('suuq_processor_lag_bytes{');
      expect(await metrics(worker)).to.match(/suuq_processor_lag_bytes\{processor="webhooks"\}/);
      for (const other of [front, worker]) expect(await metrics(other)).not.to.include('suuq_projection_lag_bytes{');
      expect(await metrics(front)).not.to.include('suuq_processor_lag_bytes{');
      const { stdout } = await stage.suuq('front', 'projections', 'status');
      expect(stdout)
        .to.match(/RUN BY\n/)
        .and.match(/^orders .* keeper$/m);
    });

    it('rebuild a projection where it runs, whichever instance receives the request', async () => {
      const { projections } = await stage.json('worker', 'projections', 'rebuild', 'orders');
      expect(projections[0]).to.deep.include({ name: 'orders', state: 'live', owner: 'keeper' });
      expect((await call(front, 'GET', '/commerce/orders')).status).to.equal(200);
    });
  });
