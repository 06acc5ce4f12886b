/** Embedded log with a tree over it and signed heads, in this process. A copy of it can be tampered with. */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Proofs } from '../../../application/proofs/proofs.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { LogTree } from '../../../engine/proofs/logTree.js';
import { Tree } from '../../../engine/proofs/tree.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { openDatabase } from '../../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openStoredRows } from '../../../infrastructure/sqlite/eventStore/storedRows.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type AuditParts, type AuditResult, audit } from '../../../upkeep/audit/audit.js';
import { fakeClock } from '../doubles/fakeClock.js';

/** Time of the first event. Each further event is one second later. */
export const BEGIN = Date.parse('2026-03-01T08:00:00.000Z');
const SECOND = 1_000;
/** Number of events of one order. */
export const OF_ORDER = 3;

export const uuidOf = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Appends orders of three events each; `from`: number of the first one. */
export async function appendOrders(store: Pick<EventStore, 'append'>, from: number, count: number): Promise<void> {
  for (let order = from; order < from + count; order += 1)
    await store.append(
      `order-o${order}`,
      'noStream',
      ['OrderPlaced', 'OrderCheckedOut', 'OrderStatusChanged'].map((type, i) => ({
        id: uuidOf(`${order} ${i}`),
        type,
        data: { orderId: `o${order}`, note: `Rice & dates № ${order}` },
        meta: {
          at: new Date(BEGIN + (order * OF_ORDER + i) * SECOND).toISOString(),
          actor: { type: 'system' },
          correlationId: `c${order}`,
        },
      })),
    );
}

/** Opens a log in a folder, with its tree and proofs. */
export async function openProofs(folder: string) {
  const log = openStoredRows(folder);
  const tiles = openEmbeddedReadModels(join(folder, 'proofs.db'));
  const work = openEmbeddedReadModels(join(folder, 'work.db'));
  const clock = fakeClock(BEGIN + 3_600 * SECOND);
  const tree = new LogTree(log, await Tree.open(tiles));
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const proofs = new Proofs({ work, secretBox, sealingKeys: secretBox, clock, tree });
  return {
    ...{ log, tiles, work, clock, tree, proofs },
    audited: (more: Partial<AuditParts> = {}): Promise<AuditResult> =>
      audit(
        { log, tiles, work, outside: { heads: [], keys: [] }, toleranceSeconds: 120, ...more },
        { report() {}, signal: new AbortController().signal },
      ),
    close: async () => void (await Promise.all([log.close(), tiles.close(), work.close()])),
  };
}

export interface ProofsStage {
  readonly folder: string;
  /** Changes the log of a copy by SQL and returns the audit of the copy. */
  tampered(sql: string, database?: string): Promise<AuditResult>;
  /** Creates another copy and returns its folder. */
  copy(): string;
  remove(): void;
}

/** Creates a log of `orders` orders, three events each. Signs a head after every `every` orders. */
export async function proofsStage(orders: number, every = orders): Promise<ProofsStage> {
  const root = mkdtempSync(join(tmpdir(), 'suuq-proofs-'));
  const folder = join(root, 'log');
  const store = await openEmbeddedEventStore(folder, { writesHere: true });
  const opened = await openProofs(folder);
  for (let from = 0; from < orders; from += every) {
    await appendOrders(store, from, Math.min(every, orders - from));
    await opened.proofs.sign();
    opened.clock.advance(SECOND);
  }
  await opened.close();
  await store.close();
  let turn = 0;
  const copy = (): string => {
    turn += 1;
    const to = join(root, `copy-${turn}`);
    cpSync(folder, to, { recursive: true });
    return to;
  };
  return {
    folder,
    copy,
    async tampered(sql, database = 'events.db') {
      const to = copy();
      const db = openDatabase(join(to, database));
      db.exec(sql);
      db.close();
      const of = await openProofs(to);
      try {
        return await of.audited();
      } finally {
        await of.close();
      }
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}
