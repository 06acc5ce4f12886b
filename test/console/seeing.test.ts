/** Visibility in the console: a store's people see only their store, an auditor sees everything and is recorded. */
import { expect } from 'chai';
import { commandOperations } from '../../api/console/commands.js';
import type { ConsoleSessionBody } from '../../api/console/contract.js';
import { demoOperations } from '../../api/console/demo.js';
import { documentOperations } from '../../api/console/documents.js';
import { eventOperations } from '../../api/console/events.js';
import { instanceOperations } from '../../api/console/instances.js';
import { machineOperations } from '../../api/console/machine.js';
import { momentOperations } from '../../api/console/moments.js';
import { orderOperations } from '../../api/console/orders.js';
import { peopleOperations } from '../../api/console/people.js';
import { phoneOperations } from '../../api/console/phone.js';
import { requestOperations } from '../../api/console/requests.js';
import { webhookOperations } from '../../api/console/webhooks.js';
import type { Services, ViewProgress } from '../../api/contract/services.js';
import { RequestLog } from '../../application/console/requestLog.js';
import { commandsForConsole } from '../../service/admin/consoleCommands.js';
import type { AdminContext } from '../../service/admin/context.js';
import { ORDER, OTHER, OTHER_ORDER, SHOP, signedIn } from '../support/stages/consoleStage.js';

