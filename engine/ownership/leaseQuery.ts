import type { SteadyClock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import { Heartbeats } from './heartbeats.js';
import { type LeaseDocument, leasesDefinition, readAll, type SessionDocument } from './leaseDocuments.js';
import { endSession } from './session.js';

/** State of sessions and leases. */
export interface QueriedLeases {
  readonly leases: ReadonlyMap<string, LeaseDocument>;
  /** Live sessions by id. Silent sessions were ended and are left out. */
  readonly live: ReadonlyMap<string, SessionDocument>;
  /** True if the lease has no owner: never taken, released, or its session is over. */
  isFree(lease: LeaseDocument): boolean;
}

interface Source {
  readonly work: DocumentStore;
  readonly clock: SteadyClock;
  readonly ttlMs: number;
  readonly renewMs: number;
  readonly log: Log;
}

/** Reads all sessions and leases, and ends sessions that have been silent for `ttlMs`. */
export class LeaseQuery {
  readonly #source: Source;
  readonly #heartbeats: Heartbeats;
  /** Returns the id of this instance's session, valid or not. The instance ends that session itself. */
  readonly #own: () => string | undefined;

  constructor(source: Source, own: () => string | undefined) {
    this.#source = source;
    this.#heartbeats = new Heartbeats(source.ttlMs, (source.renewMs * 4) / 3);
    this.#own = own;
  }

  async run(): Promise<QueriedLeases> {
    const { work, clock } = this.#source;
    const requestedAt = clock.now();
    const { sessions, leases } = await readAll(work);
    const owners = new Set([...leases.values()].map((lease) => lease.body.owner).filter((owner) => owner !== ''));
    this.#heartbeats.take(sessions, owners, clock.now());
    const live = new Map<string, SessionDocument>();
    for (const session of sessions) if (await this.#lives(session, requestedAt, owners)) live.set(session.id, session);
    const known = new Set(sessions.map(({ id }) => id));
    return {
      leases,
      live,
      isFree: ({ body: { owner } }) =>
        owner === '' || (!live.has(owner) && (known.has(owner) || this.#heartbeats.isSilent(owner, requestedAt))),
    };
  }

  /** Returns the earliest time at which another query could find a session silent. */
  nextSilent(): number {
    return this.#heartbeats.nextSilent(this.#own());
  }

  /** Returns false for a dead session. Ends a session that is silent, and removes one that is over and owns nothing. */
  async #lives(session: SessionDocument, requestedAt: number, owners: ReadonlySet<string>): Promise<boolean> {
    const { work, log } = this.#source;
    const { id, revision, body } = session;
    if (id === this.#own()) return true;
    if (body.ended) {
      if (!owners.has(id)) await work.write({ [leasesDefinition.name]: { remove: [{ id, revision }] } });
      return false;
    }
    if (!this.#heartbeats.isSilent(id, requestedAt) || !(await endSession(work, session))) return true;
    log.warn({ instance: body.instance }, 'instance heartbeat timed out, its leases are free');
    return false;
  }
}
