/** Verification of user tokens by publishable key, claims and signature. */

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../domain/access/keyring.js';
import { memberOfSubject, members } from '../../domain/access/members.js';
import { allowsOrigin } from '../../domain/access/origins.js';
import type { SessionKey } from '../../domain/access/sessionEvents.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { partner } from '../../domain/partners/partner.js';
import { store } from '../../domain/stores/store.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';
import type { SecretBox } from '../ports/secretBox.js';
import { BriefCache } from './briefCache.js';
import { hashOf, keyContext } from './keys.js';
import type { Mode } from './principal.js';
import { readClaims, type UserClaims } from './userTokenClaims.js';

type Key = Keyring extends ReadonlyMap<string, infer K> ? K : never;

/** An active publishable key, and the keys of its owner. */
export interface OpenedKey {
  readonly mode: Mode;
  /** Exactly one of these two owns the key. */
  readonly workspaceId?: string;
  readonly partnerId?: string;
  readonly key: SessionKey;
  readonly keys: Keyring;
}

/** A verified user token. Whether it was used before is not checked yet. */
export interface VerifiedUser extends Omit<OpenedKey, 'key' | 'keys'> {
  readonly publishableKey: SessionKey;
  readonly signingKey: SessionKey;
  /** Scopes of the signing key. */
  readonly scopes: readonly string[];
  readonly claims: UserClaims;
  readonly embedOrigin?: string;
}

const PARTNER_SCOPE = 'partner.stores:manage';
/** Lifetime of unsealed keys in the cache, in ms. They are cached as key objects, which logs and messages do not show. */
const OPENED_MS = 60_000;
const MOST_OPENED = 1000;
/** Excludes the blanks that decoders tolerate. The signature may be empty here, so that the refusal can name the algorithm. */
const FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const OPTIONS = { algorithms: ['HS256'] };

type Jose = typeof import('jose');

const malformed = (detail: string): never => refuse('user_token_invalid', detail);

const noJwt = (): never =>
  malformed('The user token is not a JWT: it must have three base64url parts, separated by dots.');

function headerOf({ decodeProtectedHeader }: Jose, token: string): Readonly<Record<string, unknown>> {
  if (!FORM.test(token)) return noJwt();
  try {
    return { ...decodeProtectedHeader(token) };
  } catch {
    return noJwt();
  }
}

/**
 * Checks that the header has HS256 and no extension that must be understood. `kid`, `jku`, `jwk`, `x5u` and similar fields are ignored: the
 * key is one of the owner's, or none.
 */
function checkHeader(jose: Jose, token: string): void {
  const header = headerOf(jose, token);
  if (header.alg !== 'HS256') malformed('The user token must be signed with HS256.');
  if ('crit' in header || 'b64' in header) malformed('The user token’s header must not have crit or b64.');
}

function payloadOf({ decodeJwt }: Jose, token: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(token);
  } catch {
    return malformed('The user token’s payload must be a JSON object.');
  }
}

/**
 * Returns a check for the key of a signature. It finds one of a hundred keys in the time in which jose checks ten. jose then verifies the
 * signature itself.
 */
function couldBeBy(token: string): (key: KeyObject) => boolean {
  const end = token.lastIndexOf('.');
  const signed = Buffer.from(token.slice(0, end));
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return (key) => {
    const mac = createHmac('sha256', key).update(signed).digest();
    return mac.length === signature.length && timingSafeEqual(mac, signature);
  };
}

async function checkSignature({ compactVerify, errors }: Jose, token: string, key: KeyObject): Promise<void> {
  try {
    await compactVerify(token, key, OPTIONS);
  } catch (error) {
    if (error instanceof errors.JOSEError) malformed('The user token is not a valid JWT.');
    throw error;
  }
}

export class UserTokens {
  readonly #commands: CommandHandler;
  readonly #reads: Reads;
  readonly #secretBox: SecretBox;
  readonly #opened: BriefCache<KeyObject>;
  readonly #clock: Clock;

  constructor(from: { commandHandler: CommandHandler; reads: Reads; secretBox: SecretBox; clock: Clock }) {
    this.#commands = from.commandHandler;
    this.#reads = from.reads;
    this.#secretBox = from.secretBox;
    this.#clock = from.clock;
    this.#opened = new BriefCache(from.clock.steady, OPENED_MS, MOST_OPENED);
  }

