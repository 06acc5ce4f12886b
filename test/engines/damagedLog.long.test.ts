/**
 * Damage to events.db by a disk or a careless copy. It is reported, and damaged data is never read as if it were
 * intact.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { LogDamaged, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { readHeadMark } from '../../infrastructure/sqlite/eventStore/headMark.js';
import { gapsIn, RowCheck, structureFaults } from '../../infrastructure/sqlite/eventStore/rowCheck.js';
import { meta } from '../contracts/eventStoreKit.js';

const STREAMS = Array.from({ length: 12 }, (_, n) => `${n % 2 === 0 ? 'order' : 'catalog'}-shop-${n}`);
const ROUNDS = 12;
const FLIPS = 100;
const PAGE = 4096;

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** 144 events of 12 streams, some longer than a page. */
async function fill(folder: string): Promise<void> {
  const store = await openEmbeddedEventStore(folder);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [n, stream] of STREAMS.entries()) {
      const data = { round, note: `${stream} said ${'something longer '.repeat(n === 3 ? 400 : n)}` };
      await store.append(stream, round === 0 ? 'noStream' : round - 1, [
        { id: idOf(round * STREAMS.length + n), type: n % 3 === 0 ? 'OrderPlaced' : 'ProductAdded', data, meta },
      ]);
    }
  await store.close();
}

interface Content {
  readonly all: readonly RecordedEvent[];
  readonly byStream: readonly (readonly RecordedEvent[])[];
}

/** Reads each stream by itself. Leaves out damaged events, and returns whether damage was reported. */
async function contentOf(folder: string): Promise<{ content: Content; named: boolean; events: RecordedEvent[] }> {
  const events: RecordedEvent[] = [];
  let named = false;
  const attempt = async (read: () => Promise<readonly RecordedEvent[]>): Promise<readonly RecordedEvent[]> => {
    try {
      const found = await read();
      events.push(...found);
      return found;
    } catch (error) {
      expect(error).to.be.instanceOf(LogDamaged);
      named = true;
      return [];
    }
  };
  const content = { all: [] as readonly RecordedEvent[], byStream: [] as (readonly RecordedEvent[])[] };
  try {
    const store = await openEmbeddedEventStore(folder);
    try {
      content.all = await attempt(async () => {
        const found: RecordedEvent[] = [];
        for (let after = -1; ; ) {
          const page = await store.readAll(after, { limit: 50 });
          found.push(...page.events);
          after = page.through;
          if (page.end) return found;
        }
      });
      for (const stream of STREAMS) content.byStream.push(await attempt(() => store.readStream(stream)));
    } finally {
      await store.close();
    }
  } catch (error) {
    expect(error).to.be.instanceOf(LogDamaged);
    named = true;
  }
  return { content, named, events };
}

/** Number of faults that `suuq verify` finds in the file. */
function faultsOf(folder: string): number {
  try {
    const db = openDatabase(join(folder, 'events.db'), { readonly: true });
    try {
      const rows = new RowCheck(db);
      let count = structureFaults(db, 10).length + gapsIn(db, 10).length;
      for (let after = -1; after < 1_000; ) {
        const page = rows.next(after, 1_000);
        count += page.faults.length;
        after = page.through;
      }
      return count;
    } finally {
      db.close();
    }
  } catch {
    return 1;
  }
}

