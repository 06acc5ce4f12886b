/** What every operation promises, derived from its declaration: a new operation is held to it without a line here. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { routeOf } from '../../api/http/routes.js';
import { openApiDocument } from '../../api/openapi.js';
import type { KeyedOperation, Operation } from '../../api/operation.js';
import { operations } from '../../api/operations.js';
import { type ClosedStore, closedStore } from '../support/closedStore.js';
import { prepareSending } from '../support/conformance/inboxSending.js';
import { type Body, type Checked, isProblem, locations } from '../support/conformanceAnswers.js';
import { isList, pageOf, twoRows } from '../support/conformancePages.js';
import { bodyOf, madeParams, newParams, pathNames } from '../support/conformanceSamples.js';
import {
  type ConformanceWorld,
  conformanceWorld,
  featuresWithout,
  isPartners,
  operationNamed,
  type Partner,
  product,
  scopesWithout,
} from '../support/conformanceWorld.js';

/** With keys as their credential. Sessions are held to what they promise in sessions.*.test.ts. */
const keyed = operations.filter((one): one is KeyedOperation => one.scope !== null);
const isRead = (operation: Operation): boolean => routeOf(operation).method === 'GET';
const named = (id: string): Operation => operationNamed(operations, id);

/** The answer without what differs from request to request. */
const anonymous = ({ status, body }: Checked): object => ({ status, body: { ...body, requestId: '' } });

