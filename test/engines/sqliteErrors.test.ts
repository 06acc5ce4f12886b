/** Errors of the embedded engines when SQLite fails. They blame the file, never a document or an event. */
import { join } from 'node:path';
import { expect } from 'chai';
import { DocumentRefused, type DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';

const people = { name: 'people', keys: { phone: 'text' }, indexes: [{ keys: ['phone'], unique: true }] } as const;
const person = (id: string, phone: string) => ({ id, revision: 1, keys: { phone }, body: {} });

describe('an embedded engine with a failing file', () => {
  const { event } = freshNames();
  const folder = temporaryFolder('suuq-sqlite-errors-');
  after(() => folder.remove());

  function damage(file: string, sql: string): void {
    const db = openDatabase(join(folder.path, file));
    db.exec(sql);
    db.close();
  }

  it('is unavailable for every read and write of documents', async () => {
    const models = openEmbeddedReadModels(join(folder.path, 'views.db'), { name: 'views.db' });
    await models.open(people);
    damage('views.db', 'DROP TABLE checkpoints; DROP TABLE fences; DROP TABLE collections; DROP TABLE aliases');
    const works: readonly ((store: DocumentStore) => Promise<unknown>)[] = [
      (store) => store.checkpoint('p'),
      (store) => store.checkpoints(['p']),
      (store) => store.list(),
      (store) => store.claim({ name: 'p', fence: 1 }),
      (store) => store.write({}, { name: 'p', position: 1 }),
      (store) => store.resolve('elsewhere'),
    ];
    for (const work of works) expect(await failureOf(work(models)), String(work)).to.be.instanceOf(StoreUnavailable);
    await models.close();
  });

  it('is unavailable for every read of events', async () => {
    const store = await openEmbeddedEventStore(folder.path);
    await store.append('a-1', 'noStream', [event('one')]);
    damage('events.db', 'DROP TABLE events');
    const subscription = store.subscribe(BEFORE_ALL, {}, { batch: () => undefined });
    for (const work of [store.head(), store.readAll(BEFORE_ALL), store.readStream('a-1'), subscription.ended])
      expect(await failureOf(work)).to.be.instanceOf(StoreUnavailable);
    await store.close();
  });

  it('reports a duplicate unique key as such', async () => {
    const models = openEmbeddedReadModels(join(folder.path, 'other.db'));
    await models.open(people);
    await models.write({ people: { put: [person('a', '+1')] } });
    const error = await failureOf(models.write({ people: { put: [person('b', '+1')] } }));
    expect(error).to.be.instanceOf(DocumentRefused).and.have.property('code', 'unique_key_taken');
    await models.close();
  });
});
