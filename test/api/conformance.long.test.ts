/** Rules for every operation, derived from its declaration. New operations are covered automatically. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { KeyedOperation, Operation } from '../../api/contract/operation.js';
import { routeOf } from '../../api/contract/routes.js';
import { openApiDocument } from '../../api/openapi/document.js';
import { operations } from '../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';
import { type Body, type Checked, isProblem, locations } from '../support/conformance/answers.js';
import { prepareSending } from '../support/conformance/areas/inboxSending.js';
import { type ClosedStore, closedStore } from '../support/conformance/closedStore.js';
import { isList, pageOf, twoRows } from '../support/conformance/pages.js';
import { bodyOf, madeParams, newParams, pathNames } from '../support/conformance/samples.js';
import {
  type ConformanceStage,
  conformanceStage,
  featuresWithout,
  isPartners,
  operationNamed,
  type Partner,
  product,
  scopesWithout,
} from '../support/conformance/stage.js';

/** Operations with keys as credentials. sessions.*.test.ts covers sessions. */
const keyed = operations.filter((one): one is KeyedOperation => one.scope !== null);
const isRead = (operation: Operation): boolean => routeOf(operation).method === 'GET';
const named = (id: string): Operation => operationNamed(operations, id);
/** Further scopes that a key needs, unlike a member. */
const OF_KEYS: Readonly<Record<string, readonly string[]>> = { createMemberLink: ['console:open'] };

/** Removes the parts of an answer that differ per request. */
const anonymous = ({ status, body }: Checked): object => ({ status, body: { ...body, requestId: '' } });