describe('a damaged events.db', function () {
  this.timeout(180_000);
  const whole = mkdtempSync(join(tmpdir(), 'suuq-whole-'));
  const folder = mkdtempSync(join(tmpdir(), 'suuq-damaged-'));
  const file = join(folder, 'events.db');
  let bytes: Buffer;
  let stored: Content;

  before(async () => {
    await fill(whole);
    ({ content: stored } = await contentOf(whole));
    bytes = readFileSync(join(whole, 'events.db'));
    expect(stored.all).to.have.length(STREAMS.length * ROUNDS);
    expect(faultsOf(whole)).to.equal(0);
  });
  after(() => {
    for (const each of [whole, folder]) rmSync(each, { recursive: true, force: true });
  });

  function put(content: Buffer): void {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    writeFileSync(file, content);
  }

  /**
   * Checks that every event read is one that was written, and that missing events are reported, at the latest by
   * verify.
   */
  async function isNamedOrWhole(what: string): Promise<void> {
    const { content, named, events } = await contentOf(folder);
    for (const event of events) expect(event, what).to.deep.equal(stored.all[event.position]);
    if (named) return;
    if (JSON.stringify(content) === JSON.stringify(stored)) return;
    expect(faultsOf(folder), `${what} is not named`).to.be.greaterThan(0);
  }

  it('never returns an event that was not written, whatever bit flips, and names the affected events', async () => {
    const flip = fc.record({ at: fc.integer({ min: 0, max: bytes.length - 1 }), bit: fc.integer({ min: 0, max: 7 }) });
    await fc.assert(
      fc.asyncProperty(flip, async ({ at, bit }) => {
        const changed = Buffer.from(bytes);
        changed[at] = changed[at]! ^ (1 << bit);
        put(changed);
        await isNamedOrWhole(`bit ${bit} of byte ${at}`);
      }),
      { numRuns: FLIPS, seed: 20_261_122 },
    );
  });

  it('never returns one after a page was misplaced, cleared, or replaced by an older version', async () => {
    const pages = bytes.length / PAGE;
    const change = fc.record({
      page: fc.integer({ min: 0, max: pages - 1 }),
      from: fc.integer({ min: -1, max: pages - 1 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ page, from }) => {
        const changed = Buffer.from(bytes);
        if (from === -1) changed.fill(0, page * PAGE, (page + 1) * PAGE);
        else bytes.copy(changed, page * PAGE, from * PAGE, (from + 1) * PAGE);
        put(changed);
        await isNamedOrWhole(`page ${page} from ${from}`);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('is rejected at the start if its end was cut off, at any page and within one', async () => {
    for (const cut of [1, 100, PAGE, 3 * PAGE + 7, bytes.length - PAGE, bytes.length - 50]) {
      put(bytes.subarray(0, bytes.length - cut));
      const { named, events } = await contentOf(folder);
      expect(named, `${cut} bytes less`).to.equal(true);
      expect(events).to.deep.equal([]);
    }
  });

  it('names the event by its position', async () => {
    const text = Buffer.from('catalog-shop-5 said');
    const changed = Buffer.from(bytes);
    // The file may hold stale copies that nothing points to any more.
    for (let at = changed.indexOf(text); at !== -1; at = changed.indexOf(text)) changed[at + 2] = 'z'.charCodeAt(0);
    put(changed);
    const failure = await openEmbeddedEventStore(folder).catch((error) => error);
    expect(failure).to.be.instanceOf(LogDamaged);
    expect(failure.message).to.match(/^events\.db: the event at position \d+: .* \(revision \d+ of catalog-shop-5\)$/);
  });

  it('records how far it was written: a missing write-ahead log is detected', async () => {
    put(bytes);
    const store = await openEmbeddedEventStore(folder);
    const { position } = await store.append('order-late-1', 'noStream', [
      { id: idOf(999), type: 'OrderPlaced', data: { late: true }, meta },
    ]);
    expect(readHeadMark(folder)).to.deep.equal({ position, id: idOf(999).replaceAll('-', '') });
    await store.close();
  });

  it('is still read if its rows have no checksums, as an earlier release wrote them', async () => {
    put(bytes);
    const db = openDatabase(file);
    db.exec('UPDATE events SET sum = NULL WHERE position < 100');
    db.close();
    const { content, named } = await contentOf(folder);
    expect(named).to.equal(false);
    expect(content).to.deep.equal(stored);
    expect(faultsOf(folder)).to.equal(0);
  });
});
