import type { CollectionDefinition, Documents, NewDocument, StoredDocument } from '../ports/documents.js';

/**
 * Two kinds of documents in one small collection, so that one query reads all there is to know.
 *
 * A session says that an instance lives: it is written again every `renewMs`, whatever the number of leases, and its
 * revision is the beat. It ends for ever by one compare and set, done by its instance when that stops or by another
 * that saw no beat for `ttlMs`; either a beat or the end wins, so nobody dies unknowingly.
 *
 * A lease says which session owns a name. It is written only when the owner changes, and its revision is the fence: each
 * owner's is higher than that of all before.
 */
export const leasesDefinition: CollectionDefinition = {
  name: 'leases',
  keys: { kind: 'text' },
  indexes: [{ keys: ['kind'] }],
};

export interface SessionBody {
  readonly instance: string;
  /** Leases that it would take, with its rank for each. */
  readonly wants: Readonly<Record<string, number>>;
  /** For ever: leases that point to it are free. */
  readonly ended: boolean;
}

export interface LeaseBody {
  readonly name: string;
  /** Id of a session; empty after a release. */
  readonly owner: string;
}

export type SessionDocument = StoredDocument<SessionBody>;
export type LeaseDocument = StoredDocument<LeaseBody>;

/** Sessions and leases in all; beyond, what is not read counts as not there. */
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

/** All sessions, and all leases by name, in one query. */
export async function readAll(
  work: Documents,
): Promise<{ sessions: SessionDocument[]; leases: Map<string, LeaseDocument> }> {
  const rows = await work.find(leasesDefinition.name, { limit: MOST });
  const sessions = rows.filter((row) => row.keys.kind === 'session') as SessionDocument[];
  const leases = rows.filter((row) => row.keys.kind === 'lease') as LeaseDocument[];
  return { sessions, leases: new Map(leases.map((row) => [row.body.name, row])) };
}