describe('every operation', function () {
  this.timeout(30_000);
  let world: ConformanceWorld;
  /** Of the main partner and its store: no credential (any more). */
  const useless: Record<string, string> = {};
  const lacking = new Map<string, Promise<Partner>>();
  let closed: ClosedStore;
  let paused: Partner;

  /** A request that would succeed if nothing were wrong with its credential. */
  const asked = (operation: Operation) => ({ params: newParams(operation), body: bodyOf(world, operation) });

  async function uselessKeys(): Promise<void> {
    const owners = { store: { workspace: world.main.store.workspaceId }, partner: { partner: world.main.id } };
    for (const [name, owner] of Object.entries(owners)) {
      const publishable = await world.operator('keys.create', { ...owner, mode: 'test', kind: 'publishable' });
      const scopes = [name === 'store' ? 'commerce:manage' : 'partner.stores:view'];
      const revoked = await world.operator('keys.create', { ...owner, mode: 'test', scopes });
      await world.operator('keys.revoke', { id: revoked.id });
      useless[`the ${name}’s publishable key`] = publishable.key;
      useless[`a revoked key of the ${name}`] = revoked.key;
    }
    useless['an unknown store key'] = `sk_live_${'0'.repeat(40)}`;
    useless['an unknown partner key'] = `psk_test_${'0'.repeat(40)}`;
    useless['an unknown session'] = 'sdk_unknown';
  }

  before(async () => {
    world = await conformanceWorld();
    await uselessKeys();
    await prepareSending(world);
    for (const store of [world.main.store, world.sibling, world.rival.store])
      for (const externalId of ['shirt', 'trousers'])
        await world.call(named('upsertProduct'), { params: { externalId }, body: product() }, store);
    closed = await closedStore(world);
    paused = await world.addPartner('paused');
    await world.operator('partners.suspend', { id: paused.id });
  });
  after(() => world.close());

  for (const operation of keyed) {
    describe(operation.id, () => {
      it('needs a credential', async () => {
        const answer = await world.call(operation, { ...asked(operation), key: null });
        isProblem(answer, 401, 'unauthenticated');
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="suuq"');
        const basic = { ...asked(operation), key: null, headers: { authorization: 'Basic c2tfbGl2ZTo=' } };
        isProblem(await world.call(operation, basic), 401, 'unauthenticated');
        for (const [name, key] of Object.entries(useless)) {
          const refused = await world.call(operation, { ...asked(operation), key });
          isProblem(refused, 401, 'unauthenticated', name);
          expect(refused.headers.get('www-authenticate'), name).to.include('error="invalid_token"');
          expect(refused.text, name).to.not.include(key);
        }
      });

      it('reaches nothing that belongs to others', async () => {
        const { main, rival, sibling } = world;
        if (isPartners(operation)) {
          const answer = await world.call(operation, { ...asked(operation), key: main.store.key });
          return isProblem(answer, 403, 'permission_denied');
        }
        const nowhere = { ...main.store, workspaceId: randomUUID() };
        const unknown = await world.call(operation, asked(operation), nowhere);
        isProblem(unknown, 404, 'not_found');
        for (const [name, key] of Object.entries({
          'another partner': rival.key,
          'a store of another partner': rival.store.key,
          'another store of the partner': sibling.key,
        })) {
          const answer = await world.call(operation, { ...asked(operation), key });
          expect(anonymous(answer), name).to.deep.equal(anonymous(unknown));
        }
        isProblem(
          await world.call(operation, asked(operation), { ...nowhere, workspaceId: 'no-id' }),
          404,
          'not_found',
        );
      });

      if (pathNames(operation).length > 0)
        it('finds no thing of another', async () => {
          const { main, sibling, rival } = world;
          for (const store of isPartners(operation) ? [rival.store] : [sibling, rival.store]) {
            const theirs = await madeParams(world, operation, store);
            const body = bodyOf(world, operation);
            const answer = await world.call(operation, { params: theirs, body }, main.store);
            // What is named by the client's own id may be created: then it is another thing of that name.
            if (answer.status === 201) continue;
            isProblem(answer, 404, 'not_found');
            const unknown = await world.call(operation, { params: newParams(operation), body }, main.store);
            expect(answer.body.code).to.equal(unknown.body.code);
          }
        });

      it('needs its scope', async () => {
        const key = await world.keyFor(operation, world.main, scopesWithout(operation, operation.scope));
        const answer = await world.call(operation, { ...asked(operation), key });
        isProblem(answer, 403, 'permission_denied');
        expect(answer.body.detail).to.include(operation.scope);
      });

      it('needs its feature in the plan', async () => {
        const { feature } = operation;
        const slug = `no-${feature.replaceAll('.', '-')}`;
        if (!lacking.has(feature)) lacking.set(feature, world.addPartner(slug, featuresWithout(feature)));
        const partner = (await lacking.get(feature))!;
        for (const key of isPartners(operation) ? [partner.key] : [partner.key, partner.store.key]) {
          const answer = await world.call(operation, { ...asked(operation), key }, partner.store);
          isProblem(answer, 403, 'feature_not_available');
          expect(answer.body.detail).to.include(feature);
        }
      });

      if (isPartners(operation))
        it('only reads for a suspended partner', async () => {
          const answer = await world.call(operation, { ...asked(operation), key: paused.key });
          // Its keys keep only what views.
          if (operation.scope.endsWith(':view')) expect(answer.status).to.be.oneOf([200, 404]);
          else isProblem(answer, 403, 'permission_denied');
        });
      else
        it('only reads in a closed store', async () => {
          for (const [place, key] of closed.credentials.entries()) {
            const params = closed.params(operation, place);
            const ask = async (body: Body) => await world.call(operation, { params, body, key }, closed.store);
            const body = bodyOf(world, operation);
            const { whenClosed } = operation;
            if (isRead(operation) || whenClosed === true) {
              expect((await ask(body)).status).to.be.within(200, 299);
            } else isProblem(await ask(body), 403, 'store_closed');
            if (typeof whenClosed !== 'object') continue;
            expect((await ask(whenClosed.body)).status).to.be.within(200, 299);
            isProblem(await ask({ ...body, ...whenClosed.body }), 403, 'store_closed');
          }
        });

      if (operation.body !== undefined) {
        it('takes its body as JSON without unknown properties', async () => {
          const { params, body } = asked(operation);
          const wrong = await world.call(operation, { params, body: { ...body, surprise: 1 } });
          isProblem(wrong, 422, 'validation_failed');
          expect(wrong.body.errors).to.deep.include({
            message: 'is not a known property',
            location: 'body.surprise',
            value: 1,
          });
          for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
            const headers = { 'content-type': type };
            isProblem(await world.call(operation, { params, body, headers }), 415, 'unsupported_media_type', type);
          }
          for (const raw of ['{"name":', '{} {}', "{'name':1}", new Uint8Array([0x22, 0xff, 0x22])])
            isProblem(await world.call(operation, { params, raw }), 400, 'malformed_body', String(raw));
          for (const raw of ['[]', '"text"', 'null', '7'])
            expect(locations(await world.call(operation, { params, raw })), raw).to.deep.equal(['body']);
        });
      }

      if (isList(operation))
        it('gives its list in pages', async () => {
          const params = await madeParams(world, operation);
          const page = (query: Record<string, string | number>) => pageOf(world, operation, { params, query });
          await twoRows(world, operation, params);
          const all = (await page({ limit: 200 })).rows;
          expect(new Set(all).size, 'rows that can be told apart').to.equal(all.length);
          const [first, both] = [await page({ limit: 1 }), await page({ limit: 2 })];
          expect(first.rows).to.deep.equal(all.slice(0, 1));
          expect(both.rows).to.deep.equal(all.slice(0, 2));
          expect((await page({ limit: 1, cursor: first.next! })).rows).to.deep.equal(all.slice(1, 2));
          expect((await page({ limit: 200 })).next).to.equal(undefined);
          for (const limit of [0, 201, -1, 'ten', '1e1', '']) {
            const answer = await world.call(operation, { params, query: { limit } });
            isProblem(answer, 422, 'validation_failed', String(limit));
            expect(locations(answer), String(limit)).to.deep.equal(['query.limit']);
          }
          for (const cursor of ['x', `${first.next}x`, 'bnVsbA'])
            isProblem(await world.call(operation, { params, query: { cursor } }), 422, 'invalid_cursor', cursor);
        });

      it('answers as it declares, each of its statuses', async () => {
        const key = await world.keyFor(operation, world.main, [operation.scope]);
        const fresh = newParams(operation);
        const made = pathNames(operation).length === 0 ? fresh : await madeParams(world, operation);
        const seen = new Set<number>();
        for (const params of [fresh, fresh, made]) {
          const requestId = randomUUID();
          const body = bodyOf(world, operation);
          const answer = await world.call(operation, { params, body, key, headers: { 'x-request-id': requestId } });
          expect(answer.headers.get('x-request-id')).to.equal(requestId);
          if (answer.status >= 300) isProblem(answer, 404, 'not_found');
          else seen.add(answer.status);
        }
        expect([...seen].sort()).to.deep.equal(Object.keys(operation.answers).map(Number).sort());
      });
    });
  }

  it('shows a store nothing of another', async () => {
    const { main, rival, sibling } = world;
    const secret = { externalId: 'only-theirs', name: 'Only theirs' };
    for (const store of [sibling, rival.store]) {
      const { externalId, name } = secret;
      await world.call(named('upsertProduct'), { params: { externalId }, body: product({ name }) }, store);
      await world.call(named('upsertProductCategories'), { body: { categories: [secret] } }, store);
      const order = await world.order(store, [externalId]);
      const { id } = (
        await world.call(named('createWebhookEndpoint'), { body: bodyOf(world, named('createWebhookEndpoint')) }, store)
      ).body.endpoint;
      for (const operation of keyed.filter((one) => isRead(one) && pathNames(one).length === 0)) {
        const { text } = await world.call(operation, {}, main.store);
        for (const theirs of ['only-theirs', 'Only theirs', order, id])
          expect(text, operation.id).to.not.include(theirs);
      }
    }
  });

  it('is served in the document, and no other', () => {
    const declared = openApiDocument(operations, world.baseUrl);
    expect(world.document).to.deep.equal(JSON.parse(JSON.stringify(declared)));
  });
});
