/** Cursors of every list: forged, changed and foreign cursors are refused. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Operation } from '../../api/contract/operation.js';
import { routeOf } from '../../api/contract/routes.js';
import { operations } from '../../api/operations/index.js';
import { startService } from '../../service/composition/serve.js';
import { createLog } from '../../service/log.js';
import { readSettings } from '../../service/settings/settings.js';
import { type Body, isProblem } from '../support/conformance/answers.js';
import { isList, pageOf, rowsOf, twoRows } from '../support/conformance/pages.js';
import { madeParams } from '../support/conformance/samples.js';
import {
  type ConformanceStage,
  conformanceStage,
  isPartners,
  operationNamed,
  product,
  type Store,
  urlOf,
} from '../support/conformance/stage.js';

const lists = operations.filter(isList);
const named = (id: string): Operation => operationNamed(operations, id);

/** Alphabet of cursors. Its strings may be part of a tag or a place. */
const CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const scalar = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constant(null), fc.boolean());
const place = fc.oneof(fc.array(scalar, { maxLength: 4 }), fc.jsonValue());

/** Changes, removes or repeats one character, or truncates or extends the cursor. */
const changed = (cursor: string): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(cursor.length - 1),
      how: fc.constantFrom('other', 'without', 'twice', 'cut', 'longer'),
      char: fc.constantFrom(...CHARS),
    })
    .map(({ at, how, char }) => {
      const [before, here, after] = [cursor.slice(0, at), cursor[at]!, cursor.slice(at + 1)];
      if (how === 'other') return before + char + after;
      if (how === 'without') return before + after;
      if (how === 'twice') return before + here + here + after;
      return how === 'cut' ? before : cursor + char;
    })
    .filter((other) => other !== cursor && other !== '');

const payloadOf = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');

/** Names of the lists before cursors had a key, when anyone could forge them. */
const BEFORE: Readonly<Record<string, string>> = {
  listConversations: 'conversations:-rank',
  listMessages: 'messages:-place',
  listOrders: 'orders:-createdAt,-number',
  listPartnerApiStores: 'stores:-createdAt',
  listPartnerWebhookDeliveries: 'deliveries:-attemptedAt',
  listProducts: 'products:nameKey',
  listTemplates: 'templates:name,language',
  listWebhookDeliveries: 'deliveries:-attemptedAt',
};

const unkeyed = (list: Operation, payload: string): string =>
  createHash('sha256').update(`${BEFORE[list.id]}\n${payload}`).digest('base64url').slice(0, 8) + payload;

/** Forges a cursor: random text, or a random place with a real tag or an unkeyed tag. */
const forged = (list: Operation, cursor: string): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...CHARS), minLength: 1, maxLength: 200 }),
      place.map((value) => cursor.slice(0, 24) + payloadOf(value)),
      place.map((value) => unkeyed(list, payloadOf(value))),
    )
    .filter((other) => other !== cursor);

describe('the cursors of', () => {
  let stage: ConformanceStage;
  const found = new Map<Operation, { params: Record<string, string>; next: string; rest: readonly string[] }>();

  before(async () => {
    stage = await conformanceStage();
    for (const store of [stage.main.store, stage.sibling, stage.rival.store])
      for (const externalId of ['shirt', 'trousers'])
        await stage.call(named('upsertProduct'), { params: { externalId }, body: product() }, store);
    const made = new Map<Operation, Record<string, string>>();
    for (const list of lists) {
      const params = await madeParams(stage, list);
      await twoRows(stage, list, params);
      made.set(list, params);
    }
    // The lists no longer change at this point.
    for (const [list, params] of made) {
      const { next } = await pageOf(stage, list, { params, query: { limit: 1 } });
      const { rows } = await pageOf(stage, list, { params, query: { cursor: next! } });
      found.set(list, { params, next: next!, rest: rows });
    }
  });
  after(() => stage.close());

  for (const list of lists) {
    it(`${list.id} are rejected as invalid_cursor if changed or made up`, async () => {
      const { params, next } = found.get(list)!;
      await fc.assert(
        fc.asyncProperty(fc.oneof(changed(next), forged(list, next)), async (cursor) => {
          isProblem(await stage.call(list, { params, query: { cursor } }), 422, 'invalid_cursor', cursor);
        }),
        { numRuns: 150, seed: 20_261_122, endOnFailure: true },
      );
    });

    it(`${list.id} are valid in no other list, and in no other tenant's`, async () => {
      const { params, next: cursor } = found.get(list)!;
      const { main, rival, sibling } = stage;
      const elsewhere: readonly Store[] = isPartners(list) ? [rival.store] : [sibling, rival.store];
      for (const store of elsewhere) {
        const key = isPartners(list) ? rival.key : store.key;
        const theirs = await madeParams(stage, list, store);
        const answer = await stage.call(list, { params: theirs, query: { cursor }, key }, store);
        isProblem(answer, 422, 'invalid_cursor', store.externalRef);
      }
      for (const other of lists.filter((one) => one !== list)) {
        const answer = await stage.call(other, { params: found.get(other)!.params, query: { cursor } }, main.store);
        isProblem(answer, 422, 'invalid_cursor', other.id);
      }
      if (Object.keys(params).length > 0) {
        const another = await madeParams(stage, list);
        isProblem(await stage.call(list, { params: another, query: { cursor } }), 422, 'invalid_cursor');
      }
    });
  }

  it('all lists stay valid after a restart', async () => {
    const { main, folder } = stage;
    await stage.stop();
    const service = await startService(readSettings({ PORT: '0', SUUQ_DATA: folder }), createLog('silent'));
    try {
      for (const [list, { params, next, rest }] of found) {
        const key = isPartners(list) ? main.key : main.store.key;
        const url = urlOf(service.baseUrl, list, main.store, { params, query: { cursor: next } });
        const answer = await fetch(url, {
          method: routeOf(list).method,
          headers: { authorization: `Bearer ${key}` },
        });
        expect(answer.status, list.id).to.equal(200);
        // The list may contain further rows from other tests and background work, such as a product's push.
        const { rows } = rowsOf((await answer.json()) as Body);
        expect(
          rows.filter((row) => rest.includes(row)),
          list.id,
        ).to.deep.equal(rest);
      }
    } finally {
      await service.stop();
    }
  });
});
