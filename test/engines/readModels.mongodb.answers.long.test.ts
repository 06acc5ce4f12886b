/** Answers of MongoDB to a command, classified by code and field: retried, refused, and with which error. */
import { expect } from 'chai';
import { Long } from 'mongodb';
import type { CollectionDefinition, DocumentStore, NewDocument } from '../../engine/ports/documents.js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { mongoMessages } from '../../harness/engines/wireMessages.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { onCommands, refusal } from '../support/doubles/mongoWire.js';

const people: CollectionDefinition = {
  name: 'people',
  keys: { phone: 'text' },
  indexes: [{ keys: ['phone'], unique: true }],
};
const person = (id: string, revision: number, phone: string | null = null, text = ''): NewDocument => ({
  id,
  revision,
  keys: { phone },
  body: { id, text },
});

/** Codes of several servers and versions that are not about a document or a query, and one unknown code. */
const OF_THE_STORE = {
  1: 'InternalError',
  43: 'CursorNotFound',
  64: 'WriteConcernFailed',
  72: 'readConcern afterClusterTime must not be greater than the current clusterTime',
  117: 'ConflictingOperationInProgress',
  211: 'KeyNotFound',
  249: 'LogicalSessionRecordNotFound',
  261: 'TooManyLogicalSessions',
  355: 'MovePrimaryInProgress',
  358: 'InternalTransactionNotSupported',
  371: 'ShardCannotRefreshDueToLocksHeld',
  407: 'TenantMigrationCommitted',
  433: 'TooManyRequests',
  462: 'IngressRequestRateLimitExceeded',
  13388: 'StaleConfig',
  16500: 'Request rate is large',
  424242: 'a word of tomorrow',
};
/** Somebody must first change a password, a right or the server. */
const REFUSED = {
  11: 'UserNotFound',
  13: 'Unauthorized',
  18: 'AuthenticationFailed',
  8000: 'AtlasError',
  59: 'no such command',
};
const DUPLICATE = { index: 0, code: 11000, keyPattern: { _id: 1 }, errmsg: 'E11000 duplicate key error' };

