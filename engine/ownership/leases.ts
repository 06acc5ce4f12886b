import type { SteadyClock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { plan } from './fairShares.js';
import { Candidacy, type Holder, type Lease } from './lease.js';
import { type LeaseDocument, leaseDocument, leasesDefinition } from './leaseDocuments.js';
import { LeaseQuery, type QueriedLeases } from './leaseQuery.js';
import { Session } from './session.js';

export interface LeasesOptions {
  /** Store that all instances share. Leases are in its collection `leases`. */
  readonly work: DocumentStore;
  /** Clock: steadyClock, or a fake in tests. */
  readonly clock: SteadyClock;
  /** Label of this instance for operators; need not be unique. */
  readonly instance: string;
  /** Silence of an owner after which another takes over, in ms. Default: 5,000. */
  readonly ttlMs?: number;
  /** Time between two heartbeats, and between two queries of all leases, in ms. Default: 1,500. */
  readonly renewMs?: number;
  readonly log: Log;
}

export interface Leases {
  /**
   * Competes for the ownership of a name (`kind:rest`). Each kind is shared evenly among instances. A name goes to the
   * instances with the highest `rank`, such as the newest version. Default: 0. Call it before or after start().
   */
  hold(name: string, holder: Holder, rank?: number): void;
  /**
   * Opens the collection and takes free names; others follow as they are released. Rejects if the store is unavailable.
   */
  start(): Promise<void>;
  /** Hands everything over. Resolves when all holders have ended, so that other instances may begin at once. */
  stop(): Promise<void>;
  /** Returns the instance that owned a name at the last query. */
  ownerOf(name: string): string | undefined;
}

const TTL_MS = 5000;
const RENEW_MS = 1500;
const SOON_MS = 20;

class SharedLeases implements Leases {
  readonly #options: LeasesOptions & { readonly ttlMs: number; readonly renewMs: number };
  readonly #candidacies = new Map<string, Candidacy>();
  readonly #session: Session;
  readonly #query: LeaseQuery;
  #instances: ReadonlyMap<string, string> = new Map();
  #checking: Promise<void> | undefined;
  #cancelCheck: () => void = () => undefined;
  #stopped = false;
  /** True if another instance was faster at the last attempt. Free names are then queried at once. */
  #wasLate = false;
  /** True if no other instance was live at the last query. */
  #isAlone = false;

  constructor(options: LeasesOptions) {
    this.#options = { ttlMs: TTL_MS, renewMs: RENEW_MS, ...options };
    this.#query = new LeaseQuery(this.#options, () => this.#session.own);
    this.#session = new Session({
      ...this.#options,
      wants: () => this.#wants((candidacy) => candidacy.restUntil <= options.clock.now()),
      ended: () => {
        for (const candidacy of this.#candidacies.values()) this.#lose(candidacy);
      },
    });
  }

  hold(name: string, holder: Holder, rank = 0): void {
    const failed = (candidacy: Candidacy, error: unknown): void => this.#failed(candidacy, error);
    this.#candidacies.set(name, new Candidacy(name, rank, holder, failed));
    if (this.#checking !== undefined) this.#checkDocument(this.#options.clock.now() + SOON_MS);
  }

  async start(): Promise<void> {
    await this.#options.work.open(leasesDefinition);
    await this.#session.start();
    await this.#checkAndContinue();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelCheck();
    await this.#checking;
    const candidacies = [...this.#candidacies.values()];
    await Promise.all(candidacies.map((one) => (one.lease && !one.isReleasing ? one.end('handover') : one.settled())));
    for (const candidacy of candidacies) candidacy.lease = undefined;
    await this.#session.stop();
  }

  ownerOf(name: string): string | undefined {
    return this.#instances.get(name);
  }

  #checkAndContinue(): Promise<void> {
    const { clock, renewMs, log } = this.#options;
    const requestedAt = clock.now();
    this.#checking = this.#check().then(
      () => {
        const time = this.#wasLate ? requestedAt : Math.min(requestedAt + renewMs, this.#query.nextSilent());
        this.#wasLate = false;
        this.#checkDocument(time);
      },
      (error: unknown) => {
        log.warn({ err: error }, 'lease renewal failed, retrying');
        this.#checkDocument(clock.now() + renewMs / 3);
      },
    );
    return this.#checking;
  }

  #checkDocument(time: number): void {
    this.#cancelCheck();
    if (this.#stopped) return;
    const soonest = this.#options.clock.now() + SOON_MS;
    this.#cancelCheck = this.#options.clock.at(Math.max(soonest, time), () => void this.#checkAndContinue());
  }

  /** Reads the state of all leases, then takes and hands over what is due. */
  async #check(): Promise<void> {
    const queried = await this.#query.run();
    const owned: [string, string][] = [];
    for (const [name, { body }] of queried.leases) {
      const owner = queried.live.get(body.owner);
      if (owner !== undefined) owned.push([name, owner.body.instance]);
    }
    this.#instances = new Map(owned);
    for (const candidacy of this.#candidacies.values())
      if (candidacy.lease !== undefined && candidacy.lease.fence !== queried.leases.get(candidacy.name)?.revision)
        this.#lose(candidacy);
    const me = this.#session.id;
    if (me !== undefined && !this.#stopped) await this.#settle(me, queried);
  }

  async #settle(me: string, queried: QueriedLeases): Promise<void> {
    const now = this.#options.clock.now();
    const owners = await this.#owners(me, queried, now);
    const others = [...queried.live.values()].filter(({ id }) => id !== me);
    this.#isAlone = others.length === 0;
    const { take, release } = plan({
      me,
      contenders: [
        {
          session: me,
          wants: this.#wants((candidacy) => candidacy.restUntil <= now && !(candidacy.busy && !candidacy.lease)),
        },
        ...others.map(({ id, body }) => ({ session: id, wants: body.wants })),
      ],
      owners,
      left: this.#left(owners, now),
    });
    for (const name of release) void this.#give(this.#candidacies.get(name)!);
    const taken = await Promise.allSettled(
      take.map((name) => this.#take(this.#candidacies.get(name)!, queried.leases.get(name), me)),
    );
    for (const one of taken) if (one.status === 'rejected') throw one.reason;
    this.#wasLate = taken.some((one) => one.status === 'fulfilled' && !one.value);
  }

  /** Returns the owners by name as this instance sees them. Names that are being handed over get an empty owner. */
  async #owners(me: string, queried: QueriedLeases, now: number): Promise<Map<string, string>> {
    const owners = new Map<string, string>();
    for (const [name, stored] of queried.leases) {
      const { owner } = stored.body;
      const candidacy = this.#candidacies.get(name);
      // A lease with this session that is unknown here comes from a write that seemed to fail. It is free to take
      // here.
      const stray = owner === me && candidacy?.lease === undefined;
      if (stray && candidacy !== undefined && candidacy.restUntil > now && !candidacy.busy)
        await this.#release(name, stored.revision);
      if (!stray && !queried.isFree(stored)) owners.set(name, candidacy?.isReleasing ? '' : owner);
    }
    return owners;
  }

  #wants(able: (candidacy: Candidacy) => boolean): Record<string, number> {
    return Object.fromEntries([...this.#candidacies.values()].filter(able).map(({ name, rank }) => [name, rank]));
  }

  #left(owners: ReadonlyMap<string, string>, now: number): Set<string> {
    const left = new Set<string>();
    for (const candidacy of this.#candidacies.values()) {
      candidacy.freeSince = owners.has(candidacy.name) ? undefined : (candidacy.freeSince ?? now);
      if (candidacy.freeSince !== undefined && now - candidacy.freeSince >= 2 * this.#options.renewMs)
        left.add(candidacy.name);
    }
    return left;
  }

  /** Returns false if another instance was faster. */
  async #take(candidacy: Candidacy, stored: LeaseDocument | undefined, me: string): Promise<boolean> {
    const { work, log } = this.#options;
    const { name } = candidacy;
    const before = stored?.revision ?? 0;
    // In a restored store, fences lag behind those claimed before the backup. Doubling soon catches up.
    const fence = before > 0 && candidacy.fencedAt === before ? before * 2 : before + 1;
    const document = leaseDocument(name, fence, me);
    const taken = stored
      ? await work.replace(leasesDefinition.name, before, document)
      : await work.insert(leasesDefinition.name, document);
    if (!taken || this.#session.id !== me) return taken;
    const lease: Lease = {
      name,
      fence,
      valid: () => candidacy.lease === lease && this.#session.id === me,
      isOwned: () => candidacy.lease === lease,
      fenced: () => {
        if (candidacy.lease !== lease) return;
        candidacy.fencedAt = fence;
        this.#lose(candidacy);
      },
    };
    log.info({ lease: name, fence }, 'lease acquired');
    candidacy.freeSince = undefined;
    candidacy.begin(lease);
    return true;
  }

  #lose(candidacy: Candidacy): void {
    if (candidacy.lease === undefined) return;
    this.#options.log.info({ lease: candidacy.name, fence: candidacy.lease.fence }, 'lease lost');
    candidacy.lease = undefined;
    void candidacy.end('lost');
  }

  /** Ends the work for a lease here, then releases it. */
  async #give(candidacy: Candidacy): Promise<void> {
    const { lease } = candidacy;
    if (lease === undefined || candidacy.isReleasing) return;
    candidacy.isReleasing = true;
    await candidacy.end('handover');
    const mayRelease = lease.valid();
    if (candidacy.lease === lease) candidacy.lease = undefined;
    candidacy.isReleasing = false;
    if (mayRelease && !this.#stopped) await this.#release(lease.name, lease.fence);
  }

  async #release(name: string, fence: number): Promise<void> {
    const { work, log } = this.#options;
    try {
      await work.replace(leasesDefinition.name, fence, leaseDocument(name, fence + 1, ''));
      log.info({ lease: name }, 'lease handed over');
    } catch (error) {
      log.warn({ err: error, lease: name }, 'lease release failed, retrying');
    }
  }

  /**
   * Returns how long to leave a name to others after a failure. An unavailable store is usually back soon. An instance
   * that is alone retries with its next query. Otherwise it waits until the others have seen that it does not want the
   * name, and have queried.
   */
  #restMs(error: unknown): number {
    const { ttlMs, renewMs } = this.#options;
    if (!(error instanceof StoreUnavailable)) return 2 * ttlMs;
    return this.#isAlone ? renewMs : 3 * renewMs;
  }

  #failed(candidacy: Candidacy, error: unknown): void {
    const { clock, log } = this.#options;
    log.warn({ err: error, lease: candidacy.name }, 'lease change failed in its owner');
    candidacy.restUntil = clock.now() + this.#restMs(error);
    const { lease } = candidacy;
    if (lease === undefined || candidacy.isReleasing) return;
    candidacy.lease = undefined;
    void this.#release(lease.name, lease.fence);
  }
}

/**
 * Creates leases, with which instances share names that have one owner at a time. An instance writes one document every
 * `renewMs`, however much it owns (see leaseDocuments), and reads all leases with one query.
 */
export function createLeases(options: LeasesOptions): Leases {
  return new SharedLeases(options);
}
