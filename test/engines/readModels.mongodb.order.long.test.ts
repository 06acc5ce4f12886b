/** The order in which MongoDB's engine writes what belongs together: an interruption may leave any beginning of it. */
import { expect } from 'chai';
import { Collection } from 'mongodb';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';

const named = (name: string): CollectionDefinition => ({ name, keys: {}, indexes: [] });
const document = (id: string, revision: number) => ({ id, revision, keys: {}, body: { id } });

onMongo(emulator, 'one write of several documents', () => {
  let database: TestDatabase;
  let models: DocumentStore;
  const { bulkWrite } = Collection.prototype;
  beforeEach(async () => {
    database = await testDatabase(emulator);
    models = await openMongoReadModels(database.url, { prefix: 'work' });
    for (const name of ['tasks', 'log']) await models.open(named(name));
  });
  afterEach(async () => {
    Collection.prototype.bulkWrite = bulkWrite;
    await models.close();
    await database.close();
  });

  it('removes a task only when its follow-up tasks are stored', async () => {
    await models.write({ tasks: { put: [document('done', 1)] } });
    const existing: string[] = [];
    Collection.prototype.bulkWrite = async function (this: Collection, ...args: Parameters<typeof bulkWrite>) {
      const isRemoval = JSON.stringify(args[0]).includes('"removed":true');
      if (isRemoval) {
        const [next, reported] = await Promise.all([models.get('tasks', 'next'), models.get('log', 'told')]);
        existing.push(...[next, reported].map((one) => one?.id ?? 'missing'));
      }
      return bulkWrite.apply(this, args);
    } as typeof bulkWrite;
    const tasks = { put: [document('next', 1)], remove: [{ id: 'done', revision: 1 }] };
    await models.write({ tasks, log: { put: [document('told', 1)] } }, { name: 'p', position: 5 });
    expect(existing).to.deep.equal(['next', 'told']);
    expect(await models.get('tasks', 'done')).to.equal(undefined);
    expect(await models.checkpoint('p')).to.equal(5);
  });
});
