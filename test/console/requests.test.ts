/** The last requests of each key: retention, permissions, and the tail. */
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { numberAt, placeOf, type RequestInFlight, RequestLog } from '../../application/console/requestLog.js';
import { adminCommands, executeAdmin } from '../../service/admin/adminCommands.js';
import { type Browser, ORDER, OTHER, OTHER_ORDER, SHOP, signedIn } from '../support/stages/consoleStage.js';

const inFlight = (keyId: string, more: Partial<RequestInFlight> = {}): RequestInFlight => ({
  principal: { kind: 'secret_key', keyId, mode: 'live', scopes: new Set(), workspaceId: SHOP },
  ...{ workspaceId: SHOP, memberId: undefined, code: undefined, operation: 'listOrders', requestId: 'r', events: 0 },
  ...more,
});

interface Listed {
  readonly requests: readonly { readonly status: number; readonly by: string }[];
  readonly place: string;
}

describe('the request log', () => {
  it('keeps the last 200 of each key that was used recently', () => {
    const log = new RequestLog('run');
    log.note(inFlight('quiet'), 200, 1, 1);
    for (let i = 0; i < 500; i += 1) log.note(inFlight('busy', { requestId: `r${i}` }), 200, 1, i);
    const busy = log.find({ keyId: 'busy' }, { limit: 1000 }).requests;
    expect([busy.length, busy[0]!.requestId, busy.at(-1)!.requestId]).to.deep.equal([200, 'r499', 'r300']);
    expect(log.find({ keyId: 'quiet' }, { limit: 10 }).requests.length).to.equal(1);
  });

  it('evicts the longest unused key when it is full, and stays within its size', () => {
    const log = new RequestLog('run', 10);
    for (const key of ['a', 'b', 'c']) for (let i = 0; i < 4; i += 1) log.note(inFlight(key), 200, 1, i);
    const retained = log.find({}, { limit: 100 }).requests.map(({ keyId }) => keyId);
    expect(retained).to.deep.equal(['c', 'c', 'c', 'c', 'b', 'b', 'b', 'b']);
    for (let i = 0; i < 50; i += 1) log.note(inFlight('d'), 200, 1, i);
    const { requests } = log.find({}, { limit: 100 });
    expect([requests.length, new Set(requests.map(({ number }) => number)).size]).to.deep.equal([10, 10]);
    expect(requests[0]!.number).to.equal(62);
  });

  it('returns pages without gaps or duplicates', () => {
    const log = new RequestLog('run');
    for (let i = 0; i < 7; i += 1) log.note(inFlight(i % 2 === 0 ? 'a' : 'b'), 200, 1, i);
    const first = log.find({}, { limit: 4 });
    const second = log.find({}, { limit: 4, before: first.next! });
    const numbers = [...first.requests, ...second.requests].map(({ number }) => number);
    expect([numbers, second.next]).to.deep.equal([[7, 6, 5, 4, 3, 2, 1], undefined]);
  });

  it('starts empty in another process', () => {
    const log = new RequestLog('now');
    expect([numberAt(log, placeOf(log, 7)), numberAt(log, 'before.7'), numberAt(log, 'x')]).to.deep.equal([7, 0, 0]);
  });
});

