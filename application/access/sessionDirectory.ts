/** Resolves session tokens, as directory.ts does for keys. */

import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { defined } from '../../domain/defined.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { type SessionDocument, sessions } from '../../projections/sessions.js';
import type { BriefCache } from './briefCache.js';
import { hashOf, sessionIdOf } from './keys.js';
import type { PartnerAccess, Principal, SessionAccess } from './principal.js';

/** A token of the session, before its keys are checked. */
interface Shown {
  readonly principal: Omit<Principal, 'scopes'>;
  /** Hash of the publishable key. `signing`: hash of the signing key. */
  readonly publishable: string;
  readonly signing: string;
  /** Principal of the last request, reused while the key's scopes do not change. */
  made?: Principal;
}
/** Tokens of a session by their hashes. */
type OpenSession = ReadonlyMap<string, Shown>;

const ofStores: ReadonlySet<string> = new Set(WORKSPACE_SCOPES);

function byToken(sessionId: string, document: SessionDocument): OpenSession {
  const { userId, name, mode, workspaceId, partnerId, refreshUntil, stores, leftOut, tokens } = document;
  const { publishableKey, signingKey } = document;
  const owner = partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId };
  const shared = {
    sessionId,
    userId,
    ...defined({ name }),
    refreshUntil: Date.parse(refreshUntil),
    stores,
    ...defined({ leftOut }),
  };
  return new Map(
    tokens.map(({ tokenHash, expiresAt }): [string, Shown] => {
      const session: SessionAccess = { ...shared, tokenHash, expiresAt: Date.parse(expiresAt) };
      const principal = { kind: 'session', keyId: signingKey.keyId, mode, ...owner, session } as const;
      return [tokenHash, { principal, publishable: publishableKey.hash, signing: signingKey.hash }];
    }),
  );
}

export interface SessionDirectory {
  /** Undefined: not a session's token, the session has ended, or a key or partner that it depends on is inactive. */
  principal(credential: string): Promise<Principal | undefined>;
  /** Clears one session, or all sessions and their keys. */
  forget(sessionId?: string): void;
}

/**
 * `cache` creates a cache of at most a second. Keys and partners are shared by sessions, so they have caches of their own: a session that
 * was not used for a while then costs only one document.
 */
export function createSessionDirectory({
  reads,
  cache,
  partner,
}: {
  reads: Reads;
  cache: <V>() => BriefCache<V>;
  partner(partnerId: string): Promise<PartnerAccess | undefined>;
}): SessionDirectory {
  const openSessions = cache<OpenSession>();
  const keys = cache<ReadonlySet<string>>();

  const open = (sessionId: string): Promise<OpenSession | undefined> =>
    openSessions.get(sessionId, async () => {
      const document = (await reads.get(sessions, sessionId))?.body;
      return document && byToken(sessionId, document);
    });

  /** Scopes in stores of an active key. */
  const scopesOf = (hash: string): Promise<ReadonlySet<string> | undefined> =>
    keys.get(hash, async () => {
      const key = (await reads.get(apiKeys, hash))?.body;
      if (key === undefined || key.revokedAt !== undefined) return undefined;
      return new Set(key.scopes.filter((scope) => ofStores.has(scope)));
    });

  /** Reads an unknown token's session again, since another instance may just have issued the token. */
  async function shownBy(sessionId: string, hash: string): Promise<Shown | undefined> {
    const known = await open(sessionId);
    const shown = known?.get(hash);
    if (known === undefined || shown !== undefined) return shown;
    openSessions.drop(sessionId);
    return (await open(sessionId))?.get(hash);
  }

  return {
    async principal(credential) {
      const sessionId = sessionIdOf(credential);
      const shown = sessionId === undefined ? undefined : await shownBy(sessionId, hashOf(credential));
      if (shown === undefined || (await scopesOf(shown.publishable)) === undefined) return undefined;
      const scopes = await scopesOf(shown.signing);
      const { partnerId } = shown.principal;
      if (scopes === undefined) return undefined;
      if (partnerId !== undefined && (await partner(partnerId))?.status !== 'active') return undefined;
      if (shown.made?.scopes !== scopes) shown.made = { ...shown.principal, scopes };
      return shown.made;
    },
    forget(sessionId) {
      if (sessionId !== undefined) return openSessions.drop(sessionId);
      openSessions.clear();
      keys.clear();
    },
  };
}
