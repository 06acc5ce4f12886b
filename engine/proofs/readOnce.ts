/** A log that two readers follow at their own pace, page by page, and that is read once where they are as far. */
import type { Position } from '../ports/eventStore.js';
import type { StoredLog, StoredPage } from '../ports/storedLog.js';

interface Page extends StoredPage {
  readonly after: Position;
}

/**
 * What one of them has read last is kept until another has had the whole of it, or somebody has read something else: so each page is read for
 * both, and no more than one is in memory for it.
 */
export class ReadOnce implements StoredLog {
  readonly readStream: StoredLog['readStream'];
  readonly gaps?: NonNullable<StoredLog['gaps']>;
  readonly head: StoredLog['head'];
  readonly close: StoredLog['close'];
  readonly #log: StoredLog;
  #kept: Page | undefined;

  constructor(log: StoredLog) {
    this.#log = log;
    this.readStream = (stream, from, limit) => log.readStream(stream, from, limit);
    if (log.gaps !== undefined) this.gaps = (most) => log.gaps!(most);
    this.head = () => log.head();
    this.close = () => log.close();
  }

  async readAfter(after: Position, limit: number): Promise<StoredPage> {
    const kept = this.#kept;
    if (kept !== undefined && after >= kept.after && after < kept.through) return this.#again(kept, after, limit);
    const page = await this.#log.readAfter(after, limit);
    this.#kept = { after, events: page.events, through: page.through, end: page.end };
    return page;
  }

  async #again(kept: Page, after: Position, limit: number): Promise<StoredPage> {
    const left = kept.events.filter(({ position }) => position > after);
    if (left.length > limit) {
      const events = left.slice(0, limit);
      return { events, through: events.at(-1)!.position, end: false };
    }
    this.#kept = undefined;
    // More may have come since it was read.
    return { events: left, through: kept.through, end: kept.end && kept.through >= (await this.#log.head()) };
  }
}
