/** A credential that is none, or that may not do this. */
import { kind } from './problemKind.js';

export const access = {
  unauthenticated: kind(
    401,
    'The request carries no credential, or one that is unknown, revoked or not accepted here.',
    'Send Authorization: Bearer with a secret key (sk_…), a partner secret key (psk_…) or a session token (sdk_…). Publishable keys are not accepted as credentials.',
  ),
  session_expired: kind(
    401,
    'The session token has expired after 15 minutes. The session itself is still active.',
    'Refresh the session with this token, then send the request again with the new one.',
  ),
  session_ended: kind(
    401,
    'The session is over: signed out, older than 30 days, or its member, key, store or partner is no longer active.',
    'Exchange a new user token for a session.',
  ),
  user_token_invalid: kind(
    401,
    'The user token is not valid: its format, a claim or its signature.',
    'Read the detail. Sign with HS256 and an active secret key, with sub, jti, and exp at most 10 minutes ahead.',
  ),
  user_token_replayed: kind(
    401,
    'The user token was already used. Each user token opens one session.',
    'Sign a new user token, with a new jti.',
  ),
  key_mode_mismatch: kind(
    401,
    'The user token is signed with a key of a different mode than the publishable key.',
    'Sign with a live key for pk_live_… and ppk_live_…, with a test key for the others.',
  ),
  console_link_unknown: kind(
    401,
    'The console link does not exist.',
    'Request a new link: `suuq console` creates one.',
  ),
  console_link_used: kind(
    401,
    'The console link was already used. Each link works once.',
    'Request a new link: `suuq console` creates one. If it was not you, end its session.',
  ),
  console_link_expired: kind(
    401,
    'The console link has expired after ten minutes.',
    'Request a new link: `suuq console` creates one.',
  ),
  console_signed_out: kind(
    401,
    'This browser has no console session, or the session has ended.',
    'Open a new link: `suuq console` creates one.',
  ),
  csrf_token_missing: kind(
    403,
    'The change does not carry the token of its console session.',
    'Reload the page and try again.',
  ),
  foreign_request: kind(
    403,
    'The request is for an unknown host, or comes from a page of another site.',
    'Open the console at its own address, or add the host to SUUQ_ALLOWED_HOSTS.',
  ),
  permission_denied: kind(
    403,
    'The credential does not have the required permission.',
    'Use a key of the right kind with the scope named in the detail.',
  ),
  origin_not_allowed: kind(
    403,
    'The publishable key does not allow embedding by pages of this origin.',
    'Use a publishable key that was created with this origin.',
  ),
  email_not_verified: kind(
    403,
    'The first sign-in of a user requires a verified email.',
    'Add email, and email_verified true, to the user token.',
  ),
  member_disabled: kind(
    403,
    'The member is disabled in this store.',
    'Enable the member again; a partner does so by a user token that lists the store.',
  ),
  feature_not_available: kind(
    403,
    'The plan does not include the feature that this operation requires.',
    'Change the plan, or do not use this operation.',
  ),
  plan_limit_reached: kind(
    403,
    'The limit of the plan is reached.',
    'Remove some, or change to a plan with a higher limit.',
  ),
  test_key_refused: kind(
    403,
    'The store does not accept test mode keys or sessions.',
    'Use a live key (sk_live_…, psk_live_…), or a session that a live publishable key opened.',
  ),
  store_closed: kind(
    403,
    'The store is suspended or cancelled, and therefore read-only. Orders can still be cancelled and webhook endpoints disabled.',
    'Reopen the store, then send the request again.',
  ),
} as const;
