/**
 * MongoDB behind two routers of a sharded cluster. A router refuses to read at a cluster time that it does not know.
 */
import { expect } from 'chai';
import { Binary, type ClusterTime, Long, Timestamp } from 'mongodb';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { mongoMessages } from '../../harness/engines/wireMessages.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { type Fields, onCommands, refusal } from '../support/doubles/mongoWire.js';

const HELLOS = new Set(['hello', 'isMaster', 'ismaster']);
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes']);
const KEY_ID = Long.fromString('7301234567890123456');

const at = (moment: number) => new Timestamp({ t: 1_700_000_000, i: moment });
const signature = (moment: number) => ({ hash: new Binary(Buffer.alloc(20, moment)), keyId: KEY_ID });

onMongo(emulator, 'read models behind routers', () => {
  let database: TestDatabase;
  let routers: FaultyProxy[];
  let opened: DocumentStore[];
  let written: number;
  let forged: number;
  /** Latest cluster time that each router knows, from writes or from clients. */
  let known: number[];
  beforeEach(async () => {
    database = await testDatabase(emulator);
    const { host } = new URL(database.url);
    routers = await Promise.all([faultyProxy(host, mongoMessages), faultyProxy(host, mongoMessages)]);
    opened = [];
    known = [1, 1];
    written = 1;
    forged = 0;
    for (const [own, router] of routers.entries()) onCommands(router, requested(own), answered(own));
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    for (const router of routers) await router.close();
    await database.close();
  });

  const requested =
    (own: number) =>
    ({ name, body }: { name: string; body: Fields }): Fields | undefined => {
      if (HELLOS.has(name)) return undefined;
      const reported = body.$clusterTime as ClusterTime | undefined;
      if (reported !== undefined) {
        const moment = reported.clusterTime.getLowBits();
        if (!Buffer.from(reported.signature!.hash.buffer).equals(Buffer.alloc(20, moment))) forged++;
        known[own] = Math.max(known[own]!, moment);
      }
      const expected = body.readConcern?.afterClusterTime as Timestamp | undefined;
      if (expected?.greaterThan(at(known[own]!)))
        return refusal(72, 'readConcern afterClusterTime value must not be greater than the current clusterTime');
      if (WRITES.has(name)) known[own] = ++written;
      return undefined;
    };
  const answered =
    (own: number) =>
    ({ name }: { name: string }, answer: Fields): Fields => {
      const moment = known[own]!;
      const time = { $clusterTime: { clusterTime: at(moment), signature: signature(moment) } };
      if (HELLOS.has(name)) return { ...answer, ...time, msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30 };
      return { ...answer, ...time, operationTime: at(moment) };
    };

  it('read what another client has just written through the other router, since they pass on its cluster time', async () => {
    const url = `mongodb://${routers.map(({ address }) => address).join(',')}${new URL(database.url).pathname}?localThresholdMS=10000`;
    // Each has a client of its own, as threads have.
    for (const timeoutMs of [4_000, 4_001]) opened.push(await openMongoReadModels(url, { prefix: 'views', timeoutMs }));
    const [one, other] = opened as [DocumentStore, DocumentStore];
    await one.open({ name: 'orders', keys: {}, indexes: [] });
    for (let revision = 1; revision <= 20; revision++) {
      await one.write(
        { orders: { put: [{ id: 'o', revision, keys: {}, body: { revision } }] } },
        { name: 'orders', position: revision },
      );
      expect((await other.get('orders', 'o'))!.revision).to.equal(revision);
    }
    expect(known[0]! > 1 && known[1]! > 1, 'both routers were used').to.equal(true);
    expect(forged).to.equal(0);
  });
});
