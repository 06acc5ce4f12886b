/** Claims of a user token, parsed from JSON that is not verified yet. (Specification 1, 'SDK session creation'.) */

import { isEmail, MAX_SUBJECT } from '../../domain/access/memberChanges.js';
import type { Role } from '../../domain/access/memberEvents.js';
import { ROLES } from '../../domain/access/members.js';
import { DomainError, refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';

export interface StoreClaim {
  readonly externalRef: string;
  readonly role: Role;
  /** Absent: unchanged. */
  readonly teams?: readonly string[];
}

/** `exp` in seconds since 1970. */
export interface UserClaims {
  readonly sub: string;
  readonly jti: string;
  readonly exp: number;
  readonly name?: string;
  readonly email?: string;
  readonly emailVerified: boolean;
  /** Problem of the email of a workspace's user. It is refused at the first sign-in, and ignored later. */
  readonly wrongEmail?: DomainError;
  /** Role for a new member of a workspace. */
  readonly role?: Role;
  /** Stores of a partner's token. Otherwise empty. */
  readonly stores: readonly StoreClaim[];
}

/** Maximum difference between clocks, in seconds. */
export const SKEW_SECONDS = 30;
const MOST_AHEAD_SECONDS = 600;
const MAX_JTI = 255;
const MAX_NAME = 120;
const MAX_STORES = 50;
const MAX_TEAMS = 50;
const LOCALES = ['en', 'so', 'ar'] as const;
const EXTERNAL_REF = /^[A-Za-z0-9._:-]{1,255}$/;
/** NUL and lone surrogates: stores cannot represent them, and systems read them differently. */
const UNSAFE = /\0|\p{Surrogate}/u;

type Claims = Readonly<Record<string, unknown>>;

/** Refuses with the claim's name and the problem, never with its value. */
export function invalid(claim: string, message: string): never {
  const location = `userToken.${claim}`;
  return refuse('user_token_invalid', `The user token’s ${claim} ${message}.`, [{ message, location }]);
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function textAt(value: unknown, claim: string, most: number): string {
  if (isAbsent(value)) return invalid(claim, 'is missing');
  if (typeof value !== 'string') return invalid(claim, 'must be a string');
  const { length } = [...value];
  if (length < 1 || length > most) return invalid(claim, `must have 1 to ${most} characters`);
  if (UNSAFE.test(value)) return invalid(claim, 'must be well-formed text');
  return value;
}

const optionally = <T>(value: unknown, read: () => T): T | undefined => (isAbsent(value) ? undefined : read());

function oneOf<T extends string>(value: unknown, known: readonly T[], claim: string): T {
  return known.find((one) => one === value) ?? invalid(claim, `must be one of ${known.join(', ')}`);
}

function secondsAt(value: unknown, claim: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return invalid(claim, 'must be a number, in seconds since 1970');
}

/** Checks `exp`, and `nbf` and `iat` if given. `now`: ms since 1970. */
function checkTimes({ exp, nbf, iat }: Claims, now: number): number {
  const seconds = now / 1000;
  if (isAbsent(exp)) invalid('exp', 'is missing');
  const until = secondsAt(exp, 'exp');
  if (until + SKEW_SECONDS <= seconds) invalid('exp', 'is in the past: the token has expired');
  if (until > seconds + MOST_AHEAD_SECONDS + SKEW_SECONDS) invalid('exp', 'is more than 10 minutes ahead');
  for (const [claim, value] of Object.entries({ nbf, iat }))
    if (!isAbsent(value) && secondsAt(value, claim) > seconds + SKEW_SECONDS) invalid(claim, 'is in the future');
  return until;
}

type EmailClaims = Pick<UserClaims, 'email' | 'emailVerified' | 'wrongEmail'>;

function addressOf({ email }: Claims): { readonly email?: string } {
  const address = optionally(email, () => textAt(email, 'email', 320));
  if (address !== undefined && !isEmail(address)) invalid('email', 'must be an e-mail address');
  return defined({ email: address });
}

function emailOf(claims: Claims): EmailClaims {
  const { email_verified: verified } = claims;
  if (!isAbsent(verified) && typeof verified !== 'boolean') invalid('email_verified', 'must be true or false');
  return { emailVerified: verified === true, ...addressOf(claims) };
}

/** Parses the email. A problem is only recorded, since it matters only at the user's first sign-in. */
function emailOfAnySignIn(claims: Claims): EmailClaims {
  try {
    return emailOf(claims);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { emailVerified: false, wrongEmail: error };
  }
}

function teamsAt(value: unknown, claim: string): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_TEAMS)
    return invalid(claim, `must be a list of at most ${MAX_TEAMS} team ids`);
  return value.map((id, index) => textAt(id, `${claim}[${index}]`, 64));
}

function storeAt(value: unknown, index: number): StoreClaim {
  const claim = `stores[${index}]`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid(claim, 'must be an object');
  const { externalRef, role, teams } = value as Claims;
  const reference = textAt(externalRef, `${claim}.externalRef`, 255);
  if (!EXTERNAL_REF.test(reference)) invalid(`${claim}.externalRef`, 'may contain only A–Z, a–z, 0–9 and . _ : -');
  const listed = optionally(teams, () => teamsAt(teams, `${claim}.teams`));
  return {
    externalRef: reference,
    role: oneOf(role, ROLES, `${claim}.role`),
    ...defined({ teams: listed }),
  };
}

function storesOf(value: unknown): readonly StoreClaim[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_STORES)
    return invalid('stores', `must be a list of 1 to ${MAX_STORES} stores`);
  const stores = value.map(storeAt);
  const seen = new Set<string>();
  for (const [index, { externalRef }] of stores.entries()) {
    if (seen.has(externalRef)) invalid(`stores[${index}].externalRef`, 'is listed already');
    seen.add(externalRef);
  }
  return stores;
}

/**
 * Parses the claims of a workspace's or a partner's user token. Null counts as absent, and unknown claims are ignored. Refuses
 * `user_token_invalid` with the claim's name. `now`: ms since 1970.
 */
export function readClaims(claims: Claims, signer: 'workspace' | 'partner', now: number): UserClaims {
  const exp = checkTimes(claims, now);
  const isPartner = signer === 'partner';
  const { name, role, locale } = claims;
  if (isPartner) optionally(locale, () => oneOf(locale, LOCALES, 'locale'));
  const named = isPartner
    ? textAt(name, 'name', MAX_NAME)
    : optionally(name === '' ? undefined : name, () => textAt(name, 'name', MAX_NAME));
  const given = isPartner ? undefined : optionally(role, () => oneOf(role, ROLES, 'role'));
  return {
    sub: textAt(claims.sub, 'sub', MAX_SUBJECT),
    jti: textAt(claims.jti, 'jti', MAX_JTI),
    exp,
    // A partner does not verify emails, so its tokens have no such claim.
    ...(isPartner ? { emailVerified: false, ...addressOf(claims) } : emailOfAnySignIn(claims)),
    ...defined({ name: named, role: given }),
    stores: isPartner ? storesOf(claims.stores) : [],
  };
}
