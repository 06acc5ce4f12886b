import { join } from 'node:path';
import { expect } from 'chai';
import { steadyClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { isElsewhere } from '../../engine/projections/ownerErrors.js';
import { createSharedProgress, type SharedProgress } from '../../engine/projections/sharedProgress.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { settle } from '../support/doubles/fakeClock.js';
import { added, baskets, everything, type Stage, stage, stock } from '../support/stages/projectionStage.js';
import {
  type Engines,
  type SharedInstance,
  type SharedInstances,
  sharedInstances,
} from '../support/stages/sharedInstances.js';

const names = ['baskets', 'stock'];

describe('several instances', () => {
  let w: Stage;
  let all: SharedInstances;
  let progress: SharedProgress;
  const opened: DocumentStore[] = [];
  const open = (file: string): DocumentStore => {
    const models = openEmbeddedReadModels(join(w.folder, file));
    opened.push(models);
    return models;
  };

  beforeEach(async () => {
    w = await stage();
    const engines = (): Engines => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') });
    all = sharedInstances(engines, [baskets(), stock], []);
    progress = createSharedProgress({ views: open('views.db'), clock: steadyClock });
  });
  afterEach(async () => {
    progress.close();
    await all.close();
    for (const models of opened.splice(0)) await models.close();
    await w.close();
  });

  const runsAll = async (one: SharedInstance): Promise<boolean> => (await one.running()).length === names.length;
  const both = async (): Promise<[SharedInstance, SharedInstance]> => {
    const a = await all.add('a');
    const b = await all.add('b');
    const even = async () => (await a.running()).length === 1 && (await b.running()).length === 1;
    await all.passUntil('they share', even, 20_000);
    return [a, b];
  };
  const quantity = async (): Promise<number> =>
    (await w.models.get<{ quantity: number }>('baskets', 'b1'))!.body.quantity;
  const shown = async (): Promise<void> => {
    expect(await progress.waitFor(names, await w.store.head(), 5000)).to.equal(true);
  };

  it("run each projection once, and show each other's progress", async () => {
    const [a, b] = await both();
    expect([...(await a.running()), ...(await b.running())]).to.have.members(names);
    for (let i = 0; i < 20; i++) {
      const position = await w.append('b1', added([`a${i}`, 1]));
      expect(await progress.waitFor(names, position, 5000)).to.equal(true);
      expect(await quantity()).to.equal(i + 1);
    }
    const elsewhere = async () => (await a.projections.status()).find(({ state }) => state === 'elsewhere')!;
    await all.passUntil('a knows of b', async () => (await elsewhere()).owner === 'b', 2000);
    expect((await a.projections.status()).map(({ name }) => name)).to.have.members(names);
    expect(await elsewhere()).to.include({ lag: 0 });
    const error = await a.projections.rebuild((await elsewhere()).name).catch((refused: Error) => refused);
    expect(isElsewhere(error)).to.equal(true);
    expect(String(error)).to.include("'b'");
    expect(a.warnings.concat(b.warnings)).to.deep.equal([]);
  });

  it('hand over a projection when one starts and one stops', async () => {
    const a = await all.add('a');
    let count = 0;
    const add = async (): Promise<void> => {
      count += 1;
      await w.append('b1', added([`x${count}`, 1]));
    };
    await add();
    const b = await all.add('b');
    const even = async () => {
      await add();
      return (await a.running()).length === 1 && (await b.running()).length === 1;
    };
    await all.passUntil('they share', even, 20_000);
    await a.leases.stop();
    await add();
    await all.passUntil('b runs all', () => runsAll(b), 5000);
    await add();
    await shown();
    expect(await quantity()).to.equal(count);
  });

  it('continue within 10 s when one dies, which changes nothing when it resumes', async () => {
    for (const leapMs of [9000, 0]) {
      const [a, b] = await both();
      await w.append('b1', added(['a1', 1]));
      await shown();
      a.freeze();
      await w.append('b1', added(['a2', 1]));
      const took = await all.passUntil('b runs all', () => runsAll(b), 10_000);
      expect(took).to.be.at.least(4000);
      await shown();
      const stored = () => Promise.all(names.map((name) => everything(w.models, name)));
      const before = await stored();
      a.wake(leapMs);
      await settle(50);
      await all.passUntil('a knows', async () => (await a.running()).length === 0, 2000);
      expect(await stored()).to.deep.equal(before);
      await all.close();
      all = sharedInstances(
        () => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') }),
        [baskets(), stock],
        [],
      );
    }
  });
});
