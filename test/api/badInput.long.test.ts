/** Bad input and faults against the whole service: each gets a clear answer, and nothing is lost. */
import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import type { Operation } from '../../api/contract/operation.js';
import { operations } from '../../api/operations/index.js';
import { type Body, type Checked, isProblem, locations } from '../support/conformance/answers.js';
import { formWith } from '../support/conformance/areas/files.js';
import { prepareSending } from '../support/conformance/areas/inboxSending.js';
import { otherSignIns, prepareSessions } from '../support/conformance/areas/sessions.js';
import { bodyOf, madeParams, newParams, pathNames } from '../support/conformance/samples.js';
import {
  type ConformanceStage,
  conformanceStage,
  operationNamed,
  product,
  type RequestChoice,
  type Store,
} from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';
import { receiver } from '../support/doubles/receiver.js';
import { JPEG } from '../support/samples/fileSamples.js';

const named = (id: string): Operation => operationNamed(operations, id);
const MB = 1024 * 1024;
/** Maximum bytes of a body: more for a batch of products, less before the caller is authenticated. */
const mostBytes = ({ id, credential }: Operation): number => {
  if (credential === 'user_token') return 40 * 1024;
  return id === 'upsertProducts' ? 8 * MB : MB;
};

/**
 * Yields the path of each text in a body, such as `body.areas[0].name`, with a copy of the body that has `text` there.
 */
function* withText(body: Body, text: string | ((was: string) => string)): Generator<[string, Body]> {
  const root = structuredClone(body);
  function* inside(holder: Body, at: string): Generator<[string, Body]> {
    for (const [key, value] of Object.entries<Body>(holder)) {
      const place = Array.isArray(holder) ? `${at}[${key}]` : `${at}.${key}`;
      if (typeof value === 'string') {
        holder[key] = typeof text === 'string' ? text : text(value);
        yield [place, structuredClone(root)];
        holder[key] = value;
      } else if (typeof value === 'object' && value !== null) yield* inside(value, place);
    }
  }
  yield* inside(root, 'body');
}

/** Returns another text, or another time for a time. */
const changed = (was: string): string =>
  /^\d{4}-\d\d-\d\dT/.test(was) ? new Date(Date.parse(was) + 1000).toISOString() : 'other';