describe('access to the console', () => {
  const on = signedIn();

  it('shows an order after each of its events, and the actor', async () => {
    const { body } = await on.stage.read(on.operator, `/api/orders/${ORDER}/timeline`);
    const steps = body.steps as { event: { type: string; actor: { name: string } }; order: { status: string } }[];
    expect(steps.map(({ event, order }) => [event.type, event.actor.name, order.status])).to.deep.equal([
      ['OrderPlaced', 'The operator', 'new'],
      ['OrderStatusChanged', 'The operator', 'cancelled'],
    ]);
    expect([body.workspaceId, body.more]).to.deep.equal([SHOP, false]);
  });

  it("serves the API's read operations of a store, with the API's responses", async () => {
    const { status, body } = await on.stage.read(
      on.operator,
      `/api/v1/workspaces/${SHOP}/commerce/orders?status=cancelled`,
    );
    expect([status, body.orders.map(({ id }: { id: string }) => id)]).to.deep.equal([200, [ORDER]]);
    const link = await on.stage.change(on.operator, `/api/v1/workspaces/${SHOP}/console-links`, { minutes: 5 });
    expect(link.status, 'a session that makes links would outlive itself').to.equal(404);
  });

  describe('shows store members nothing of another store', () => {
    const hidden = async (path: string): Promise<void> => {
      const answer = await on.stage.read(on.shop, path);
      expect([path, answer.status, answer.body.code]).to.deep.equal([path, 404, 'not_found']);
      expect((await on.stage.read(on.operator, path)).status, `${path} is there`).to.equal(200);
    };
    const placeOf = async (stream: string): Promise<number> =>
      (await on.stage.eventStore.readStream(stream))[0]!.position;

    it('by an order’s id', () => hidden(`/api/orders/${OTHER_ORDER}/timeline`));
    it('by an event’s position', async () => hidden(`/api/events/${await placeOf(`order-${OTHER_ORDER}`)}`));
    it("by an event's effects", async () => hidden(`/api/events/${await placeOf(`order-${OTHER_ORDER}`)}/effects`));
    it('by the API', () => hidden(`/api/v1/workspaces/${OTHER}/commerce/orders`));

    it('in the log, for any query', async () => {
      for (const query of [
        '',
        `?workspace=${OTHER}`,
        `?stream=order-${OTHER_ORDER}`,
        '?type=OrderPlaced',
        '?area=console',
      ]) {
        const { events } = (await on.stage.read(on.shop, `/api/events${query}`)).body as {
          events: { workspaceId: string }[];
        };
        for (const event of events) expect([query, event.workspaceId]).to.deep.equal([query, SHOP]);
      }
      const all = (await on.stage.read(on.operator, `/api/events?workspace=${OTHER}`)).body.events;
      expect(all.length).to.be.above(1);
    });

    it('by any other operation: the list of theirs is complete', () => {
      const none = {} as Services;
      const all = [
        ...peopleOperations(none, async () => ({}) as ConsoleSessionBody),
        ...phoneOperations(undefined),
        ...demoOperations(undefined),
        ...eventOperations(none, []),
        ...orderOperations(none),
        ...machineOperations(async () => ({})),
        ...documentOperations(none),
        ...instanceOperations(async () => ({})),
        ...momentOperations(none),
        ...webhookOperations(none, {} as ViewProgress),
        ...requestOperations(none, new RequestLog('run')),
        ...commandOperations(commandsForConsole(() => ({}) as AdminContext)),
      ];
      const theirs = all.filter(({ roles }) => roles === undefined || roles.includes('store'));
      expect(theirs.map(({ method, path }) => `${method} ${path}`)).to.have.members([
        'GET /session',
        'GET /stores',
        'POST /sign-out',
        'GET /areas',
        'GET /events',
        'GET /events/{position}',
        'GET /events/{position}/effects',
        'GET /orders/{orderId}/timeline',
        'GET /webhooks/{endpointId}/events/{eventId}',
        'GET /moments',
        'GET /product-steps',
        'GET /quote',
        'GET /phone',
        'GET /requests',
        'GET /commands',
        'GET /commands/{name}',
      ]);
    });

    it('in the list of stores', async () => {
      const { body } = await on.stage.read(on.shop, '/api/stores');
      expect(body.stores.map(({ workspaceId }: { workspaceId: string }) => workspaceId)).to.deep.equal([SHOP]);
    });

    it('including system pages and sessions', async () => {
      for (const path of ['/machine', '/sessions', '/processors/webhooks/tasks'])
        expect((await on.stage.read(on.shop, `/api${path}`)).body.code).to.equal('permission_denied');
    });

    it('and rejects their changes', async () => {
      for (const path of [
        `/api/sessions/${on.operator.sessionId}/end`,
        '/api/projections/orders/rebuild',
        '/api/projections/orders/skip',
        '/api/processors/carts/skip',
        '/api/processors/carts/retry',
      ])
        expect((await on.stage.change(on.shop, path)).body.code, path).to.equal('permission_denied');
    });
  });

  it("records an auditor's reads before it answers, and rejects their changes", async () => {
    const auditor = await on.stage.signIn({ role: 'auditor' });
    const paths = [
      `/api/orders/${ORDER}/timeline`,
      `/api/v1/workspaces/${SHOP}/commerce/orders?phone=%2B252615550101`,
      '/api/events?actor=system%3Aoperator',
      '/api/machine',
      '/api/processors/webhooks/tasks',
    ];
    for (const path of paths) expect((await on.stage.read(auditor, path)).status, path).to.equal(200);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${auditor.sessionId}`);
    expect(reads.map(({ data }) => (data as { path: string }).path)).to.deep.equal(
      paths.map((path) => `/console${path}`),
    );
    expect(reads.map(({ data }) => (data as { operation: string }).operation)).to.deep.equal([
      'console.getOrderTimeline',
      'listOrders',
      'console.searchEvents',
      'console.getMachine',
      'console.listProcessorTasks',
    ]);
    for (const path of ['/api/projections/orders/rebuild', '/api/processors/webhooks/retry'])
      expect((await on.stage.change(auditor, path)).body.code, path).to.equal('permission_denied');
    expect(await on.stage.eventStore.readStream(`consoleReads-${on.operator.sessionId}`)).to.deep.equal([]);
  });

  it('finds events by stream, type, actor, cause and time', async () => {
    const found = async (query: string): Promise<string[]> => {
      const { body } = await on.stage.read(on.operator, `/api/events?${query}`);
      return body.events.map(({ type, stream }: { type: string; stream: string }) => `${type} ${stream.slice(0, 5)}`);
    };
    expect(await found(`stream=order-${ORDER}`)).to.deep.equal(['OrderStatusChanged order', 'OrderPlaced order']);
    expect(await found('type=OrderStatusChanged')).to.deep.equal(['OrderStatusChanged order']);
    expect(await found('area=stores')).to.deep.equal(['StoreCreated store', 'StoreCreated store']);
    const [first] = await on.stage.eventStore.readStream(`order-${OTHER_ORDER}`);
    expect(await found(`correlation=${first!.meta.correlationId}`)).to.deep.equal(['OrderPlaced order']);
    expect(await found('actor=customer')).to.deep.equal([]);
    expect((await found('to=2026-03-01T08:00:00.500Z&type=OrderPlaced,OrderStatusChanged')).length).to.equal(2);
    const page = (await on.stage.read(on.operator, '/api/events?area=orders&limit=2')).body;
    const next = (await on.stage.read(on.operator, `/api/events?area=orders&limit=2&before=${page.next}`)).body;
    expect([page.events.length, next.events.length]).to.deep.equal([2, 1]);
    for (const wrong of ['limit=201', 'before=-1', 'from=yesterday'])
      expect((await on.stage.read(on.operator, `/api/events?${wrong}`)).body.code, wrong).to.equal('validation_failed');
  });

  it('serves one page and its files, which load nothing from other hosts', async () => {
    const page = await on.stage.request('GET', `/s/${SHOP}/orders?status=new`);
    expect(page.status).to.equal(200);
    const policy = String(page.headers['content-security-policy']).split(';');
    expect(policy).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(policy.join()).not.to.match(/unsafe|https?:|\*/);
    expect(page.text).not.to.match(/<style|<script>|https?:\/\/|\son\w+=/i);
    const files = [...page.text.matchAll(/(?:src|href)="\/console(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).to.be.at.least(2);
    let sent = 0;
    for (const file of files) {
      const { status, headers, text } = await on.stage.request('GET', file, { 'accept-encoding': 'identity' });
      expect([file, status, headers['cache-control']]).to.deep.equal([
        file,
        200,
        'public, max-age=31536000, immutable',
      ]);
      if (file.endsWith('.js')) sent += Buffer.byteLength(text);
      expect(
        (await on.stage.request('HEAD', file, { 'accept-encoding': 'gzip' })).headers['content-encoding'] ?? 'gzip',
      ).to.equal('gzip');
    }
    expect(sent).to.be.within(1000, 250_000);
  });
});
