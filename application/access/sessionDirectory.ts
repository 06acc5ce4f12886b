/** Who a session token is: what directory.ts does for keys. */

import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { defined } from '../../domain/defined.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { type SessionDocument, sessions } from '../../projections/sessions.js';
import type { BriefCache } from './briefCache.js';
import { hashOf, sessionIdOf } from './keys.js';
import type { PartnerAccess, Principal, SessionAccess } from './principal.js';

/** What a token of the session is, before it is asked whether the keys behind it are in force. */
interface Shown {
  readonly principal: Omit<Principal, 'scopes'>;
  /** Hashes. */
  readonly publishable: string;
  readonly signing: string;
  /** Made of it last: the same as long as the key's scopes are. */
  made?: Principal;
}
/** By the hashes of its tokens. */
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
  /** Undefined: no session's token, or the session has ended, or a key or partner that it rests on is not in force. */
  principal(credential: string): Promise<Principal | undefined>;
  /** Of one session, or of all and of the keys behind them. */
  forget(sessionId?: string): void;
}

/**
 * `cache` makes a memory of at most a second. What sessions share, their keys and partner, is remembered apart and asked at
 * each request: then a session that asks for the first time in a while costs no more than its own document.
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

  /** The scopes in stores of a key in force. */
  const scopesOf = (hash: string): Promise<ReadonlySet<string> | undefined> =>
    keys.get(hash, async () => {
      const key = (await reads.get(apiKeys, hash))?.body;
      if (key === undefined || key.revokedAt !== undefined) return undefined;
      return new Set(key.scopes.filter((scope) => ofStores.has(scope)));
    });

  /** A token that is not among those remembered may have come from another instance just now. */
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
