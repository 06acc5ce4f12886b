import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { createFrontier, type Frontier } from '../../engine/processors/frontier.js';
import type { Lanes } from '../../engine/processors/lanes.js';
import { newTask, taskDocument, tasksCollection, tasksDefinition } from '../../engine/processors/taskDocuments.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { fakeClock, until } from '../support/fakeClock.js';

const NAME = 'reminders';

describe('the frontier of owed tasks', () => {
  const clock = fakeClock();
  let folder: string;
  let work: DocumentStore;
  let frontier: Frontier;
  let read: number[];
  let offered: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-frontier-'));
    work = openEmbeddedReadModels(join(folder, 'work.db'));
    await work.open(tasksDefinition(NAME));
    read = [];
    offered = [];
    frontier = createFrontier({
      work: {
        ...work,
        find: async (collection, query) => {
          const rows = await work.find<never>(collection, query);
          read.push(rows.length);
          return rows;
        },
      },
      collection: tasksCollection(NAME),
      clock,
      lanes: { full: () => false, offer: ({ id }) => offered.push(id) > 0 } as Lanes,
      found: () => undefined,
      trouble: (error) => {
        throw error;
      },
    });
  });
  afterEach(async () => {
    await frontier.stop();
    await work.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const owe = (count: number, dueAt: (n: number) => number) =>
    work.write({
      [tasksCollection(NAME)]: {
        put: Array.from({ length: count }, (_, n) => {
          const id = `t${String(n).padStart(5, '0')}`;
          const task = { id, kind: 'remind', lane: id, payload: {}, dueAt: dueAt(n) };
          return taskDocument(newTask(task, clock.now()));
        }),
      },
    });

  it('reads few of the timers that are to come for one that has come', async () => {
    const now = clock.now();
    await owe(1000, (n) => now + 1000 * n);
    frontier.look();
    await until('the first is offered', async () => offered.length === 1);
    for (let n = 2; n <= 5; n += 1) {
      await clock.advance(1000);
      await until('the next is offered', async () => offered.length === n);
    }
    expect(offered).to.deep.equal(['t00000', 't00001', 't00002', 't00003', 't00004']);
    expect(Math.max(...read), read.join()).to.be.at.most(8);
  });

  it('reads what is due together in few pages', async () => {
    await owe(3000, () => clock.now() - 5);
    frontier.look();
    await until('all are offered', async () => offered.length === 3000);
    expect(read.length, read.join()).to.be.at.most(10);
  });
});
