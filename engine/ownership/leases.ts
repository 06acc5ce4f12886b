import type { Clock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import { type LeaseDocument, leaseDocument, leasesDefinition } from './leaseDocuments.js';
import { Session } from './session.js';
import { plan } from './shares.js';
import { Survey, type View } from './survey.js';
import { type Holder, Place, type Tenure } from './tenure.js';

export interface LeasesOptions {
  /** The store that all instances share; the leases are its collection `leases`. */
  readonly work: DocumentStore;
  /** steadyClock, or a test's. */
  readonly clock: Clock;
  /** Names this instance for people; need not be unique. */
  readonly instance: string;
  /** How long an owner may be silent before another takes over; 5,000 when absent. */
  readonly ttlMs?: number;
  /** Between two signs of life, and between two looks at what others own; 1,500 when absent. */
  readonly renewMs?: number;
  readonly log: Log;
}

export interface Leases {
  /**
   * Takes part in owning a name (`kind:rest`; each kind is shared evenly among instances). `rank`, 0 when absent: a name
   * goes to those instances that hold it with the highest, such as the newest version. Before or after start().
   */
  hold(name: string, holder: Holder, rank?: number): void;
  /** Opens the collection and takes what is free; what others own follows when they stop. Rejects when the store is away. */
  start(): Promise<void>;
  /** Hands everything over: resolves when all holders have ended and others may begin at once. */
  stop(): Promise<void>;
  /** Instance that owned a name at the last look. */
  ownerOf(name: string): string | undefined;
}

const TTL_MS = 5000;
const RENEW_MS = 1500;
const SOON_MS = 20;

class SharedLeases implements Leases {
  readonly #options: LeasesOptions & { readonly ttlMs: number; readonly renewMs: number };
  readonly #places = new Map<string, Place>();
  readonly #session: Session;
  readonly #survey: Survey;
  #instances: ReadonlyMap<string, string> = new Map();
  #looking: Promise<void> | undefined;
  #cancelLook: () => void = () => undefined;
  #stopped = false;

  constructor(options: LeasesOptions) {
    this.#options = { ttlMs: TTL_MS, renewMs: RENEW_MS, ...options };
    this.#survey = new Survey(this.#options, () => this.#session.id);
    this.#session = new Session({
      ...this.#options,
      wants: () => this.#wants((place) => place.restUntil <= options.clock.now()),
      ended: () => {
        for (const place of this.#places.values()) this.#lose(place);
      },
    });
  }

  hold(name: string, holder: Holder, rank = 0): void {
    const failed = (place: Place, error: unknown): void => this.#failed(place, error);
    this.#places.set(name, new Place(name, rank, holder, failed));
    if (this.#looking !== undefined) this.#lookAt(this.#options.clock.now() + SOON_MS);
  }

  async start(): Promise<void> {
    await this.#options.work.open(leasesDefinition);
    await this.#session.start();
    await this.#lookAndGoOn();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelLook();
    await this.#looking;
    const places = [...this.#places.values()];
    await Promise.all(places.map((one) => (one.tenure && !one.giving ? one.end('handover') : one.settled())));
    for (const place of places) place.tenure = undefined;
    await this.#session.stop();
  }

  ownerOf(name: string): string | undefined {
    return this.#instances.get(name);
  }

  #lookAndGoOn(): Promise<void> {
    const { clock, renewMs, log } = this.#options;
    const asked = clock.now();
    this.#looking = this.#look().then(
      () => this.#lookAt(Math.min(asked + renewMs, this.#survey.nextSilent())),
      (error: unknown) => {
        log.warn({ err: error }, 'leases could not be read or taken; trying again');
        this.#lookAt(clock.now() + renewMs / 3);
      },
    );
    return this.#looking;
  }

  #lookAt(time: number): void {
    this.#cancelLook();
    if (this.#stopped) return;
    const soonest = this.#options.clock.now() + SOON_MS;
    this.#cancelLook = this.#options.clock.at(Math.max(soonest, time), () => void this.#lookAndGoOn());
  }

  /** Reads how things stand, and takes and hands over what is due. */
  async #look(): Promise<void> {
    const view = await this.#survey.look();
    const owned: [string, string][] = [];
    for (const [name, { body }] of view.leases) {
      const owner = view.live.get(body.owner);
      if (owner !== undefined) owned.push([name, owner.body.instance]);
    }
    this.#instances = new Map(owned);
    for (const place of this.#places.values())
      if (place.tenure !== undefined && place.tenure.fence !== view.leases.get(place.name)?.revision) this.#lose(place);
    const me = this.#session.id;
    if (me !== undefined && !this.#stopped) await this.#settle(me, view);
  }

  async #settle(me: string, view: View): Promise<void> {
    const now = this.#options.clock.now();
    const owners = await this.#owners(me, view, now);
    const others = [...view.live.values()].filter(({ id }) => id !== me);
    const { take, give } = plan({
      me,
      contenders: [
        { session: me, wants: this.#wants((place) => place.restUntil <= now && !(place.busy && !place.tenure)) },
        ...others.map(({ id, body }) => ({ session: id, wants: body.wants })),
      ],
      owners,
      left: this.#left(owners, now),
    });
    for (const name of give) void this.#give(this.#places.get(name)!);
    for (const name of take) await this.#take(this.#places.get(name)!, view.leases.get(name), me);
  }

  /** Who owns what, in the eyes of this instance; nobody's is what is being handed over. */
  async #owners(me: string, view: View, now: number): Promise<Map<string, string>> {
    const owners = new Map<string, string>();
    for (const [name, lease] of view.leases) {
      const { owner } = lease.body;
      const place = this.#places.get(name);
      // What bears this session and is not held here was taken by a write that seemed to fail: it is free to this one.
      const stray = owner === me && place?.tenure === undefined;
      if (stray && place !== undefined && place.restUntil > now && !place.busy)
        await this.#release(name, lease.revision);
      if (!stray && !view.isFree(lease)) owners.set(name, place?.giving ? '' : owner);
    }
    return owners;
  }

  #wants(able: (place: Place) => boolean): Record<string, number> {
    return Object.fromEntries([...this.#places.values()].filter(able).map(({ name, rank }) => [name, rank]));
  }

  #left(owners: ReadonlyMap<string, string>, now: number): Set<string> {
    const left = new Set<string>();
    for (const place of this.#places.values()) {
      place.freeSince = owners.has(place.name) ? undefined : (place.freeSince ?? now);
      if (place.freeSince !== undefined && now - place.freeSince >= 2 * this.#options.renewMs) left.add(place.name);
    }
    return left;
  }

  async #take(place: Place, lease: LeaseDocument | undefined, me: string): Promise<void> {
    const { work, log } = this.#options;
    const { name } = place;
    const before = lease?.revision ?? 0;
    // Fences of a store that was restored lag behind what was claimed with them: doubling soon comes up to it.
    const fence = before > 0 && place.fencedAt === before ? before * 2 : before + 1;
    const document = leaseDocument(name, fence, me);
    const taken = lease
      ? await work.replace(leasesDefinition.name, before, document)
      : await work.insert(leasesDefinition.name, document);
    if (!taken || this.#session.id !== me) return;
    const tenure: Tenure = {
      name,
      fence,
      valid: () => place.tenure === tenure && this.#session.id === me,
      fenced: () => {
        if (place.tenure !== tenure) return;
        place.fencedAt = fence;
        this.#lose(place);
      },
    };
    log.info({ lease: name, fence }, 'this instance owns it now');
    place.freeSince = undefined;
    place.begin(tenure);
  }

  #lose(place: Place): void {
    if (place.tenure === undefined) return;
    this.#options.log.info({ lease: place.name, fence: place.tenure.fence }, 'this instance has lost it');
    place.tenure = undefined;
    void place.end('lost');
  }

  /** Ends what is done for it here, and then releases it. */
  async #give(place: Place): Promise<void> {
    const { tenure } = place;
    if (tenure === undefined || place.giving) return;
    place.giving = true;
    await place.end('handover');
    const mayRelease = tenure.valid();
    if (place.tenure === tenure) place.tenure = undefined;
    place.giving = false;
    if (mayRelease && !this.#stopped) await this.#release(tenure.name, tenure.fence);
  }

  async #release(name: string, fence: number): Promise<void> {
    const { work, log } = this.#options;
    try {
      await work.replace(leasesDefinition.name, fence, leaseDocument(name, fence + 1, ''));
      log.info({ lease: name }, 'handed over');
    } catch (error) {
      log.warn({ err: error, lease: name }, 'a lease could not be released; it is looked at again');
    }
  }

  #failed(place: Place, error: unknown): void {
    const { clock, log, ttlMs } = this.#options;
    log.warn({ err: error, lease: place.name }, 'what it stands for could not be begun or ended here');
    place.restUntil = clock.now() + 2 * ttlMs;
    const { tenure } = place;
    if (tenure === undefined || place.giving) return;
    place.tenure = undefined;
    void this.#release(tenure.name, tenure.fence);
  }
}

/**
 * Leases by which instances share out what has one owner at a time. An instance writes one document every `renewMs`
 * however much it owns (see leaseDocuments), and reads all by one query.
 */
export function createLeases(options: LeasesOptions): Leases {
  return new SharedLeases(options);
}
