/** Batches that are applied twice, late, by two owners, or by a replaced owner. The result is that of one owner. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type CollectionDefinition,
  type DocumentStore,
  Fenced,
  type WriteBatch,
} from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { emulator, onMongo, server, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';

const baskets: CollectionDefinition = { name: 'baskets', keys: { owner: 'text' }, indexes: [{ keys: ['owner'] }] };

interface Change {
  readonly id: string;
  readonly revision: number;
  readonly removed: boolean;
}

/** A history: each batch comes from some events, and its position is that of the last one. */
const history = fc
  .array(
    fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), removed: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((batches) => {
    let revision = 0;
    return batches.map((batch) => batch.map((change): Change => ({ ...change, revision: ++revision })));
  });

/** The owner that writes the next batch: one of the two, or both at once. */
const turns = fc.array(fc.constantFrom('first', 'second', 'both'), { maxLength: 20 });

/** The last change of each id, as a projection's runtime writes it. */
function batchOf(changes: readonly Change[]): WriteBatch {
  const last = [...new Map(changes.map((change) => [change.id, change])).values()];
  return {
    put: last
      .filter(({ removed }) => !removed)
      .map(({ id, revision }) => ({ id, revision, keys: { owner: `o${revision % 2}` }, body: { revision } })),
    remove: last.filter(({ removed }) => removed).map(({ id, revision }) => ({ id, revision })),
  };
}

function expected(batches: readonly (readonly Change[])[]): [string, number][] {
  const all = new Map(batches.flat().map((change) => [change.id, change]));
  const retained = [...all.values()].filter(({ removed }) => !removed);
  return retained.map(({ id, revision }): [string, number] => [id, revision]).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Writes batches one after another, from the first whose position is beyond `from`. */
class Owner {
  readonly #models: DocumentStore;
  readonly #batches: readonly (readonly Change[])[];
  readonly #fence: number | undefined;
  #next: number;
  constructor(models: DocumentStore, batches: readonly (readonly Change[])[], from = BEFORE_ALL, fence?: number) {
    this.#models = models;
    this.#batches = batches;
    this.#fence = fence;
    this.#next = batches.findIndex((batch) => batch.at(-1)!.revision > from);
    if (this.#next === -1) this.#next = batches.length;
  }
  async step(): Promise<void> {
    const batch = this.#batches[this.#next];
    if (batch === undefined) return;
    this.#next++;
    const at = { name: 'baskets', position: batch.at(-1)!.revision };
    const checkpoint = this.#fence === undefined ? at : { ...at, fence: this.#fence };
    await this.#models.write({ baskets: batchOf(batch) }, checkpoint);
  }
  async finish(): Promise<void> {
    while (this.#next < this.#batches.length) await this.step();
  }
}

for (const place of [emulator, server])
  onMongo(place, 'owners of a projection', () => {
    let database: TestDatabase;
    let one: DocumentStore;
    let other: DocumentStore;
    before(async () => {
      database = await testDatabase(place);
      one = await openMongoReadModels(database.url, { prefix: 'views' });
      other = await openMongoReadModels(database.url, { prefix: 'views' });
    });
    after(async () => {
      await one.close();
      await other.close();
      await database.close();
    });

    async function afresh(): Promise<void> {
      await database.db.collection('views_baskets').deleteMany({});
      await database.db.collection('views.checkpoints').deleteMany({});
      await one.open(baskets);
    }

    async function expectEnd(batches: readonly (readonly Change[])[]): Promise<void> {
      const found = await one.find<{ revision: number }>('baskets', { limit: 99 });
      expect(found.map(({ id, revision }) => [id, revision])).to.deep.equal(expected(batches));
      expect(found.every(({ body, revision }) => body.revision === revision)).to.equal(true);
      expect(await one.checkpoint('baskets')).to.equal(batches.at(-1)!.at(-1)!.revision);
    }

    it('that write the same batches in any interleaving produce one owner’s result', async () => {
      await fc.assert(
        fc.asyncProperty(history, turns, async (batches, turns) => {
          await afresh();
          const first = new Owner(one, batches);
          const second = new Owner(other, batches);
          for (const turn of turns) {
            if (turn === 'both') await Promise.all([first.step(), second.step()]);
            else await (turn === 'first' ? first : second).step();
          }
          await first.finish();
          await expectEnd(batches);
          await second.finish();
          await expectEnd(batches);
        }),
        { numRuns: 60 },
      );
    });

    it('that replace one another change nothing more, and the last produces the result', async () => {
      await fc.assert(
        fc.asyncProperty(history, fc.nat(8), fc.boolean(), async (batches, before, meanwhile) => {
          await afresh();
          await one.claim({ name: 'baskets', fence: 1 });
          const first = new Owner(one, batches, BEFORE_ALL, 1);
          for (let i = 0; i < Math.min(before, batches.length - 1); i++) await first.step();
          // A write that is under way while the name is taken over may be applied or refused.
          const late = meanwhile
            ? first.step().catch((error: unknown) => expect(error).to.be.instanceOf(Fenced))
            : undefined;
          const from = await other.claim({ name: 'baskets', fence: 2 }, ['baskets']);
          await late;
          const refused = first.step().then(
            () => 'nothing was left to write',
            (error: unknown) => error,
          );
          expect([Fenced.name, 'nothing was left to write']).to.include(
            await refused.then((text) => (text instanceof Error ? text.name : text)),
          );
          await new Owner(other, batches, from, 2).finish();
          await expectEnd(batches);
        }),
        { numRuns: 60 },
      );
    });
  });
