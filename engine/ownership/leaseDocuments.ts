import type { CollectionDefinition, Documents, NewDocument, StoredDocument } from '../ports/documents.js';

/**
 * Two kinds of documents in one small collection, so that one query reads everything.
 *
 * A session is the heartbeat of an instance. It is written every `renewMs`, whatever the number of leases, and its
 * revision is the beat. It is ended for ever by one compare and set: by its own instance when that stops, or by another
 * that saw no beat for `ttlMs`. Either a beat or the end succeeds, so an instance always learns that it was ended.
 *
 * A lease maps a name to the session that owns it. It is written only when the owner changes. Its revision is the
 * fence, so each owner's fence is higher than all previous ones.
 */
export const leasesDefinition: CollectionDefinition = {
  name: 'leases',
  keys: { kind: 'text' },
  indexes: [{ keys: ['kind'] }],
};

export interface SessionBody {
  readonly instance: string;
  /** Leases that the session would own, with its rank for each. */
  readonly wants: Readonly<Record<string, number>>;
  /** True once it is over for ever. Leases that point to it are free. */
  readonly ended: boolean;
}

export interface LeaseBody {
  readonly name: string;
  /** Id of a session; empty after a release. */
  readonly owner: string;
}

export type SessionDocument = StoredDocument<SessionBody>;
export type LeaseDocument = StoredDocument<LeaseBody>;

/** Maximum number of sessions and leases that are read. Any beyond it count as missing. */
const MOST = 2000;

export const sessionDocument = (id: string, revision: number, body: SessionBody): NewDocument => ({
  id,
  keys: { kind: 'session' },
  revision,
  body,
});

export const leaseDocument = (name: string, revision: number, owner: string): NewDocument => ({
  id: `lease/${name}`,
  keys: { kind: 'lease' },
  revision,
  body: { name, owner } satisfies LeaseBody,
});

/** Reads all sessions, and all leases by name, with one query. */
export async function readAll(
  work: Documents,
): Promise<{ sessions: SessionDocument[]; leases: Map<string, LeaseDocument> }> {
  const rows = await work.find(leasesDefinition.name, { limit: MOST });
  const sessions = rows.filter((row) => row.keys.kind === 'session') as SessionDocument[];
  const leases = rows.filter((row) => row.keys.kind === 'lease') as LeaseDocument[];
  return { sessions, leases: new Map(leases.map((row) => [row.body.name, row])) };
}
