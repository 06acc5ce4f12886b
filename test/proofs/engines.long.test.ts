/** The same events are the same leaves on each engine, in the same order: what was signed for one log holds for its copy. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { moveHistory } from '../../engine/moving/moveHistory.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { StoredEvent, StoredLog } from '../../engine/ports/storedLog.js';
import { leafOf, timeOf } from '../../engine/proofs/leaf.js';
import { LogTree } from '../../engine/proofs/logTree.js';
import { Tree } from '../../engine/proofs/tree.js';
import { openEventStoreDb, openStoredEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { audit } from '../../upkeep/audit/audit.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';
import { appendOrders, openProofs, type ProofsStage, proofsStage } from '../support/stages/proofsStage.js';

const ORDERS = 120;

describe('proofs on both engines', () => {
  let source: ProofsStage;
  let target: EndpointStage;
  let served: StoredLog;
  before(async () => {
    source = await proofsStage(ORDERS, 40);
    target = await endpointStage();
    served = await openStoredEventStoreDb(`esdb://${target.address}?tls=false`);
  });
  after(async () => {
    await served.close();
    await target.close();
    source.remove();
  });

  async function allOf(log: StoredLog): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let after = BEFORE_ALL; ; ) {
      const page = await log.readAfter(after, 50);
      events.push(...page.events);
      after = page.through;
      if (page.end) return events;
    }
  }

  it('are valid after a move from one to the other', async () => {
    const to = await openEventStoreDb(`esdb://${target.address}?tls=false`);
    const { openEmbeddedEventStore } = await import('../../infrastructure/sqlite/eventStore/embeddedEventStore.js');
    const from = await openEmbeddedEventStore(source.folder);
    await moveHistory({ source: from, target: to });
    await from.close();
    await to.close();
    const own = openStoredRows(source.folder);
    const leaves = (await allOf(own)).map((event) => leafOf(event));
    await own.close();
    expect((await allOf(served)).map((event) => leafOf(event))).to.deep.equal(leaves);
    const opened = await openProofs(source.folder);
    const tiles = openEmbeddedReadModels(':memory:');
    const tree = new LogTree(served, await Tree.open(tiles));
    const head = (await opened.proofs.latest())!;
    expect(await tree.advance()).to.equal(head.size);
    expect(await tree.root(head.size)).to.equal(head.rootHash);
    const parts = { log: served, tiles, work: opened.work, outside: { heads: [], keys: [] }, toleranceSeconds: 120 };
    const result = await audit(parts, { report() {}, signal: new AbortController().signal });
    expect(result).to.include({ whole: true, events: ORDERS * 3, inTree: ORDERS * 3, heads: 3 });
    const { events, beyond } = await tree.proven('order-o7', 0, 10, head.size);
    expect(beyond).to.equal(false);
    expect(events.map(({ event, index }) => [event.type, event.revision, index])).to.deep.equal([
      ['OrderPlaced', 0, 21],
      ['OrderCheckedOut', 1, 22],
      ['OrderStatusChanged', 2, 23],
    ]);
    await tiles.close();
    await opened.close();
  });

  it('leave out the engine’s own events, and include those of other programs', async () => {
    const before = (await allOf(served)).length;
    const { client } = target;
    await client.appendToStream('notes-1', {
      ...{ id: randomUUID(), type: 'Scan', contentType: 'application/octet-stream' as const },
      data: Buffer.of(0, 255, 1),
      metadata: undefined,
    });
    await client.setStreamMetadata('notes-1', { maxCount: 5 });
    await appendOrders(target.store, ORDERS, 1);
    const found = (await allOf(served)).slice(before);
    expect(found.map(({ type }) => type)).to.deep.equal([
      'Scan',
      'OrderPlaced',
      'OrderCheckedOut',
      'OrderStatusChanged',
    ]);
    expect(found[0]).to.include({ stream: 'notes-1', revision: 0, json: false });
    expect(Buffer.from(found[0]!.data)).to.deep.equal(Buffer.of(0, 255, 1));
    const rows = openStoredRows(target.folder);
    const own = (await allOf(rows)).slice(before);
    await rows.close();
    expect(own.map((event) => leafOf(event))).to.deep.equal(found.map((event) => leafOf(event)));
    expect(timeOf(own[0]!)).to.be.above(Date.parse('2026-01-01') * 1000);
  });
});
