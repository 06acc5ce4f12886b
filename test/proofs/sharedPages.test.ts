/**
 * The tree of proofs and the index of the history share their reads of the log: each event is read once, in its place.
 */
import { expect } from 'chai';
import type { StoredEvent, StoredLog } from '../../engine/ports/storedLog.js';
import { sharedPages } from '../../engine/proofs/sharedPages.js';

const BYTES = 1_000;

function logOf(count: number, bytes = BYTES) {
  const events: StoredEvent[] = [];
  const grow = (more: number): void => {
    for (let n = 0; n < more; n += 1) {
      const position = events.length;
      const own = { id: `${position}`, data: new Uint8Array(bytes), meta: new Uint8Array(2) };
      events.push({ ...own, position, stream: 's', revision: position, type: 'T', json: true, recorded: 0 });
    }
  };
  grow(count);
  let read = 0;
  const log: StoredLog = {
    async readAfter(after, limit) {
      const page = events.slice(after + 1, after + 1 + limit);
      read += page.length;
      const through = page.at(-1)?.position ?? after;
      return { events: page, through, end: through === events.length - 1 };
    },
    readStream: async () => [],
    head: async () => events.length - 1,
    close: async () => undefined,
  };
  return { log: sharedPages(log), grow, read: () => read };
}

/** Reads to the end as a follower does. Returns the positions that arrived, and the last one read. */
async function follow(log: StoredLog, after: number, limit: number) {
  const positions: number[] = [];
  for (let at = after; ; ) {
    const page = await log.readAfter(at, limit);
    positions.push(...page.events.map(({ position }) => position));
    at = page.through;
    if (page.end) return { positions, at };
  }
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

describe('a log with two readers', () => {
  it('is read once for both, each with its own pages', async () => {
    const { log, read, grow } = logOf(1_000);
    const tree = await follow(log, -1, 300);
    expect(tree.positions).to.deep.equal(upTo(0, 1_000));
    const index = await follow(log, -1, 650);
    expect(index.positions).to.deep.equal(upTo(0, 1_000));
    expect(read()).to.equal(1_000);
    grow(50);
    expect((await follow(log, index.at, 650)).positions).to.deep.equal(upTo(1_000, 1_050));
    expect((await follow(log, tree.at, 300)).positions).to.deep.equal(upTo(1_000, 1_050));
    expect(read()).to.equal(1_050);
  });

  it('is read again after its end has grown', async () => {
    const { log, grow } = logOf(10);
    await follow(log, -1, 300);
    grow(5);
    expect((await follow(log, -1, 300)).positions).to.deep.equal(upTo(0, 15));
  });

  it('is read by each from its position, however far apart', async () => {
    const { log, grow } = logOf(100);
    await follow(log, 40, 30);
    expect((await follow(log, 5, 30)).positions).to.deep.equal(upTo(6, 100));
    expect((await follow(log, 40, 30)).positions).to.deep.equal(upTo(41, 100));
    grow(1);
    expect((await follow(log, 99, 30)).positions).to.deep.equal([100]);
  });

  it('caches only a few MiB that one reader has not yet read', async () => {
    const { log, read, grow } = logOf(40, 1_000_000);
    await follow(log, -1, 1);
    expect((await follow(log, -1, 1)).positions).to.deep.equal(upTo(0, 40));
    // Only the first eight events came from the cache. The same holds for the 20 events that follow.
    expect(read()).to.equal(72);
    grow(20);
    await follow(log, 39, 1);
    expect((await follow(log, 39, 1)).positions).to.deep.equal(upTo(40, 60));
    expect(read()).to.equal(72 + 32);
  });
});