  /** Refuses `unauthenticated` if this is not an active publishable key. */
  async open(publishableKey: string): Promise<OpenedKey> {
    const found = (await this.#reads.get(apiKeys, hashOf(publishableKey)))?.body;
    if (found === undefined || found.kind !== 'publishable')
      return refuse('unauthenticated', 'publishableKey is not a known publishable key (pk_… or ppk_…).');
    const { keyId, mode, workspaceId, partnerId } = found;
    const keys = await this.#keysOf(workspaceId, partnerId);
    const key = keys.get(keyId);
    if (key === undefined || key.revoked) return refuse('unauthenticated', 'The publishable key is revoked.');
    const owner = partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId };
    return { mode, ...owner, key: { keyId, hash: key.hash }, keys };
  }

  /**
   * Verifies the token. Refuses `origin_not_allowed`, `user_token_invalid` and `key_mode_mismatch`. Cheap checks come first, so that no
   * signature is computed for a token that would be refused anyway.
   */
  async verify(opened: OpenedKey, token: string, embedOrigin: string | undefined): Promise<VerifiedUser> {
    const { key: publishableKey, keys, ...owner } = opened;
    if (embedOrigin !== undefined && !allowsOrigin(keys.get(publishableKey.keyId)?.origins, embedOrigin))
      refuse('origin_not_allowed', 'The publishable key does not allow embedding by pages of this origin.');
    // Loaded with the first token, to keep the start fast.
    const jose = await import('jose');
    checkHeader(jose, token);
    const signer = owner.partnerId === undefined ? 'workspace' : 'partner';
    const claims = readClaims(payloadOf(jose, token), signer, this.#clock.now());
    const signing = await this.#signer(jose, token, [...keys.values()], owner.mode);
    if (signing.mode !== owner.mode)
      refuse(
        'key_mode_mismatch',
        `The user token is signed with a ${signing.mode} key, the publishable key is ${owner.mode}.`,
      );
    if (signer === 'partner' && !signing.scopes.includes(PARTNER_SCOPE))
      malformed(`The user token is signed with a key that does not have the scope ${PARTNER_SCOPE}.`);
    await this.#checkEmail(owner.workspaceId, claims);
    const { keyId, hash, scopes } = signing;
    const framed = defined({ embedOrigin });
    return { ...owner, publishableKey, signingKey: { keyId, hash }, scopes, claims, ...framed };
  }

  /** Refuses an invalid email at the first sign-in. Later sign-ins ignore the email. (Specification 1, 'SDK session creation'.) */
  async #checkEmail(workspaceId: string | undefined, { sub, wrongEmail }: UserClaims): Promise<void> {
    if (workspaceId === undefined || wrongEmail === undefined) return;
    const linked = await this.#commands.query(members, workspaceId, (people) => memberOfSubject(people, sub));
    if (linked === undefined) throw wrongEmail;
  }

  /** Finds the key of the signature among the owner's active secret keys, at most 100, those of the mode first. */
  async #signer(jose: Jose, token: string, keys: readonly Key[], mode: Mode): Promise<Key> {
    const secret = keys.filter((key) => key.kind === 'secret' && !key.revoked);
    const first = secret.filter((key) => key.mode === mode);
    const others = secret.filter((key) => key.mode !== mode);
    const couldBe = couldBeBy(token);
    for (const key of [...first, ...others]) {
      const opened = await this.#secretOf(key);
      if (!couldBe(opened)) continue;
      await checkSignature(jose, token, opened);
      return key;
    }
    return malformed('The signature of the user token does not match any active secret key.');
  }

  async #secretOf({ keyId, sealed }: Key): Promise<KeyObject> {
    const key = await this.#opened.get(keyId, async () =>
      createSecretKey(Buffer.from(this.#secretBox.open(sealed, keyContext(keyId)))),
    );
    return key!;
  }

  #keysOf(workspaceId: string | undefined, partnerId: string | undefined): Promise<Keyring> {
    if (partnerId === undefined)
      return this.#commands.query(store, workspaceId!, (state) => (state.status === 'absent' ? new Map() : state.keys));
    return this.#commands.query(partner, partnerId, (state) => {
      if (state.status === 'suspended') refuse('permission_denied', 'The partner account is suspended.');
      return state.status === 'absent' ? new Map() : state.keys;
    });
  }
}