describe('every operation', () => {
  let stage: ConformanceStage;
  /** Invalid credentials of the main partner and its store, by description. */
  const useless: Record<string, string> = {};
  const lacking = new Map<string, Promise<Partner>>();
  let closed: ClosedStore;
  let paused: Partner;

  /** Builds a request that would succeed with a valid credential. */
  const requested = (operation: Operation) => ({ params: newParams(operation), body: bodyOf(stage, operation) });

  async function uselessKeys(): Promise<void> {
    const owners = { store: { workspace: stage.main.store.workspaceId }, partner: { partner: stage.main.id } };
    for (const [name, owner] of Object.entries(owners)) {
      const publishable = await stage.operator('keys.create', { ...owner, mode: 'test', kind: 'publishable' });
      const scopes = [name === 'store' ? 'commerce:manage' : 'partner.stores:view'];
      const revoked = await stage.operator('keys.create', { ...owner, mode: 'test', scopes });
      await stage.operator('keys.revoke', { id: revoked.id });
      useless[`the ${name}’s publishable key`] = publishable.key;
      useless[`a revoked key of the ${name}`] = revoked.key;
    }
    useless['an unknown store key'] = `sk_live_${'0'.repeat(40)}`;
    useless['an unknown partner key'] = `psk_test_${'0'.repeat(40)}`;
    useless['an unknown session'] = 'sdk_unknown';
  }

  before(async () => {
    stage = await conformanceStage();
    await uselessKeys();
    await prepareSending(stage);
    for (const store of [stage.main.store, stage.sibling, stage.rival.store])
      for (const externalId of ['shirt', 'trousers'])
        await stage.call(named('upsertProduct'), { params: { externalId }, body: product() }, store);
    closed = await closedStore(stage);
    paused = await stage.addPartner('paused');
    await stage.operator('partners.suspend', { id: paused.id });
  });
  after(() => stage.close());

  for (const operation of keyed) {
    describe(operation.id, () => {
      it('requires a credential', async () => {
        const answer = await stage.call(operation, { ...requested(operation), key: null });
        isProblem(answer, 401, 'unauthenticated');
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="suuq"');
        const basic = { ...requested(operation), key: null, headers: { authorization: 'Basic c2tfbGl2ZTo=' } };
        isProblem(await stage.call(operation, basic), 401, 'unauthenticated');
        for (const [name, key] of Object.entries(useless)) {
          const refused = await stage.call(operation, { ...requested(operation), key });
          isProblem(refused, 401, 'unauthenticated', name);
          expect(refused.headers.get('www-authenticate'), name).to.include('error="invalid_token"');
          expect(refused.text, name).to.not.include(key);
        }
      });

      it('reaches nothing that belongs to others', async () => {
        const { main, rival, sibling } = stage;
        if (isPartners(operation)) {
          const answer = await stage.call(operation, { ...requested(operation), key: main.store.key });
          return isProblem(answer, 403, 'permission_denied');
        }
        const nowhere = { ...main.store, workspaceId: randomUUID() };
        const unknown = await stage.call(operation, requested(operation), nowhere);
        isProblem(unknown, 404, 'not_found');
        for (const [name, key] of Object.entries({
          'another partner': rival.key,
          'a store of another partner': rival.store.key,
          'another store of the partner': sibling.key,
        })) {
          const answer = await stage.call(operation, { ...requested(operation), key });
          expect(anonymous(answer), name).to.deep.equal(anonymous(unknown));
        }
        isProblem(
          await stage.call(operation, requested(operation), { ...nowhere, workspaceId: 'no-id' }),
          404,
          'not_found',
        );
      });

      if (pathNames(operation).length > 0)
        it("answers 404 for another owner's resource", async () => {
          const { main, sibling, rival } = stage;
          for (const store of isPartners(operation) ? [rival.store] : [sibling, rival.store]) {
            const theirs = await madeParams(stage, operation, store);
            const body = bodyOf(stage, operation);
            const answer = await stage.call(operation, { params: theirs, body }, main.store);
            // A resource named by the client's own id may be created as a separate one.
            if (answer.status === 201) continue;
            isProblem(answer, 404, 'not_found');
            const unknown = await stage.call(operation, { params: newParams(operation), body }, main.store);
            expect(answer.body.code).to.equal(unknown.body.code);
          }
        });

      it('requires its scope', async () => {
        const key = await stage.keyFor(operation, stage.main, scopesWithout(operation, operation.scope));
        const answer = await stage.call(operation, { ...requested(operation), key });
        isProblem(answer, 403, 'permission_denied');
        expect(answer.body.detail).to.include(operation.scope);
      });

      it('requires its feature in the plan', async () => {
        const { feature } = operation;
        const slug = `no-${feature.replaceAll('.', '-')}`;
        if (!lacking.has(feature)) lacking.set(feature, stage.addPartner(slug, featuresWithout(feature)));
        const partner = (await lacking.get(feature))!;
        for (const key of isPartners(operation) ? [partner.key] : [partner.key, partner.store.key]) {
          const answer = await stage.call(operation, { ...requested(operation), key }, partner.store);
          isProblem(answer, 403, 'feature_not_available');
          expect(answer.body.detail).to.include(feature);
        }
      });

      if (isPartners(operation))
        it('is read-only for a suspended partner', async () => {
          const answer = await stage.call(operation, { ...requested(operation), key: paused.key });
          // Keys of a suspended partner keep only their view scopes.
          if (operation.scope.endsWith(':view')) expect(answer.status).to.be.oneOf([200, 404]);
          else isProblem(answer, 403, 'permission_denied');
        });
      else
        it('is read-only in a closed store', async () => {
          for (const [place, key] of closed.credentials.entries()) {
            const params = closed.params(operation, place);
            const request = async (body: Body) => await stage.call(operation, { params, body, key }, closed.store);
            const body = bodyOf(stage, operation);
            const { whenClosed } = operation;
            if (isRead(operation) || whenClosed === true) {
              expect((await request(body)).status).to.be.within(200, 299);
            } else isProblem(await request(body), 403, 'store_closed');
            if (typeof whenClosed !== 'object') continue;
            expect((await request(whenClosed.body)).status).to.be.within(200, 299);
            isProblem(await request({ ...body, ...whenClosed.body }), 403, 'store_closed');
          }
        });

      if (operation.body !== undefined) {
        it('accepts a JSON body without unknown properties', async () => {
          const { params, body } = requested(operation);
          const wrong = await stage.call(operation, { params, body: { ...body, surprise: 1 } });
          isProblem(wrong, 422, 'validation_failed');
          expect(wrong.body.errors).to.deep.include({
            message: 'is not a known property',
            location: 'body.surprise',
            value: 1,
          });
          for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
            const headers = { 'content-type': type };
            isProblem(await stage.call(operation, { params, body, headers }), 415, 'unsupported_media_type', type);
          }
          for (const raw of ['{"name":', '{} {}', "{'name':1}", new Uint8Array([0x22, 0xff, 0x22])])
            isProblem(await stage.call(operation, { params, raw }), 400, 'malformed_body', String(raw));
          for (const raw of ['[]', '"text"', 'null', '7'])
            expect(locations(await stage.call(operation, { params, raw })), raw).to.deep.equal(['body']);
        });
      }

      if (isList(operation))
        it('returns its list in pages', async () => {
          const began = new Date().toISOString();
          const params = await madeParams(stage, operation);
          await twoRows(stage, operation, params);
          // Histories keep growing, and the store's contains the events of all these tests.
          const to = new Date().toISOString();
          const span: Record<string, string> =
            operation.id === 'listHistory' ? { from: began, to } : operation.tag === 'History' ? { to } : {};
          const page = (query: Record<string, string | number>) =>
            pageOf(stage, operation, { params, query: { ...span, ...query } });
          const all = (await page({ limit: 200 })).rows;
          expect(new Set(all).size, 'rows that can be told apart').to.equal(all.length);
          const [first, both] = [await page({ limit: 1 }), await page({ limit: 2 })];
          expect(first.rows).to.deep.equal(all.slice(0, 1));
          expect(both.rows).to.deep.equal(all.slice(0, 2));
          expect((await page({ limit: 1, cursor: first.next! })).rows).to.deep.equal(all.slice(1, 2));
          expect((await page({ limit: 200 })).next).to.equal(undefined);
          for (const limit of [0, 201, -1, 'ten', '1e1', '']) {
            const answer = await stage.call(operation, { params, query: { limit } });
            isProblem(answer, 422, 'validation_failed', String(limit));
            expect(locations(answer), String(limit)).to.deep.equal(['query.limit']);
          }
          for (const cursor of ['x', `${first.next}x`, 'bnVsbA'])
            isProblem(await stage.call(operation, { params, query: { cursor } }), 422, 'invalid_cursor', cursor);
        });

      it('answers as declared, with each of its statuses', async () => {
        const key = await stage.keyFor(operation, stage.main, [operation.scope, ...(OF_KEYS[operation.id] ?? [])]);
        const fresh = newParams(operation);
        const made = pathNames(operation).length === 0 ? fresh : await madeParams(stage, operation);
        const seen = new Set<number>();
        for (const params of [fresh, fresh, made]) {
          const requestId = randomUUID();
          const body = bodyOf(stage, operation);
          const answer = await stage.call(operation, { params, body, key, headers: { 'x-request-id': requestId } });
          expect(answer.headers.get('x-request-id')).to.equal(requestId);
          if (answer.status >= 300) isProblem(answer, 404, 'not_found');
          else seen.add(answer.status);
        }
        expect([...seen].sort()).to.deep.equal(Object.keys(operation.answers).map(Number).sort());
      });
    });
  }

  it('shows a store nothing of another store', async () => {
    const { main, rival, sibling } = stage;
    const secret = { externalId: 'only-theirs', name: 'Only theirs' };
    for (const store of [sibling, rival.store]) {
      const { externalId, name } = secret;
      await stage.call(named('upsertProduct'), { params: { externalId }, body: product({ name }) }, store);
      await stage.call(named('upsertProductCategories'), { body: { categories: [secret] } }, store);
      const order = await stage.order(store, [externalId]);
      const { id } = (
        await stage.call(named('createWebhookEndpoint'), { body: bodyOf(stage, named('createWebhookEndpoint')) }, store)
      ).body.endpoint;
      for (const operation of keyed.filter((one) => isRead(one) && pathNames(one).length === 0)) {
        const { text } = await stage.call(operation, {}, main.store);
        for (const theirs of ['only-theirs', 'Only theirs', order, id])
          expect(text, operation.id).to.not.include(theirs);
      }
    }
  });

  it('is served as documented, and no other', () => {
    const declared = openApiDocument(operations, stage.baseUrl, EVENT_SCHEMAS);
    expect(stage.document).to.deep.equal(JSON.parse(JSON.stringify(declared)));
  });
});