describe('requests in the console', () => {
  const on = signedIn();
  const api = async (key: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': `${key}-1` };
    return fetch(`${on.stage.url}/api/v1/workspaces/${path}`, { ...init, headers });
  };
  before(async () => {
    await api('sk_live_shop', `${SHOP}/commerce/orders`);
    await api('sk_live_shop', `${SHOP}/commerce/orders/${ORDER}/status`, {
      method: 'POST',
      body: JSON.stringify({ status: 'delivered' }),
    });
    await api('sk_live_shop', `${OTHER}/commerce/orders/${OTHER_ORDER}`);
    await api('sk_live_other', `${OTHER}/commerce/orders/${OTHER_ORDER}`);
    await api('psk_live_partner', `${OTHER}/commerce/orders`);
    await api('psk_live_partner', `${SHOP}/commerce/orders?status=nonsense`);
    await api('sk_live_unknown', `${SHOP}/commerce/orders`);
  });
  const seen = async (browser: Browser, query = ''): Promise<string[]> => {
    const { body } = await on.stage.read(browser, `/api/requests${query}`);
    return body.requests.map(
      ({ key, operation, status }: { key: { id: string }; operation: string; status: number }) =>
        `${key.id} ${operation} ${status}`,
    );
  };

  it('are those with a key, newest first, without the console’s own', async () => {
    expect(await seen(on.operator)).to.deep.equal([
      'key-partner listOrders 422',
      'key-partner listOrders 200',
      'key-other getOrder 200',
      'key-shop getOrder 404',
      'key-shop setOrderStatus 409',
      'key-shop listOrders 200',
    ]);
    const [row] = (await on.stage.read(on.operator, '/api/requests?code=validation_failed')).body.requests;
    expect(row).to.include({ code: 'validation_failed', workspaceId: SHOP, events: 0 });
    expect([row.key.name, row.ms > 0, Date.parse(row.at)]).to.deep.equal([
      "The partner's key key-part",
      true,
      on.stage.clock.now(),
    ]);
  });

  it('are limited for store members to their keys and to requests for their store', async () => {
    const own = [
      'key-partner listOrders 422',
      'key-shop getOrder 404',
      'key-shop setOrderStatus 409',
      'key-shop listOrders 200',
    ];
    for (const query of ['', `?workspace=${OTHER}`]) expect(await seen(on.shop, query), query).to.deep.equal(own);
    expect(await seen(on.shop, '?key=key-other')).to.deep.equal([]);
    expect(await seen(on.shop, '?key=key-partner')).to.deep.equal(['key-partner listOrders 422']);
  });

  it('are found by key, operation, status, code, id, store and time', async () => {
    expect((await seen(on.operator, '?status=4xx')).length).to.equal(3);
    expect(await seen(on.operator, '?status=404')).to.deep.equal(['key-shop getOrder 404']);
    expect((await seen(on.operator, '?operation=listOrders&key=key-shop')).length).to.equal(1);
    expect(await seen(on.operator, '?request=sk_live_other-1')).to.deep.equal(['key-other getOrder 200']);
    expect((await seen(on.operator, `?workspace=${OTHER}`)).length).to.equal(2);
    const now = new Date(on.stage.clock.now()).toISOString();
    expect((await seen(on.operator, `?to=${now}`)).length).to.equal(0);
    expect((await seen(on.operator, `?from=${now}`)).length).to.equal(6);
    for (const wrong of ['status=9xx', 'status=40', 'limit=201', 'before=x', 'from=now'])
      expect((await on.stage.read(on.operator, `/api/requests?${wrong}`)).body.code, wrong).to.equal(
        'validation_failed',
      );
  });

  it('show how many events they caused, which are found by the correlation id', async () => {
    const changed = await api('sk_live_shop', `${SHOP}/commerce/delivery`, {
      method: 'PUT',
      body: JSON.stringify({
        deliveryEnabled: false,
        pickupEnabled: true,
        pickupAddress: '',
        requestLocation: false,
        notifyStatuses: [],
        areas: [],
      }),
    });
    expect(changed.status, await changed.text()).to.equal(200);
    const [row] = (await on.stage.read(on.shop, '/api/requests?limit=1')).body.requests;
    const { events } = (await on.stage.read(on.shop, `/api/events?correlation=${row.requestId}`)).body;
    expect([row.operation, row.events, events.length > 0]).to.deep.equal(['saveDeliverySettings', events.length, true]);
  });

  it('are readable by an auditor, which is recorded', async () => {
    expect((await seen(on.auditor)).length).to.be.above(5);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.include({ operation: 'console.listRequests' });
  });

  it('arrive live, after those already in the browser, for users who may see them', async () => {
    const { since } = (await on.stage.read(on.shop, '/api/requests')).body;
    await api('sk_live_other', `${OTHER}/commerce/orders/${OTHER_ORDER}`);
    await api('sk_live_shop', `${SHOP}/commerce/orders/${ORDER}`);
    const reported = await new Promise<string>((resolve, reject) => {
      const headers = { cookie: on.shop.cookie, 'last-event-id': since };
      const requested = httpRequest(`${on.stage.consoleUrl}/api/requests/tail`, { headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          if (!text.includes('data: ')) return;
          requested.destroy();
          resolve(text);
        });
      });
      requested.on('error', reject).end();
    });
    const { requests } = JSON.parse(/data: (.+)/.exec(reported)![1]!);
    expect(requests.map(({ key }: { key: { id: string } }) => key.id)).to.deep.equal(['key-shop']);
    expect(reported).to.match(/^id: stage\.\d+$/m);
  });

  describe('are listed by `suuq logs`', () => {
    const logs = (input: object) => executeAdmin(on.stage.admin, 'requests.list', input) as Promise<Listed>;

    it('by key, operation, status and store, and after a cursor', async () => {
      const { requests, place } = await logs({ key: 'key-shop', status: '4xx', workspace: SHOP });
      expect(requests.map(({ status, by }) => [status, by])).to.deep.equal([
        [404, "The store's key key-shop"],
        [409, "The store's key key-shop"],
      ]);
      expect((await logs({ after: place, operation: 'listOrders' })).requests.length).to.equal(2);
      expect((await logs({ after: 'before.1' })).requests.length).to.equal((await logs({})).requests.length);
      const wrong = await logs({ status: '9xx' }).catch(({ code }) => code);
      expect(wrong).to.equal('validation_failed');
    });

    it('with --follow one per line, without gaps or duplicates, and as JSON on request', async () => {
      const { follow } = adminCommands.find(({ name }) => name === 'requests.list')!;
      const lines: string[] = [];
      let rounds = 0;
      const execute = async (command: string, input: unknown): Promise<object> => {
        rounds += 1;
        if (rounds > 2) throw new Error('ended');
        if (rounds === 1) await api('sk_live_other', `${OTHER}/commerce/orders`);
        return executeAdmin(on.stage.admin, command, input);
      };
      const first = await logs({ key: 'key-other', follow: true });
      const terminal = { out: (line: string) => void lines.push(line), note: () => {}, watched: false, json: true };
      const ended = await follow!(first as never, execute, terminal).catch(({ message }) => message);
      expect([ended, lines.length]).to.deep.equal(['ended', first.requests.length + 1]);
      expect(lines.every((line) => line.endsWith('}\n'))).to.equal(true);
      expect(JSON.parse(lines.at(-1)!)).to.include({ keyId: 'key-other', operation: 'listOrders', status: 200 });
    });

    it('only while a service runs', async () => {
      const { requestLog: _, ...resting } = on.stage.admin;
      const code = await executeAdmin(resting, 'requests.list', {}).catch((error) => error.code);
      expect(code).to.equal('not_running');
    });
  });
});
