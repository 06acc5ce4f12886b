import type { Clock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import { type LeaseDocument, leasesDefinition, readAll, type SessionDocument } from './leaseDocuments.js';
import { endSession } from './session.js';
import { Sightings } from './sightings.js';

/** How things stand. */
export interface View {
  readonly leases: ReadonlyMap<string, LeaseDocument>;
  /** By id; those that were silent are ended and not here. */
  readonly live: ReadonlyMap<string, SessionDocument>;
  /** Whether nobody owns it any more: never taken, released, or its session is over. */
  isFree(lease: LeaseDocument): boolean;
}

interface Source {
  readonly work: DocumentStore;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly log: Log;
}

/** Looks at all sessions and leases, and ends the sessions that have been silent for a ttl. */
export class Survey {
  readonly #source: Source;
  readonly #sightings: Sightings;
  /** Id of this instance's session, which it ends itself. */
  readonly #own: () => string | undefined;

  constructor(source: Source, own: () => string | undefined) {
    this.#source = source;
    this.#sightings = new Sightings(source.ttlMs);
    this.#own = own;
  }

  async look(): Promise<View> {
    const { work, clock } = this.#source;
    const asked = clock.now();
    const { sessions, leases } = await readAll(work);
    const owners = new Set([...leases.values()].map((lease) => lease.body.owner).filter((owner) => owner !== ''));
    this.#sightings.take(sessions, owners, clock.now());
    const live = new Map<string, SessionDocument>();
    for (const session of sessions) if (await this.#lives(session, asked, owners)) live.set(session.id, session);
    const known = new Set(sessions.map(({ id }) => id));
    return {
      leases,
      live,
      isFree: ({ body: { owner } }) =>
        owner === '' || (!live.has(owner) && (known.has(owner) || this.#sightings.isSilent(owner, asked))),
    };
  }

  /** The earliest time at which another look could find a session silent. */
  nextSilent(): number {
    return this.#sightings.nextSilent(this.#own());
  }

  /** Ends it when it is silent; removes it when it is over and owns nothing. */
  async #lives(session: SessionDocument, asked: number, owners: ReadonlySet<string>): Promise<boolean> {
    const { work, log } = this.#source;
    const { id, revision, body } = session;
    if (id === this.#own()) return true;
    if (body.ended) {
      if (!owners.has(id)) await work.write({ [leasesDefinition.name]: { remove: [{ id, revision }] } });
      return false;
    }
    if (!this.#sightings.isSilent(id, asked) || !(await endSession(work, session))) return true;
    log.warn({ instance: body.instance }, 'an instance gives no sign of life; what it owned is free');
    return false;
  }
}
