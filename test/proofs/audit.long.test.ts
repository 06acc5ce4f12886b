/** An audit detects a log that was changed outside the service, and names the place. */
import { expect } from 'chai';
import { newKey, signHead } from '../../engine/proofs/treeHead.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import type { AuditResult } from '../../upkeep/audit/audit.js';
import { outsideHeads } from '../../upkeep/audit/heads.js';
import { appendOrders, OF_ORDER, openProofs, type ProofsStage, proofsStage } from '../support/stages/proofsStage.js';

/** More than two tiles. */
const ORDERS = 200;
const EVENTS = ORDERS * OF_ORDER;

describe('an audit of a log', () => {
  let stage: ProofsStage;
  before(async () => {
    stage = await proofsStage(ORDERS, 50);
  });
  after(() => stage.remove());

  /** Faults of events. Faults of heads are in `heads`. */
  const notify = ({ faults }: AuditResult) =>
    faults.filter(({ kind }) => kind !== 'head').map(({ kind, place }) => `${kind}: ${place}`);
  const heads = ({ faults }: AuditResult) => faults.filter(({ kind }) => kind === 'head');

  it('finds nothing in an unchanged log', async () => {
    const opened = await openProofs(stage.folder);
    const result = await opened.audited();
    await opened.close();
    expect(result.faults).to.deep.equal([]);
    expect(result).to.include({ whole: true, events: EVENTS, inTree: EVENTS, heads: 4, faultCount: 0 });
  });

  it('reports a changed event', async () => {
    const result = await stage.tampered(`UPDATE events SET data = replace(data, 'o70', 'o71') WHERE position = 211`);
    expect(result.whole).to.equal(false);
    expect(notify(result)).to.deep.equal(['changed: position 211 (OrderCheckedOut, revision 1 of order-o70)']);
    expect(heads(result)).to.have.length(1);
    expect(heads(result)[0]!.place).to.match(/^head of 300 events, signed 2026/);
    expect(heads(result)[0]!.what).to.include('after the first 150, which are unchanged; 2 later ones');
  });

  it('reports a removed event, whether or not later ones were renumbered', async () => {
    const removed = await stage.tampered('DELETE FROM events WHERE position = 301');
    expect(notify(removed)).to.deep.equal(['removed: position 301']);
    expect(removed.faults[0]!.what).to.include('the log lacks revision 1 of order-o100');
    const closed = await stage.tampered(
      'DELETE FROM events WHERE position = 300; UPDATE events SET position = position - 1 WHERE position > 300',
    );
    expect(notify(closed)).to.deep.equal(['removed: position 300']);
  });

  it('reports removed events at the end', async () => {
    const result = await stage.tampered(`DELETE FROM events WHERE position >= ${EVENTS - 2}`);
    expect(notify(result)).to.deep.equal([`removed: position ${EVENTS - 2}`, `removed: position ${EVENTS - 1}`]);
    expect(heads(result)[0]!.what).to.include(`the log has only ${EVENTS - 2} events`);
  });

  it('reports an added event', async () => {
    const result = await stage.tampered(
      `UPDATE events SET position = -position - 1 WHERE position >= 400; UPDATE events SET position = -position WHERE position < 0;
       INSERT INTO events SELECT 400, stream, 3, randomblob(16), type, category, data, meta, created, format, sum FROM events WHERE position = 399`,
    );
    expect(notify(result)).to.deep.equal(['added: position 400 (OrderPlaced, revision 3 of order-o133)']);
  });

  it('reports reordered events', async () => {
    const swap = `UPDATE events SET position = -1 WHERE position = 20; UPDATE events SET position = 20 WHERE position = 450;
      UPDATE events SET position = 450 WHERE position = -1`;
    const result = await stage.tampered(swap);
    expect(notify(result)).to.deep.equal([
      'reordered: position 20 (OrderPlaced, revision 0 of order-o150)',
      'reordered: position 450 (OrderStatusChanged, revision 2 of order-o6)',
    ]);
  });

  it('reports a backdated event', async () => {
    const sql = `UPDATE events SET meta = replace(meta, '2026-03-01T', '2026-02-01T') WHERE position = 500`;
    const result = await stage.tampered(sql);
    expect(notify(result)).to.deep.equal(['backdated: position 500 (OrderStatusChanged, revision 2 of order-o166)']);
    expect(result.faults[0]!.what).to.include(
      'its time is 2026-02-01T08:08:20.000Z, but an earlier event has the time 2026-03-01T',
    );
  });

  it('reports an event written with an old time, and one with a time after its head', async () => {
    const copy = stage.copy();
    const store = await openEmbeddedEventStore(copy);
    const meta = (at: string) => ({ at, actor: { type: 'system' as const }, correlationId: 'c' });
    const [old, late] = ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'];
    for (const [i, at] of [old, late].entries())
      await store.append('order-late', i - 1 === -1 ? 'noStream' : 0, [
        { id: `00000000-0000-4000-8000-00000000000${i}`, type: 'OrderPlaced', data: {}, meta: meta(at) },
      ]);
    const opened = await openProofs(copy);
    await opened.proofs.sign();
    const result = await opened.audited();
    await opened.close();
    await store.close();
    expect(notify(result)).to.deep.equal([
      `backdated: position ${EVENTS} (OrderPlaced, revision 0 of order-late)`,
      `backdated: position ${EVENTS + 1} (OrderPlaced, revision 1 of order-late)`,
    ]);
    expect(result.faults[1]!.what).to.include('the head that covers it was signed earlier');
  });

  it('reports parts of the stored tree that do not match the log', async () => {
    const wrong = `UPDATE c_proofTiles SET body = replace(body, '"hashes":"', '"hashes":"AAAA') WHERE id LIKE '1-%'`;
    const result = await stage.tampered(wrong, 'proofs.db');
    expect(result.faults.map(({ kind }) => kind)).to.include('tree');
    expect(heads(result)).to.deep.equal([]);
  });

  it('detects a log and a tree that were both rebuilt, by the signed heads', async () => {
    const copy = stage.copy();
    const sql = `UPDATE events SET data = replace(data, 'o70', 'o71') WHERE position = 211`;
    const retained = JSON.stringify({ heads: await headsOf(copy), keys: await keysOf(copy) });
    await inDatabase(copy, 'events.db', sql);
    await inDatabase(copy, 'proofs.db', 'DELETE FROM c_proofTiles; DELETE FROM c_proofTree');
    const opened = await openProofs(copy);
    await opened.tree.advance();
    const own = await opened.audited();
    expect(notify(own)).to.deep.equal([]);
    expect(heads(own)).to.have.length(1);
    expect(heads(own)[0]!.what).to.include('after the first 150');
    // The operator signs all heads again. Only copies of heads stored elsewhere reveal it.
    await inDatabase(copy, 'work.db', 'DELETE FROM c_proofHeads');
    await opened.proofs.sign();
    expect((await opened.audited()).whole).to.equal(true);
    const current = await opened.audited({ outside: outsideHeads(retained, 'kept.json') });
    await opened.close();
    expect(current.whole).to.equal(false);
    expect(current).to.include({ heads: 5, outsideHeads: 4 });
    expect(current.faults[0]!.place).to.match(/^head of 300 events, signed .* \(kept\.json\)$/);
  });

  it('signs nothing for a log other than the signed one', async () => {
    const copy = stage.copy();
    const store = await openEmbeddedEventStore(copy);
    await appendOrders(store, ORDERS, 1);
    await store.close();
    await inDatabase(copy, 'events.db', `UPDATE events SET data = '{}' WHERE position = 7`);
    await inDatabase(copy, 'proofs.db', 'DELETE FROM c_proofTiles; DELETE FROM c_proofTree');
    const opened = await openProofs(copy);
    const refused = await opened.proofs.sign().catch((error) => error);
    await opened.close();
    expect(refused.code).to.equal('log_contradicts_head');
  });

  it('rejects heads signed with another key, or unsigned', async () => {
    const opened = await openProofs(stage.folder);
    const latest = (await opened.proofs.latest())!;
    const { keyId, privateKey, publicKey } = newKey();
    const foreign = signHead({ ...latest, keyId }, privateKey);
    const posed = { ...foreign, keyId: latest.keyId };
    const result = await opened.audited({ outside: outsideHeads(JSON.stringify([foreign, posed]), 'kept.json') });
    expect(result.faults.map(({ what }) => what)).to.deep.equal([
      `it is signed with the key ${keyId}, which is not a key of this log`,
      `its signature does not match the key ${latest.keyId}`,
    ]);
    // A key given next to its heads is trusted.
    const vouched = outsideHeads(JSON.stringify({ heads: [foreign], keys: [{ publicKey }] }), 'kept.json');
    expect((await opened.audited({ outside: vouched })).whole).to.equal(true);
    await opened.close();
  });

  it('rejects heads signed after their key was retired, beyond clock tolerance', async () => {
    const retired = (at: string) =>
      stage.tampered(`UPDATE c_proofKeys SET body = json_set(body, '$.retiredAt', '2026-03-01T${at}.000Z')`, 'work.db');
    const before = await retired('08:57:00');
    expect(heads(before)).to.have.length(4);
    expect(heads(before)[0]!.what).to.match(/^it is signed with the key \S+, which was retired before$/);
    expect((await retired('08:59:00')).faults).to.deep.equal([]);
  });

  it('rejects invalid heads', () => {
    for (const text of ['', '{', '[1]', '{"size":1}', 'null', '"x"', '{"heads":[{}]}'])
      expect(() => outsideHeads(text, 'kept.json'), text).to.throw(
        /kept\.json (?:is not JSON|contains a value that is not)/,
      );
  });

  const headsOf = async (folder: string): Promise<unknown[]> => {
    const opened = await openProofs(folder);
    const found = await opened.work.find('proofHeads', { limit: 100 });
    await opened.close();
    return found.map(({ body }) => body);
  };
  const keysOf = async (folder: string): Promise<readonly unknown[]> => {
    const opened = await openProofs(folder);
    const keys = await opened.proofs.publicKeys();
    await opened.close();
    return keys;
  };
  const inDatabase = async (folder: string, name: string, sql: string): Promise<void> => {
    const { openDatabase } = await import('../../infrastructure/sqlite/database.js');
    const db = openDatabase(`${folder}/${name}`);
    db.exec(sql);
    db.close();
  };
});