onMongo(emulator, 'answers of MongoDB', () => {
  let database: TestDatabase;
  let proxy: FaultyProxy;
  let models: DocumentStore;
  beforeEach(async () => {
    database = await testDatabase(emulator);
    const direct = new URL(database.url);
    proxy = await faultyProxy(direct.host, mongoMessages);
    models = await openMongoReadModels(`mongodb://${proxy.address}${direct.pathname}`, {
      prefix: 'views',
      timeoutMs: 15_000,
    });
    await models.open(people);
  });
  afterEach(async () => {
    proxy.judge(undefined);
    await models.close();
    await proxy.close();
    await database.close();
  });

  const put = (...documents: NewDocument[]) =>
    models.write({ people: { put: documents } }, { name: 'people', position: documents[0]!.revision });
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    ((await failureOf(work)) as { code?: unknown }).code;

  const everyCall = (): Promise<unknown>[] => [
    models.get('people', 'a'),
    models.find('people', { where: { phone: '+1' }, limit: 9 }),
    put(person('a', 1)),
    models.insert('people', person('b', 1)),
    models.replace('people', 1, person('b', 2)),
    models.claim({ name: 'people', fence: 1 }),
    models.checkpoint('people'),
  ];

  it('that are not about a document are the store’s, known or not, for any request', async () => {
    for (const [code, name] of Object.entries({ ...OF_THE_STORE, ...REFUSED })) {
      onCommands(proxy, (command) =>
        ['find', 'update', 'insert', 'findAndModify'].includes(command.name) ? refusal(Number(code), name) : undefined,
      );
      for (const error of await Promise.all(everyCall().map(failureOf))) {
        expect(error, name).to.be.instanceOf(StoreUnavailable);
        expect(error instanceof StoreRefused, name).to.equal(Number(code) in REFUSED);
      }
    }
    proxy.judge(undefined);
    await put(person('a', 1));
    expect((await models.get('people', 'a'))!.revision).to.equal(1);
  });

  it('to one statement of a batch, or about its confirmation, are the store’s too', async () => {
    for (const answer of [
      { n: 0, nModified: 0, writeErrors: [{ index: 0, code: 13388, errmsg: 'StaleConfig' }] },
      { n: 1, nModified: 1, writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
      { n: 0, writeErrors: [DUPLICATE], writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
    ]) {
      onCommands(proxy, ({ name }) => (['update', 'insert'].includes(name) ? answer : undefined));
      const batch = await failureOf(put(person('a', 1), person('b', 1)));
      const one = await failureOf(models.replace('people', 1, person('a', 2)));
      for (const error of [batch, one]) expect(error, JSON.stringify(answer)).to.be.instanceOf(StoreUnavailable);
    }
  });

  it('about a missing index report it, and that a restart builds it', async () => {
    onCommands(proxy, ({ name, body }) =>
      name === 'find' && body.hint !== undefined
        ? refusal(2, 'planner returned error: hint provided does not correspond to an existing index')
        : undefined,
    );
    const error = await failureOf(models.find('people', { where: { phone: '+1' }, limit: 9 }));
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect((error as Error).message).to.include('the next start of the service builds');
  });

  it('to a batch with a duplicate key and a temporary error retry the complete batch', async () => {
    await put(person('a', 1));
    for (const code of [112, 11602, 365]) {
      onCommands(proxy, ({ name, body }) =>
        name === 'update' && body.updates.length > 1
          ? { n: 1, nModified: 0, writeErrors: [DUPLICATE, { index: 1, code, errmsg: 'interrupted' }] }
          : undefined,
      );
      const error = await failureOf(put(person('a', 2), person('b', 2)));
      expect(error, String(code)).to.be.instanceOf(StoreUnavailable);
    }
    proxy.judge(undefined);
    await put(person('a', 2), person('b', 2));
    expect((await models.get('people', 'b'))!.revision).to.equal(2);
  });

  it('to a batch with a duplicate key and a permanent error report the permanent error', async () => {
    onCommands(proxy, ({ name, body }) =>
      name === 'update' && body.updates.length > 1
        ? { n: 1, nModified: 0, writeErrors: [DUPLICATE, { index: 1, code: 17419, errmsg: 'too large' }] }
        : undefined,
    );
    expect(await codeOf(put(person('a', 2), person('b', 2)))).to.equal('document_too_large');
  });

  /** Another owner takes the key between the check and the write. */
  const unseen = () =>
    onCommands(proxy, ({ name, body }) =>
      name === 'find' && body.filter['unique.phone'] !== undefined
        ? { cursor: { id: Long.ZERO, ns: `${body.$db}.${body.find}`, firstBatch: [] } }
        : undefined,
    );

  for (const phone of ['+1', 'x" index: _id_ dup key: { _id: "b" }', ' collection: a.b index: _id_ '])
    it(`about the duplicate key ${JSON.stringify(phone)} are rejections, whatever the text imitates`, async () => {
      await put(person('a', 1, phone));
      unseen();
      expect(await codeOf(put(person('b', 2, phone)))).to.equal('unique_key_taken');
      expect(await models.checkpoint('people')).to.equal(1);
      expect(await models.insert('people', person('c', 2, phone))).to.equal(false);
    });

  it('naming the index by its pattern are trusted before their text', async () => {
    await put(person('a', 1, '+1'));
    unseen();
    const answers = { one: { 'unique.phone': 1 }, id: { _id: 1 } };
    const taken = (keyPattern: object) => ({
      index: 0,
      code: 11000,
      keyPattern,
      errmsg: 'E11000 duplicate key error collection: suuq.views_people index: _id_ dup key: { _id: "b" }',
    });
    let answer = taken(answers.one);
    onCommands(proxy, ({ name, body }) =>
      name === 'update' && body.updates[0].q._id === 'b' ? { n: 0, nModified: 0, writeErrors: [answer] } : undefined,
    );
    expect(await codeOf(put(person('b', 2, '+2')))).to.equal('unique_key_taken');
    answer = { ...taken(answers.id), errmsg: 'E11000 duplicate key error index: unique:phone' };
    await put(person('b', 3, '+2'));
    expect(await models.checkpoint('people')).to.equal(3);
  });

  it('naming no index are distinguished by the stored documents, in any wording', async () => {
    await put(person('a', 1, '+1'), person('b', 5));
    unseen();
    const words = ['E11000 duplicate key error', 'Duplicate key violation on the requested collection: Index _id_'];
    for (const errmsg of words) {
      onCommands(proxy, ({ name, body }) => {
        if (name === 'update' && body.update === 'views_people')
          return { n: 0, nModified: 0, writeErrors: [{ index: 0, code: 11000, errmsg }] };
        return name === 'insert' ? { n: 0, writeErrors: [{ index: 0, code: 11000, errmsg }] } : undefined;
      });
      expect(await codeOf(put(person('c', 2, '+2'))), errmsg).to.equal('unique_key_taken');
      // Another owner has written 'b' with a higher revision.
      await put(person('b', 3, '+2'));
    }
    expect((await models.get('people', 'b'))!.revision).to.equal(5);
    onCommands(proxy, ({ name }) =>
      name === 'insert' ? { n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: words[0] }] } : undefined,
    );
    expect(await models.insert('people', person('d', 1, '+1'))).to.equal(false);
  });

  it("are not awaited if a document exceeds MongoDB's limit: it is named, and nothing is written", async () => {
    const text = 'x'.repeat(16 * 1024 * 1024);
    const large = person('large', 2, null, text);
    for (const work of [put(person('small', 2), large), models.insert('people', large)]) {
      const error = (await failureOf(work)) as Error;
      expect(error).to.have.property('code', 'document_too_large');
      expect(error.message).to.include("'large' of people").and.not.include('xxx');
    }
    await put(person('large', 1));
    expect(await codeOf(models.replace('people', 1, large))).to.equal('document_too_large');
    expect((await models.find('people', { limit: 9 })).map(({ id, revision }) => [id, revision])).to.deep.equal([
      ['large', 1],
    ]);
    await put(person('umlauts', 3, null, 'ü'.repeat(8 * 1024 * 1024 - 20_000)));
    expect((await models.get('people', 'umlauts'))!.revision).to.equal(3);
    expect(await codeOf(put(person('more', 4, null, 'ü'.repeat(8 * 1024 * 1024))))).to.equal('document_too_large');
  });
});
