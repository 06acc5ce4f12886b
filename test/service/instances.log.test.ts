import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { checkLog, OtherLog } from '../../service/engines/engineChecks.js';

describe('read models and their log', () => {
  const folder = temporaryFolder('suuq-mark-');
  const stores: EventStore[] = [];
  let work: DocumentStore;
  let count = 0;
  beforeEach(() => {
    work = openEmbeddedReadModels(join(folder.path, `work-${count++}.db`));
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await work.close();
  });
  after(() => folder.remove());

  async function log(...ids: string[]): Promise<EventStore> {
    const path = join(folder.path, `log-${count++}`);
    mkdirSync(path);
    const store = await openEmbeddedEventStore(path);
    stores.push(store);
    for (const id of ids) {
      const meta = { at: '2026-11-21T10:00:00.000Z', actor: { type: 'system' as const }, correlationId: id };
      await store.append('note-1', 'any', [{ id, type: 'Noted', data: {}, meta }]);
    }
    return store;
  }
  const check = (store: EventStore) =>
    checkLog({ store, name: 'EventStoreDB at b:2113' }, { work, name: 'MongoDB at db' });
  const A = '5f0c7a9e-1111-4000-8000-00000000000a';
  const B = '5f0c7a9e-1111-4000-8000-00000000000b';

  it('belong together from the first start with events', async () => {
    const store = await log();
    await check(store);
    const meta = { at: '2026-11-21T10:00:00.000Z', actor: { type: 'system' as const }, correlationId: A };
    await store.append('note-1', 'any', [{ id: A, type: 'Noted', data: {}, meta }]);
    await check(store);
    await store.append('note-2', 'any', [{ id: B, type: 'Noted', data: {}, meta }]);
    await check(store);
  });

  it('are not mixed with those of another log, nor with one that has lost everything', async () => {
    await check(await log(A));
    for (const other of [await log(B), await log(B, A), await log()]) {
      const error = await check(other).then(
        () => undefined,
        (refused: Error) => refused,
      );
      expect(error).to.be.instanceOf(OtherLog);
      expect(error?.message).to.include('MongoDB at db').and.include('EventStoreDB at b:2113');
    }
  });
});
