import type { Clock } from '../ports/clock.js';
import type { ReadModels } from '../ports/readModels.js';
import {
  type LeaseDocument,
  leaseDocument,
  leasesDefinition,
  readAll,
  type SessionDocument,
} from './leaseDocuments.js';
import { endSession, type OwnershipLog, Session } from './session.js';
import { plan } from './shares.js';
import { Sightings } from './sightings.js';
import { type Holder, Place, type Tenure } from './tenure.js';

export interface LeasesOptions {
  /** The store that all instances share; the leases are its collection `leases`. */
  readonly work: ReadModels;
  /** steadyClock, or a test's. */
  readonly clock: Clock;
  /** Names this instance for people; need not be unique. */
  readonly instance: string;
  /** How long an owner may be silent before another takes over; 5,000 when absent. */
  readonly ttlMs?: number;
  /** Between two signs of life, and between two looks at what others own; 1,500 when absent. */
  readonly renewMs?: number;
  readonly log: OwnershipLog;
}

export interface Leases {
  /** Takes part in owning a name (`kind:rest`; each kind is shared evenly among instances). Before or after start(). */
  hold(name: string, holder: Holder): void;
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

const isFree = (lease: LeaseDocument | undefined): boolean => lease === undefined || lease.body.owner === '';

class SharedLeases implements Leases {
  readonly #options: LeasesOptions & { readonly ttlMs: number; readonly renewMs: number };
  readonly #places = new Map<string, Place>();
  readonly #session: Session;
  readonly #sightings: Sightings;
  #instances: ReadonlyMap<string, string> = new Map();
  #looking: Promise<void> | undefined;
  #cancelLook: () => void = () => undefined;
  #stopped = false;

  constructor(options: LeasesOptions) {
    this.#options = { ttlMs: TTL_MS, renewMs: RENEW_MS, ...options };
    this.#sightings = new Sightings(this.#options.ttlMs);
    const resting = (place: Place): boolean => place.restUntil > options.clock.now();
    this.#session = new Session({
      ...this.#options,
      names: () => [...this.#places.values()].filter((place) => !resting(place)).map(({ name }) => name),
      ended: () => {
        for (const place of this.#places.values()) this.#lose(place);
      },
    });
  }

  hold(name: string, holder: Holder): void {
    const failed = (place: Place, error: unknown): void => this.#failed(place, error);
    this.#places.set(name, new Place(name, holder, failed));
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
    this.#looking = this.#look(asked).then(
      () => this.#lookAt(Math.min(asked + renewMs, this.#sightings.nextSilent(this.#session.id))),
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

  /** Reads how things stand, ends sessions that are silent, and takes and hands over what is due. */
  async #look(asked: number): Promise<void> {
    const { work, clock } = this.#options;
    const { sessions, leases } = await readAll(work);
    const owners = new Set([...leases.values()].map((lease) => lease.body.owner).filter((owner) => owner !== ''));
    this.#sightings.take(sessions, owners, clock.now());
    const me = this.#session.id;
    const live = new Map<string, SessionDocument>();
    for (const session of sessions) if (await this.#lives(session, asked, owners)) live.set(session.id, session);
    const silent = (owner: string): boolean =>
      !live.has(owner) && (sessions.some(({ id }) => id === owner) || this.#sightings.isSilent(owner, asked));
    this.#instances = new Map(
      [...leases]
        .map(([name, { body }]) => [name, live.get(body.owner)?.body.instance ?? ''])
        .filter(([, by]) => by) as [string, string][],
    );
    if (me === undefined || this.#session.id !== me || this.#stopped) return;
    await this.#settle(me, leases, live, silent);
  }

  /** Ends it when it is silent; removes it when it is over and owns nothing. */
  async #lives(session: SessionDocument, asked: number, owners: ReadonlySet<string>): Promise<boolean> {
    const { work, log } = this.#options;
    const { id, revision, body } = session;
    if (id === this.#session.id) return true;
    if (body.ended) {
      if (!owners.has(id)) await work.write({ [leasesDefinition.name]: { remove: [{ id, revision }] } });
      return false;
    }
    if (!this.#sightings.isSilent(id, asked) || !(await endSession(work, session))) return true;
    log.warn({ instance: body.instance }, 'an instance gives no sign of life; what it owned is free');
    return false;
  }

  async #settle(
    me: string,
    leases: ReadonlyMap<string, LeaseDocument>,
    live: ReadonlyMap<string, SessionDocument>,
    silent: (owner: string) => boolean,
  ): Promise<void> {
    const now = this.#options.clock.now();
    const owners = new Map<string, string>();
    for (const place of this.#places.values())
      if (place.tenure !== undefined && place.tenure.fence !== leases.get(place.name)?.revision) this.#lose(place);
    for (const [name, lease] of leases) {
      const { owner } = lease.body;
      const place = this.#places.get(name);
      // What bears this session and is not held here was taken by a write that seemed to fail: it is free to this one.
      const stray = owner === me && place?.tenure === undefined;
      if (stray && place !== undefined && place.restUntil > now && !place.busy)
        await this.#release(name, lease.revision);
      if (!isFree(lease) && !silent(owner) && !stray) owners.set(name, place?.giving ? '' : owner);
    }
    const others = [...live.values()].filter(({ id }) => id !== me);
    const able = [...this.#places.values()].filter((place) => place.restUntil <= now && !(place.busy && !place.tenure));
    const { take, give } = plan({
      me,
      contenders: [
        { session: me, names: able.map(({ name }) => name) },
        ...others.map(({ id, body }) => ({ session: id, names: body.names })),
      ],
      owners,
      left: this.#left(owners, now),
    });
    for (const name of give) void this.#give(this.#places.get(name)!);
    for (const name of take) await this.#take(this.#places.get(name)!, leases.get(name), me);
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
