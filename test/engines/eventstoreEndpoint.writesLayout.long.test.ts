/** A log of the layout before the protocol endpoint goes on being read and written, and takes what clients write. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryEvent, jsonEvent } from '@eventstore/db-client';
import { expect } from 'chai';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { meta } from '../contracts/eventStoreKit.js';
import { endpointStage } from '../support/stages/endpointStage.js';

/** As version 0.1 made it. */
const LAYOUT_1 = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, id BLOB NOT NULL,
    type INTEGER NOT NULL, category INTEGER NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL);
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE INDEX events_by_id ON events (stream, id);
  PRAGMA user_version = 1;
  INSERT INTO streams VALUES (1, 'order-1');
  INSERT INTO names VALUES (1, 'OrderPlaced'), (2, 'order');`;

const FIRST = '00000000-0000-4000-8000-000000000001';
const SECOND = '00000000-0000-4000-8000-000000000002';

describe('a log of layout 1', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-layout-'));
    const db = openDatabase(join(folder, 'events.db'));
    db.exec(LAYOUT_1);
    const insert = db.prepare('INSERT INTO events VALUES (?, 1, ?, ?, 1, 2, ?, ?)');
    for (const [n, id] of [FIRST, SECOND].entries())
      insert.run([n, n, Buffer.from(id.replaceAll('-', ''), 'hex'), JSON.stringify({ n }), JSON.stringify(meta)]);
    db.close();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is read unchanged, and recognises repeats of its events', async () => {
    const store = await openEmbeddedEventStore(folder);
    const events = [FIRST, SECOND].map((id, n) => ({ id, type: 'OrderPlaced', data: { n }, meta }));
    expect(await store.append('order-1', 'noStream', events)).to.deep.equal({
      revision: 1,
      position: 1,
      repeated: true,
    });
    expect(await store.readStream('order-1')).to.deep.equal(
      events.map((event, n) => ({ ...event, stream: 'order-1', revision: n, position: n })),
    );
    await store.close();
  });

  it('is served by the endpoint, and accepts bytes and metadata of its clients', async () => {
    const stage = await endpointStage({ folder });
    await stage.client.appendToStream('order-1', binaryEvent({ type: 'Bytes', data: Buffer.from([1]) }), {
      expectedRevision: 1n,
    });
    await stage.client.appendToStream('order-1', jsonEvent({ type: 'Json', data: { n: 3 } }), { expectedRevision: 2n });
    await stage.client.setStreamMetadata('order-1', { truncateBefore: 1 });
    await stage.restart();
    const seen: [number, string, string][] = [];
    for await (const { event } of stage.client.readStream('order-1'))
      seen.push([Number(event!.revision), event!.type, event!.created.toISOString()]);
    expect(seen.map(([revision, type]) => [revision, type])).to.deep.equal([
      [1, 'OrderPlaced'],
      [2, 'Bytes'],
      [3, 'Json'],
    ]);
    expect(seen[0]![2]).to.equal(meta.at);
    expect((await stage.store.readStream('order-1')).map(({ revision }) => revision)).to.deep.equal([0, 1, 3]);
    await stage.close();
  });
});