describe('invalid input and failures', () => {
  let stage: ConformanceStage;
  const withBody = operations.filter(({ body }) => body !== undefined);

  const call = (id: string, requested: RequestChoice = {}, store?: Store): Promise<Checked> =>
    stage.call(named(id), requested, store);
  const put = (externalId: string, fields: object = {}, store?: Store): Promise<Checked> =>
    call('upsertProduct', { params: { externalId }, body: product(fields) }, store);
  const products = async (store?: Store): Promise<Body[]> =>
    (await call('listProducts', { query: { limit: 200 } }, store)).body.products;

  before(async () => {
    stage = await conformanceStage();
    await put('shirt');
    await prepareSending(stage);
    await prepareSessions(stage);
  });
  after(() => stage.close());

  describe('every body', () => {
    it('with NUL or a lone surrogate is rejected, with the path of each text', async () => {
      for (const operation of withBody)
        for (const text of ['a\u0000b', '\ud800', 'x\udc00', '\udc00\ud800'])
          for (const [place, body] of withText(bodyOf(stage, operation), text)) {
            const answer = await stage.call(operation, { params: newParams(operation), body });
            isProblem(answer, 422, 'validation_failed', `${operation.id} ${place}`);
            expect(locations(answer), operation.id).to.include(place);
            expect(answer.text, 'the answer itself is sound').to.not.match(/\p{Surrogate}|\\ud[89a-f]/iu);
          }
    });

    it('with NUL, a lone surrogate or a reserved name as a member name is rejected', async () => {
      for (const operation of withBody)
        for (const name of ['\\u0000', '\\ud800', '__proto__', 'constructor', 'toString']) {
          const raw = JSON.stringify(bodyOf(stage, operation)).replace(/\}$/, `,"${name}":{"admin":true}}`);
          const answer = await stage.call(operation, { params: newParams(operation), raw: raw.replace('{,', '{') });
          isProblem(answer, 422, 'validation_failed', `${operation.id} ${name}`);
        }
    });

    it('of endless nesting, or of a million values, is rejected quickly', async () => {
      for (const operation of withBody) {
        // The body limits the depth: each level or value takes two bytes.
        const most = mostBytes(operation) / 2 - 20;
        const levels = Math.min(200_000, most);
        const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
        const wide = `[${'0,'.repeat(Math.min(1_000_000, most))}0]`;
        for (const value of [deep, wide]) {
          const since = performance.now();
          const answer = await stage.call(operation, { params: newParams(operation), raw: `{"surprise":${value}}` });
          isProblem(answer, 422, 'validation_failed', operation.id);
          expect(performance.now() - since, operation.id).to.be.below(10_000);
        }
      }
    });

    it('over 1 MiB, 8 MiB for a product batch, 40 KiB at sign-in, is too large, with or without Content-Length; exactly that size is not', async () => {
      const name = (bytes: number): string => `{"name":"${'x'.repeat(bytes - 11)}"}`;
      for (const operation of withBody) {
        const [params, most] = [newParams(operation), mostBytes(operation)];
        isProblem(await stage.call(operation, { params, raw: name(most + 1) }), 413, 'payload_too_large', operation.id);
        isProblem(await stage.call(operation, { params, raw: name(most) }), 422, 'validation_failed', operation.id);
      }
      const sent = Buffer.from(name(9 * MB));
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `Bearer ${stage.main.key}`, 'content-type': 'application/json' };
        const outgoing = request(`${stage.baseUrl}/api/v1/partner/stores`, { method: 'POST', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        outgoing.on('error', reject);
        for (let at = 0; at < sent.length; at += MB) outgoing.write(sent.subarray(at, at + MB));
        outgoing.end();
      });
      expect(status).to.equal(413);
    });
  });

  it('numbers that no computer writes, or writes differently, are rejected or read exactly', async () => {
    const price = async (text: string): Promise<Checked> => {
      const raw = JSON.stringify(product({ priceCents: 0 })).replace('"priceCents":0', `"priceCents":${text}`);
      return call('upsertProduct', { params: { externalId: 'number' }, raw });
    };
    for (const text of ['1e400', '-1e400', '100000000000.5', '1e11000', '9007199254740993', '-0.1']) {
      const answer = await price(text);
      isProblem(answer, 422, 'validation_failed', text);
      expect([...new Set(locations(answer))], text).to.deep.equal(['body.priceCents']);
    }
    for (const text of ['NaN', 'Infinity', '0x10', '01', '+1', '.5', '1.'])
      isProblem(await price(text), 400, 'malformed_body', text);
    for (const [text, cents] of Object.entries({ '1e3': 1000, '-0': 0, '1200.0': 1200, '1e11': 100_000_000_000 })) {
      expect((await price(text)).status, text).to.be.oneOf([200, 201]);
      const found = (await products()).find(({ externalId }) => externalId === 'number');
      expect(JSON.stringify(found.priceCents), text).to.equal(String(cents));
    }
  });

  it('paths and queries that cannot be decoded are reported', async () => {
    const { workspaceId, key } = stage.main.store;
    const request = async (path: string): Promise<[number, Body]> => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${stage.baseUrl}/api/v1/workspaces/${workspaceId}${path}`, { headers });
      return [answer.status, await answer.json()];
    };
    for (const path of ['/commerce/orders/%00', '/commerce/orders?phone=%00', '/commerce/products?category=%ff']) {
      const [status, body] = await request(path);
      expect([status, body.code], path).to.deep.equal([422, 'validation_failed']);
    }
    for (const path of ['/commerce/orders/%ff', '/commerce/orders/%', `/${'x'.repeat(5_000)}`]) {
      const [status, body] = await request(path);
      expect(status, path.slice(0, 40)).to.be.within(400, 422);
      expect(body, path.slice(0, 40)).to.include.keys('type', 'title', 'status', 'code', 'requestId');
    }
  });

  describe('two concurrent clients', () => {
    it('that put one product are answered one after another, and each then reads it', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const { body } = await put('race', { name: 'Race' });
          const seen = (await products()).some(({ externalId }) => externalId === 'race');
          return `${body.result} ${seen}`;
        }),
      );
      expect(outcomes.filter((one) => one === 'created true')).to.have.length(1);
      expect(outcomes.filter((one) => one === 'unchanged true')).to.have.length(15);
    });

    it('that create one store get one store, and each then reads it', async () => {
      const body = { ...bodyOf(stage, named('createPartnerStore')), externalRef: 'race' };
      const answers = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const { status, body: store } = await call('createPartnerStore', { body });
          const read = await call('getPartnerStore', { params: { externalRef: 'race' } });
          expect(read.body).to.deep.equal(store);
          return `${status} ${store.workspaceId}`;
        }),
      );
      expect(answers.filter((one) => one.startsWith('201'))).to.have.length(1);
      expect(new Set(answers.map((one) => one.slice(4))).size).to.equal(1);
    });

    it('that change one order change it once; the others get an error, and nothing is lost', async () => {
      const orderId = await stage.order();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          n % 2 === 0
            ? call('cancelOrder', { params: { orderId }, body: { reason: `no ${n}` } })
            : call('setOrderStatus', { params: { orderId }, body: { status: 'cancelled', note: `no ${n}` } }),
        ),
      );
      const done = answers.filter(({ status }) => status === 200);
      expect(done).to.have.length(1);
      for (const answer of answers) if (answer !== done[0]) isProblem(answer, 409, 'order_status_not_allowed');
      const { body } = await call('getOrder', { params: { orderId } });
      expect(body.cancelReason).to.equal(done[0]!.body.cancelReason);
      const moves = body.events.filter(({ kind }: { kind: string }) => kind === 'status_changed');
      expect(moves).to.have.length(1);
    });
  });

  /**
   * Yields bodies that differ in one place each. A sign-in is its own credential, so its variants prove the same user.
   * A reused key is detected only after its owner is known.
   */
  function others({ credential }: Operation, body: Body): Iterable<[string, Body]> {
    if (body instanceof FormData) return [['file', formWith(JPEG)]];
    // The body has no text to change.
    if (typeof body?.minutes === 'number') return [['body.minutes', { ...body, minutes: body.minutes + 1 }]];
    return credential === 'user_token' ? otherSignIns(stage, body) : withText(body, changed);
  }

  /**
   * Splits off values that are shown only once. A replay omits secrets and links, and leaves a session's required token
   * empty.
   */
  function reportedOnce({ id }: Operation, { secret, url, ...rest }: Body): { shown: Body; once: string[] } {
    const isLink = id === 'createConsoleLink' || id === 'createMemberLink';
    const shown = { ...rest, ...(url !== undefined && !isLink && { url }) };
    if (rest.token !== undefined) shown.token = '';
    return { shown, once: [secret, rest.token, isLink ? url : undefined].filter((one) => one !== undefined) };
  }

  for (const operation of operations.filter(({ idempotent }) => idempotent))
    describe(`an Idempotency-Key of ${operation.id}`, () => {
      const request = async () => {
        const made = pathNames(operation).length === 0 ? {} : await madeParams(stage, operation);
        const headers = { 'idempotency-key': `${operation.id}-${randomUUID()}` };
        return { params: made, headers, body: bodyOf(stage, operation) };
      };

      it('with the same body replays the first response, without secrets', async () => {
        const requested = await request();
        const [first, again] = [await stage.call(operation, requested), await stage.call(operation, requested)];
        expect(first.headers.get('idempotent-replayed')).to.equal(null);
        expect(again.headers.get('idempotent-replayed')).to.equal('true');
        const { shown, once } = reportedOnce(operation, first.body ?? {});
        expect([again.status, again.body ?? {}]).to.deep.equal([first.status, shown]);
        for (const secret of once) expect(again.text).to.not.include(secret);
      });

      it('with another body, or for another resource, is rejected, whatever the first result', async () => {
        const requested = await request();
        await stage.call(operation, requested);
        if (requested.body === undefined) {
          const { params } = await request();
          isProblem(await stage.call(operation, { ...requested, params }), 422, 'idempotency_key_reused');
          return;
        }
        const codes = new Set<string>();
        for (const [place, body] of others(operation, requested.body)) {
          const answer = await stage.call(operation, { ...requested, body });
          expect(answer.status, `${place} ${answer.text}`).to.equal(422);
          codes.add(answer.body.code);
        }
        expect([...codes]).to.include('idempotency_key_reused');
      });

      if (operation.credential === 'user_token')
        it('with invalid credentials in the body is rejected as such, used or not, and the key is unchanged', async () => {
          const requested = await request();
          const refusals = async (): Promise<Body[]> => {
            const found: Body[] = [];
            for (const [place, body] of withText(requested.body, 'other')) {
              const answer = await stage.call(operation, { ...requested, body });
              found.push([place, answer.status, answer.body.code]);
            }
            return found;
          };
          const unused = await refusals();
          expect(unused).to.deep.equal([
            ['body.publishableKey', 401, 'unauthenticated'],
            ['body.userToken', 401, 'user_token_invalid'],
            ['body.embedOrigin', 403, 'origin_not_allowed'],
          ]);
          expect((await stage.call(operation, requested)).status).to.equal(201);
          expect(await refusals()).to.deep.equal(unused);
          expect((await stage.call(operation, requested)).headers.get('idempotent-replayed')).to.equal('true');
        });

      it('runs once for many concurrent requests', async () => {
        const requested = await request();
        const answers = await Promise.all(Array.from({ length: 12 }, () => stage.call(operation, requested)));
        const ran = answers.filter(({ status, headers }) => status < 300 && !headers.has('idempotent-replayed'));
        expect(ran).to.have.length(1);
        for (const answer of answers) if (answer.status >= 300) isProblem(answer, 409, 'idempotency_in_flight');
        expect((await stage.call(operation, requested)).headers.get('idempotent-replayed')).to.equal('true');
      });
    });

  describe('a cart', () => {
    const orders = async (store: Store): Promise<Body[]> => (await call('listOrders', {}, store)).body.orders;

    /** Sends a cart with these quantities and a new signature, which is wrong if `forged`. */
    async function send(store: Store, lines: Record<string, number>, forged = false): Promise<number> {
      const { body, headers } = stage.cart(store, Object.keys(lines));
      const delivery = JSON.parse(body);
      for (const line of delivery.entry[0].changes[0].value.messages[0].order.product_items)
        line.quantity = lines[line.product_retailer_id];
      const bytes = JSON.stringify(delivery);
      const signature = createHmac('sha256', forged ? 'guessed' : store.channel.appSecret)
        .update(bytes)
        .digest('hex');
      const signed = { ...headers, 'x-hub-signature-256': `sha256=${signature}` };
      return (await fetch(store.channel.webhookUrl, { method: 'POST', body: bytes, headers: signed })).status;
    }

    it('leaves out items that are unknown, inactive, out of stock or more than 99, with a note', async () => {
      const store = await stage.addStore(stage.main, 'carts');
      const fields = {
        gone: { active: false },
        empty: { availability: 'out_of_stock' },
        none: { stock: 0 },
        few: { stock: 3 },
      };
      for (const [externalId, more] of Object.entries(fields))
        await put(externalId, { name: externalId, ...more }, store);
      await put('good', { name: 'good', priceCents: 7_00 }, store);
      await put('most', { name: 'most' }, store);
      const cart = { good: 2, unknown: 1, gone: 1, empty: 1, none: 1, few: 4, most: 100 };
      expect(await send(store, cart)).to.equal(200);
      await until('there is an order', async () => (await orders(store)).length === 1);
      const [{ id }] = (await orders(store)) as [{ id: string }];
      const { body } = await call('getOrder', { params: { orderId: id } }, store);
      expect(body.items.map(({ retailerId, quantity }: Body) => [retailerId, quantity])).to.deep.equal([['good', 2]]);
      expect([body.subtotalCents, body.totalCents, body.itemCount]).to.deep.equal([14_00, 14_00, 2]);
      for (const left of ['unknown', 'gone', 'empty', 'none', 'few', 'most']) expect(body.note).to.include(left);
    });

    it('creates no order without available items or from a forged form; the next cart is the first order', async () => {
      const store = await stage.addStore(stage.main, 'forged');
      await put('good', {}, store);
      expect(await send(store, { unknown: 1 })).to.equal(200);
      expect(await send(store, { good: 1 }, true)).to.equal(403);
      expect(await send(store, { good: 99 })).to.equal(200);
      await until('there is an order', async () => (await orders(store)).length > 0);
      const found = await orders(store);
      expect(found.map(({ number, itemCount }) => [number, itemCount])).to.deep.equal([[1, 99]]);
    });
  });

  describe('during failures', () => {
    const fault = async (target: string, kind: string, times: number): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ target, kind, times });
      const { status } = await fetch(`${stage.sandboxUrl}/sandbox/faults`, { method: 'POST', headers, body });
      expect(status).to.equal(201);
    };

    it('a hanging endpoint delays neither other endpoints nor requests', async () => {
      const store = await stage.addStore(stage.main, 'hooks');
      await put('shirt', {}, store);
      const [stuck, well] = [await receiver(), await receiver()];
      stuck.answer('hang');
      for (const { url } of [stuck, well]) {
        const body = { url, events: ['order.created'] };
        expect((await call('createWebhookEndpoint', { body }, store)).status).to.equal(201);
      }
      for (let n = 0; n < 6; n += 1) await stage.order(store);
      await until('every order was delivered', () => well.received.length === 6);
      expect(stuck.received.length, 'the hanging one was asked too').to.be.within(1, 6);
      await Promise.all([stuck.close(), well.close()]);
    });

    it('a provider that hangs or accepts nothing leaves products readable and queued, and receives them later', async () => {
      const store = await stage.addStore(stage.main, 'provider');
      await fault('items_batch', 'error', 1);
      await fault('items_batch', 'empty_handles', 1);
      const since = performance.now();
      await put('later', {}, store);
      const [first] = await products(store);
      expect(first.sync.status).to.equal('queued');
      expect(performance.now() - since, 'nobody waits for the provider').to.be.below(8_000);
      await until('the provider has it', async () => (await products(store))[0].sync.status !== 'queued', 25_000);
      expect((await products(store))[0].sync.status).to.be.oneOf(['in_review', 'approved']);
    });

    it('the service stops in time while the provider and the channel hang', async () => {
      for (const target of ['items_batch', 'messages', 'batch_status']) await fault(target, 'hang', 20);
      await put('at-the-end');
      const { store } = stage.main;
      const newest = async (): Promise<number> => (await call('listOrders', {}, store)).body.orders[0]?.number ?? 0;
      const before = await newest();
      // The summary of this order never reaches the customer.
      const { status } = await fetch(store.channel.webhookUrl, { method: 'POST', ...stage.cart(store, ['shirt']) });
      expect(status).to.equal(200);
      await until('the cart is an order', async () => (await newest()) > before);
      const since = performance.now();
      await stage.stop();
      expect(performance.now() - since).to.be.below(14_000);
    });
  });
});
