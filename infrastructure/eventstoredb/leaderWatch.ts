import { dial, featuresOf, hangUp, type Node, type Way } from './dialling.js';
import { Passing } from './failures.js';
import type { LeaderSearch } from './leaderSearch.js';

const TICK_MS = 500;
/** Silence after which a node may be idle, or cut off from the others. */
const SILENT_MS = 3_000;
/** An append waits for its answer so long that something may be wrong. */
const WAITING_MS = 1_000;
/** Between two looks: while appends wait, and while all is quiet. */
const LOOK_MS = 1_000;
const QUIET_LOOK_MS = 2_000;
/** Minimum interval, however often a check is requested. */
const LEAST_MS = 250;
const ANSWER_MS = 1_000;

interface Watched {
  node(): Promise<Node> | undefined;
  leave(node: Node, reason: Error, leader?: string): void;
}

/**
 * A leader that freezes, loses its link or is cut off from the others keeps its connections and may still answer pings: nothing fails,
 * nothing arrives. So while it is silent the *other* nodes are queried for the leader, and it is left when they name another. A server
 * without known other nodes is left when it answers a new connection but not the old one.
 */
export class LeaderWatch {
  /** How long the oldest append has been waiting, in ms. */
  appends: () => number = () => 0;
  readonly #search: LeaderSearch;
  readonly #way: Way;
  readonly #watched: Watched;
  readonly #ticking: NodeJS.Timeout;
  #checking = false;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(search: LeaderSearch, way: Way, watched: Watched) {
    this.#search = search;
    this.#way = way;
    this.#watched = watched;
    this.#ticking = setInterval(() => void this.#tick(), TICK_MS);
    this.#ticking.unref();
  }

  stop(): void {
    clearInterval(this.#ticking);
  }

  async #tick(): Promise<void> {
    const node = await this.#watched.node()?.catch(() => undefined);
    if (node === undefined || node.abandon.size === 0) return;
    const now = performance.now();
    const isPending = this.appends() > WAITING_MS;
    const isSilent = now - node.heard > SILENT_MS;
    if (now - this.#checkedAt < (isPending ? LOOK_MS : QUIET_LOOK_MS)) return;
    if (isPending || (isSilent && this.#search.hasChoice)) this.check(node, isPending);
  }

  /** `isPending`: a request is unanswered, so silence may mean a failure. */
  check(node: Node, isPending: boolean): void {
    const now = performance.now();
    if (this.#checking || now - this.#checkedAt < LEAST_MS) return;
    this.#checking = true;
    this.#checkedAt = now;
    void this.#compare(node, isPending)
      .catch(() => {})
      .then(() => {
        this.#checking = false;
      });
  }

  async #compare(node: Node, isPending: boolean): Promise<void> {
    const { target } = node.address;
    const leader = await this.#search.leaderOfOthers(node.address);
    if (leader !== undefined && leader !== target)
      return this.#watched.leave(node, new Passing(`${leader} leads instead of ${target}`), leader);
    if (isPending && !this.#search.isCluster) await this.#redial(node);
  }

  async #redial(node: Node): Promise<void> {
    const [old, fresh] = await Promise.allSettled([
      featuresOf(node.channel, this.#way, ANSWER_MS),
      dial(node.address, this.#way),
    ]);
    if (fresh.status === 'fulfilled') hangUp(fresh.value);
    // If the name has another address, that one may work.
    if (old.status === 'rejected' && (fresh.status === 'fulfilled' || this.#search.hasChoice))
      this.#watched.leave(node, new Passing(`the connection to ${node.address.target} is dead`));
  }
}
