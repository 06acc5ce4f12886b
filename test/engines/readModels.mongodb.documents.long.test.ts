/** Data in MongoDB beyond the contract: marks, derived fields, indexes, and numbers of other writers. */

import { expect } from 'chai';
import { Double, Int32, Long } from 'mongodb';
import type { CollectionDefinition, DocumentStore, NewDocument, Query, Scalar } from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { emulator, onMongo, server, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { layoutOf } from '../../infrastructure/mongodb/layout.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { rangesOf } from '../../infrastructure/mongodb/query.js';
import { failureOf } from '../contracts/eventStoreKit.js';

const people: CollectionDefinition = {
  name: 'people',
  keys: { team: 'text', phone: 'text', joined: 'number' },
  indexes: [{ keys: ['team', '-joined'] }, { keys: ['phone'], unique: true }],
};
const person = (id: string, revision: number, keys: Record<string, Scalar> = {}): NewDocument => ({
  id,
  revision,
  keys: { team: 'red', joined: revision, ...keys },
  body: { id },
});

const codeOf = async (work: Promise<unknown>): Promise<unknown> => ((await failureOf(work)) as { code?: unknown }).code;

for (const place of [emulator, server])
  onMongo(place, 'documents of MongoDB', () => {
    let database: TestDatabase;
    let models: DocumentStore;
    let warned: object[];
    beforeEach(async () => {
      warned = [];
      database = await testDatabase(place);
      const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) };
      models = await openMongoReadModels(database.url, { prefix: 'views', log });
      await models.open(people);
    });
    afterEach(async () => {
      await models.close();
      await database.close();
    });

    const stored = () => database.db.collection<{ _id: string; [field: string]: unknown }>('views_people');
    const put = (...documents: NewDocument[]) =>
      models.write({ people: { put: documents } }, { name: 'people', position: documents[0]!.revision });
    const remove = (id: string, revision: number) => models.write({ people: { remove: [{ id, revision }] } });
    const indexNames = async () => (await stored().listIndexes().toArray()).map(({ name }) => name as string);

    it('with integers of any size return numbers', async () => {
      await put(person('a', 1), person('b', 1), person('c', 1));
      const sizes = { a: Long.fromNumber(2 ** 40), b: new Int32(7), c: new Double(2 ** 53) };
      for (const [id, size] of Object.entries(sizes))
        await stored().updateOne({ _id: id }, { $set: { revision: size, 'keys.joined': size } });
      const found = await models.find('people', { where: { team: 'red' }, sort: ['-joined'], limit: 9 });
      expect(found.map(({ revision, keys }) => [revision, keys.joined])).to.deep.equal([
        [2 ** 53, 2 ** 53],
        [2 ** 40, 2 ** 40],
        [7, 7],
      ]);
      await put(person('a', 2 ** 40), person('b', 8));
      expect((await models.get('people', 'a'))!.keys.joined).to.equal(2 ** 40);
      expect((await models.get('people', 'b'))!.keys.joined).to.equal(8);
      const places = database.db.collection<{ _id: string }>('views.checkpoints');
      await places.insertOne({ _id: 'p', position: Long.fromNumber(5), fence: Long.fromNumber(3) } as { _id: string });
      expect(await models.checkpoint('p')).to.equal(5);
      expect((await failureOf(models.claim({ name: 'p', fence: 2 }))) as Error).to.have.property('name', 'Fenced');
      expect(await models.claim({ name: 'p', fence: 4 })).to.equal(5);
    });

    it('that were removed leave a marker for a day, visible only on request', async () => {
      await put(person('a', 3, { phone: '+1' }));
      await remove('a', 5);
      await remove('never', 6);
      expect(await models.get('people', 'a')).to.equal(undefined);
      expect((await models.getMany('people', ['a', 'never'])).size).to.equal(0);
      expect(await models.find('people', { limit: 9 })).to.deep.equal([]);
      expect(await models.find('people', { where: { team: null }, sort: ['-joined'], limit: 9 })).to.deep.equal([]);
      expect(await models.count('people', { team: null }, 9)).to.equal(0);
      expect(await models.count('people', {}, 9)).to.equal(0);
      expect(await models.removeWhere('people', { team: null }, 9)).to.equal(0);
      const marks = await models.getMany('people', ['a', 'never'], { removed: true });
      expect([...marks.values()].map(({ id, revision, removed }) => [id, revision, removed])).to.have.deep.members([
        ['a', 5, true],
        ['never', 6, true],
      ]);
      const { expireAt } = (await stored().findOne({ _id: 'a' }))! as unknown as { expireAt: Date };
      expect(expireAt.getTime() - Date.now()).to.be.within(23 * 3_600_000, 24 * 3_600_000);
      await put(person('a', 4), person('a', 5), person('never', 6));
      expect((await models.getMany('people', ['a', 'never'])).size).to.equal(0);
      await put(person('a', 6));
      expect((await models.get('people', 'a'))!.revision).to.equal(6);
      expect(await stored().findOne({ _id: 'a' })).to.not.have.any.keys('removed', 'expireAt');
      expect(await models.insert('people', person('never', 1, { phone: '+1' }))).to.equal(true);
      expect(await models.insert('people', person('never', 2))).to.equal(false);
      expect(await models.replace('people', 1, person('never', 2))).to.equal(true);
    });

    it('with one unique key in a batch are rejected before any is written', async () => {
      await put(person('a', 1, { phone: '+1' }));
      const batch = [person('b', 2), person('c', 2, { phone: '+1' }), person('a', 2, { phone: '+1' })];
      expect(await codeOf(put(...batch))).to.equal('unique_key_taken');
      expect(await codeOf(put(person('d', 2, { phone: '+4' }), person('e', 2, { phone: '+4' })))).to.equal(
        'unique_key_taken',
      );
      const found = await models.find('people', { limit: 9 });
      expect(found.map(({ id, revision }) => [id, revision])).to.deep.equal([['a', 1]]);
      expect(await models.checkpoint('people')).to.equal(1);
    });

    it('may pass a unique key on within a batch, in either order', async () => {
      await put(person('a', 1, { phone: '+1' }), person('b', 1, { phone: '+2' }));
      await put(person('b', 2, { phone: '+1' }), person('a', 2, { phone: '+3' }));
      await models.write({
        people: { put: [person('c', 3, { phone: '+3' })], remove: [{ id: 'a', revision: 3 }] },
      });
      const found = await models.find('people', { limit: 9 });
      expect(found.map(({ id, keys }) => [id, keys.phone])).to.deep.equal([
        ['b', '+1'],
        ['c', '+3'],
      ]);
    });

    it('written late are dropped also if another document has their unique key by now', async () => {
      await put(person('a', 1, { phone: '+1' }));
      await put(person('a', 5, { phone: '+5' }));
      await put(person('b', 6, { phone: '+1' }));
      await put(person('a', 1, { phone: '+1' }), person('c', 7));
      expect((await models.get('people', 'a'))!.keys.phone).to.equal('+5');
      expect(await models.get('people', 'c')).to.not.equal(undefined);
      expect(await codeOf(models.replace('people', 5, person('a', 8, { phone: '+1' })))).to.equal('unique_key_taken');
    });

    it('with one unique key inserted by two instances at once: one succeeds', async () => {
      const other = await openMongoReadModels(database.url, { prefix: 'views' });
      const tries = Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? other : models).insert('people', person(`p${i}`, 1, { phone: '+9' })),
      );
      expect((await Promise.all(tries)).filter(Boolean)).to.have.length(1);
      expect(await models.count('people', { phone: '+9' }, 9)).to.equal(1);
      await other.close();
    });

    it('store their writer, which a claim raises, so that a write in progress changes nothing', async () => {
      await models.write({ people: { put: [person('a', 1), person('b', 1)] } }, { name: 'people', fence: 1 });
      expect(await models.claim({ name: 'people', fence: 2 }, ['people'])).to.equal(BEFORE_ALL);
      // As if the write had passed its check before the claim.
      await database.db.collection<{ _id: string }>('views.checkpoints').deleteOne({ _id: 'people' });
      const late = { people: { put: [person('a', 9)], remove: [{ id: 'b', revision: 9 }] } };
      await models.write(late, { name: 'people', fence: 1 });
      expect((await models.get('people', 'a'))!.revision).to.equal(1);
      expect((await models.get('people', 'b'))!.revision).to.equal(1);
      await models.write(late, { name: 'another', fence: 1 });
      expect((await models.get('people', 'a'))!.revision).to.equal(9);
    });

    it('keep their indexes: missing or different ones are rebuilt, foreign ones stay', async () => {
      expect(await indexNames()).to.have.members(['_id_', 'expiry', 'by:team,-joined', 'by:phone', 'unique:phone']);
      await stored().dropIndex('by:team,-joined');
      await stored().dropIndex('unique:phone');
      await stored().createIndex({ 'unique.phone': 1 }, { name: 'unique:phone' });
      await stored().createIndex({ body: 1 }, { name: 'somebody else' });
      await models.open(people);
      expect(warned).to.deep.equal([{ collection: 'people', indexes: ['by:team,-joined', 'unique:phone'] }]);
      const unique = (await stored().listIndexes().toArray()).find(({ name }) => name === 'unique:phone')!;
      expect(unique).to.include({ unique: true, sparse: true });
      await models.open({ ...people, indexes: [{ keys: ['joined'] }] });
      expect(await indexNames()).to.have.members(['_id_', 'expiry', 'by:joined', 'somebody else']);
    });

    it('older than a unique index are covered by it, and fail it if they collide', async () => {
      const loose = { ...people, indexes: [{ keys: ['team'] }] };
      await models.open({ ...loose, name: 'loose' });
      const write = (id: string, phone: string | null) => models.write({ loose: { put: [person(id, 1, { phone })] } });
      await write('a', '+1');
      await write('b', null);
      await write('c', null);
      await models.open({ ...people, name: 'loose' });
      expect(await models.insert('loose', person('d', 1, { phone: '+1' }))).to.equal(false);
      await models.open({ ...loose, name: 'loose' });
      await write('e', '+1');
      expect(await codeOf(models.open({ ...people, name: 'loose' }))).to.equal('unique_key_taken');
    });

    it('that expire store the time as a date, on which the server removes them', async () => {
      await models.open({ name: 'keys', keys: { until: 'number' }, indexes: [], expiresAt: 'until' });
      await models.write({
        keys: {
          put: [
            { id: 'a', keys: { until: 1_700_000_000_123 }, body: 1, revision: 1 },
            { id: 'b', keys: { until: null }, body: 1, revision: 1 },
          ],
        },
      });
      const keys = database.db.collection<{ _id: string }>('views_keys');
      expect(await keys.findOne({ _id: 'a' })).to.deep.include({ expireAt: new Date(1_700_000_000_123) });
      expect(await keys.findOne({ _id: 'b' })).to.not.have.property('expireAt');
      const expiry = (await keys.listIndexes().toArray()).find(({ name }) => name === 'expiry')!;
      expect(expiry).to.deep.include({ key: { expireAt: 1 }, expireAfterSeconds: 0 });
    });

    it('with both prefixes share one client, which closes with the last of them', async () => {
      const work = await openMongoReadModels(database.url, { prefix: 'work' });
      await work.open(people);
      await work.write({ people: { put: [person('w', 1)] } });
      expect(await models.get('people', 'w')).to.equal(undefined);
      expect(await models.list()).to.deep.equal(await work.list());
      await work.close();
      await work.close();
      await put(person('a', 1));
      expect((await models.get('people', 'a'))!.json).to.equal('{"id":"a"}');
    });

    it('are not confused with names: an alias is no collection, a collection no alias', async () => {
      await models.setAlias('current', 'people');
      expect(await codeOf(models.setAlias('people', 'people'))).to.equal('name_in_use');
      expect(await codeOf(models.open({ ...people, name: 'current' }))).to.equal('name_in_use');
      expect(await codeOf(models.setAlias('other', 'never'))).to.equal('unknown_collection');
      expect(await codeOf(models.drop('people'))).to.equal('collection_in_use');
      expect(await codeOf(models.find('never', { limit: 1 }))).to.equal('unknown_collection');
    });

    if (!place.isEmulator)
      it('are listed by an index in its order, without sorting', async () => {
        const products: CollectionDefinition = {
          name: 'products',
          keys: { workspaceId: 'text', category: 'text', name: 'text', updatedAt: 'number' },
          indexes: [
            { keys: ['workspaceId', 'name'] },
            { keys: ['workspaceId', 'category', 'name', '-updatedAt'] },
            { keys: ['workspaceId', '-updatedAt'] },
          ],
        };
        await models.open(products);
        const where = { workspaceId: 'w' };
        const queries: Query[] = [
          { where, sort: ['name'], limit: 50 },
          { where, sort: ['name'], after: ['m', 'id'], limit: 50 },
          { where, sort: ['-name'], after: ['m', 'id'], limit: 50 },
          { where, sort: ['name'], after: [null, 'id'], limit: 50 },
          { where: { ...where, category: 'c' }, sort: ['name', '-updatedAt'], after: ['m', 5, 'id'], limit: 50 },
          { where: { ...where, category: { in: ['c', 'd', null] } }, sort: ['name', '-updatedAt'], limit: 50 },
          { where: { ...where, updatedAt: { gte: 1, lt: 9 } }, sort: ['-updatedAt'], after: [5, 'id'], limit: 50 },
          { limit: 50, after: ['id'] },
        ];
        const documents = database.db.collection<never>('views_products');
        for (const query of queries)
          for (const { filter, sort, limit, index } of rangesOf(layoutOf(products), query)) {
            const plan = await documents.find(filter as object, { sort, limit, hint: index }).explain('queryPlanner');
            const stages = JSON.stringify(plan.queryPlanner.winningPlan);
            expect(stages).to.match(/IXSCAN|IDHACK/);
            expect(stages).to.not.match(/"(SORT|COLLSCAN)"/);
          }
      });
  });
