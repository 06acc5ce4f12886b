/** A credential that is none, or that may not do this. */
import { kind } from './problemKind.js';

export const access = {
  unauthenticated: kind(
    401,
    'The request carries no credential, or one that is unknown, revoked or not accepted here.',
    'Send Authorization: Bearer with a secret key (sk_…), a partner secret key (psk_…) or a session token (sdk_…). Publishable keys are no credentials.',
  ),
  session_expired: kind(
    401,
    'The session token is older than 15 minutes; the session itself goes on.',
    'Refresh the session with this token, then send the request again with the new one.',
  ),
  session_ended: kind(
    401,
    'The session is over: signed out, older than 30 days, or its member, key, store or partner is no longer active.',
    'Exchange a new user token for a session.',
  ),
  user_token_invalid: kind(
    401,
    'The user token is not one that we accept: its form, a claim or its signature.',
    'Read the detail. Sign with HS256 and a secret key in force, with sub, jti, and exp at most 10 minutes ahead.',
  ),
  user_token_replayed: kind(
    401,
    'The user token has opened a session before; each opens one.',
    'Sign a new user token, with a new jti.',
  ),
  key_mode_mismatch: kind(
    401,
    'The user token is signed with a key of the other mode than the publishable key.',
    'Sign with a live key for pk_live_… and ppk_live_…, with a test key for the others.',
  ),
  console_link_unknown: kind(
    401,
    'There is no such link into the console.',
    'Ask for a new one: `suuq console` makes it.',
  ),
  console_link_used: kind(
    401,
    'The link has opened the console before; each does so once.',
    'Ask for a new one: `suuq console` makes it. If it was not you, end its session.',
  ),
  console_link_expired: kind(
    401,
    'The link was not followed within ten minutes.',
    'Ask for a new one: `suuq console` makes it.',
  ),
  console_signed_out: kind(
    401,
    'The console knows no session of this browser, or it has ended.',
    'Follow a new link: `suuq console` makes one.',
  ),
  csrf_token_missing: kind(
    403,
    'A change in the console has to bear the token of its session, which only its own pages know.',
    'Reload the page and do it again.',
  ),
  foreign_request: kind(
    403,
    'The request is for another host, or comes from a page of another site.',
    'Open the console by its own address, or name the host in SUUQ_ALLOWED_HOSTS.',
  ),
  permission_denied: kind(
    403,
    'The credential may not do this.',
    'Use a key of the right kind with the scope that the answer names.',
  ),
  origin_not_allowed: kind(
    403,
    'The publishable key does not allow pages of this origin to embed.',
    'Use a publishable key that was made with this origin among its origins.',
  ),
  email_not_verified: kind(
    403,
    'The first sign-in of a user needs an email that the customer’s server has verified.',
    'Put email, and email_verified true, into the user token.',
  ),
  member_disabled: kind(
    403,
    'The member is disabled in this store.',
    'Enable the member again; a partner does so by a user token that lists the store.',
  ),
  feature_not_available: kind(
    403,
    'The plan does not have the feature that this operation needs.',
    'Change the plan, or leave this operation out.',
  ),
  plan_limit_reached: kind(
    403,
    'The plan does not allow more of these.',
    'Remove some, or change to a plan with a higher limit.',
  ),
  test_key_refused: kind(
    403,
    'The store takes no keys and no sessions of the test mode.',
    'Use a live key (sk_live_…, psk_live_…), or a session that a live publishable key opened.',
  ),
  store_closed: kind(
    403,
    'The store is suspended or cancelled and can only be read; orders can be cancelled and webhook endpoints stopped.',
    'Reopen the store, then send the request again.',
  ),
} as const;
