import type { PendingTask } from './taskDocuments.js';

/** Maximum ended tasks that one page is compared with. */
const MOST_ENDED = 10_000;

/**
 * A page of stored tasks while it is being read. The page shows the store as it was when it was queried, so it may
 * hold tasks that have ended since.
 */
export class PageRead {
  readonly #lane: string | undefined;
  readonly #close: (page: PageRead) => void;
  /** Latest ended version by task id. */
  readonly #ended = new Map<string, number>();
  #isFull = false;

  constructor(lane: string | undefined, close: (page: PageRead) => void) {
    this.#lane = lane;
    this.#close = close;
  }

  /** True if too many tasks have ended to determine which rows of the page are current. */
  get isStale(): boolean {
    return this.#isFull;
  }

  note({ id, revision, lane }: PendingTask): void {
    if (this.#isFull || (this.#lane !== undefined && this.#lane !== lane)) return;
    this.#ended.set(id, revision);
    if (this.#ended.size < MOST_ENDED) return;
    this.#isFull = true;
    this.#ended.clear();
  }

  /** False for a row whose version has ended since the page was queried. */
  isCurrent({ id, revision }: Pick<PendingTask, 'id' | 'revision'>): boolean {
    return revision > (this.#ended.get(id) ?? 0);
  }

  close(): void {
    this.#close(this);
  }
}

/**
 * The tasks of one shard that are in memory: waiting, in flight, or performed with the outcome not yet written. A task
 * is removed when its outcome is written, and pages that were queried before are notified.
 */
export class TaskCache {
  /** True while stored due tasks may be unknown to their lanes. */
  isBehind = false;
  readonly #revisions = new Map<string, number>();
  readonly #pages = new Set<PageRead>();

  get size(): number {
    return this.#revisions.size;
  }

  has(id: string): boolean {
    return this.#revisions.has(id);
  }

  revisionOf(id: string): number | undefined {
    return this.#revisions.get(id);
  }

  add({ id, revision }: PendingTask): void {
    this.#revisions.set(id, revision);
  }

  /** Removes a task whose outcome is written. False if it was not in memory. */
  end(task: PendingTask): boolean {
    for (const page of this.#pages) page.note(task);
    return this.#revisions.delete(task.id);
  }

  /** Opens a page before its query is sent; of one lane, if given. */
  openPage(lane?: string): PageRead {
    const page = new PageRead(lane, (one) => this.#pages.delete(one));
    this.#pages.add(page);
    return page;
  }
}
