/** What MongoDB answers to a command, by the server's codes and fields: tried again, refused, and what for. */
import { expect } from 'chai';
import { Long } from 'mongodb';
import type { CollectionDefinition, DocumentStore, NewDocument } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { internalErrors } from '../../infrastructure/mongodb/errors.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { type FaultyProxy, faultyProxy } from '../support/faultyProxy.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../support/mongoStage.js';
import { onCommands, refusal } from '../support/mongoWire.js';
import { mongoMessages } from '../support/wireMessages.js';

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

/** Codes of answers that are another one a moment later, of versions 6 to 8. */
const PASSING = {
  43: 'CursorNotFound',
  117: 'ConflictingOperationInProgress',
  133: 'FailedToSatisfyReadPreference',
  134: 'ReadConcernMajorityNotAvailableYet',
  237: 'CursorKilled',
  276: 'IndexBuildAborted',
  365: 'TemporarilyUnavailable',
  462: 'IngressRequestRateLimitExceeded',
  12587: 'BackgroundOperationInProgressForNamespace',
  1: 'InternalError',
};
const DUPLICATE = { index: 0, code: 11000, keyPattern: { _id: 1 }, errmsg: 'E11000 duplicate key error' };

describe('an internal error of MongoDB', () => {
  it('passes for 30 s, and again when none has come for as long', () => {
    let now = 0;
    const internal = internalErrors(() => now);
    const at = (ms: number): boolean => {
      now = ms;
      return internal.passes();
    };
    expect([0, 10_000, 29_999, 30_000, 45_000, 74_999].map(at)).to.deep.equal([true, true, true, false, false, false]);
    expect([104_999, 120_000, 134_999].map(at)).to.deep.equal([true, true, false]);
  });
});

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

  it('that pass are said to pass, whatever was asked', async () => {
    for (const [code, name] of Object.entries(PASSING)) {
      onCommands(proxy, (command) =>
        ['find', 'update', 'insert'].includes(command.name) ? refusal(Number(code), name) : undefined,
      );
      for (const work of [models.get('people', 'a'), put(person('a', 1)), models.insert('people', person('b', 1))])
        expect(await failureOf(work), name).to.be.instanceOf(StoreUnavailable);
    }
    proxy.judge(undefined);
    await put(person('a', 1));
    expect((await models.get('people', 'a'))!.revision).to.equal(1);
  });

  it('to a batch, a key that is taken and then what passes: the batch is tried again, and is whole then', async () => {
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

  it('to a batch, a key that is taken and then what is wrong: that is what is said', async () => {
    onCommands(proxy, ({ name, body }) =>
      name === 'update' && body.updates.length > 1
        ? { n: 1, nModified: 0, writeErrors: [DUPLICATE, { index: 1, code: 17419, errmsg: 'too large' }] }
        : undefined,
    );
    expect(await codeOf(put(person('a', 2), person('b', 2)))).to.equal('document_too_large');
  });

  /** Another owner takes the key in the moment between the look and the write. */
  const unseen = () =>
    onCommands(proxy, ({ name, body }) =>
      name === 'find' && body.filter['unique.phone'] !== undefined
        ? { cursor: { id: Long.ZERO, ns: `${body.$db}.${body.find}`, firstBatch: [] } }
        : undefined,
    );

  for (const phone of ['+1', 'x" index: _id_ dup key: { _id: "b" }', ' collection: a.b index: _id_ '])
    it(`that ${JSON.stringify(phone)} is another document’s is a refusal, whatever its text imitates`, async () => {
      await put(person('a', 1, phone));
      unseen();
      expect(await codeOf(put(person('b', 2, phone)))).to.equal('unique_key_taken');
      expect(await models.checkpoint('people')).to.equal(1);
      expect(await models.insert('people', person('c', 2, phone))).to.equal(false);
    });

  it('that name the index by its pattern are believed before their text', async () => {
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

  it('are not waited for where a document is larger than MongoDB holds: it is named, and nothing is written', async () => {
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
