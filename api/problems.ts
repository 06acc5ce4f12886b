/** The one place where an error's code becomes an answer: status, explanation, what to do. */
import { STATUS_CODES } from 'node:http';
import { DomainError, type FieldProblem } from '../domain/decider.js';
import { PayloadTooLarge, StorageFull, StoreUnavailable, WrongExpectedRevision } from '../engine/ports/eventStore.js';
import { ViewBeingBuilt } from '../engine/projections/documentReads.js';

/** The body of every error answer, `application/problem+json`. (Specification 1, 'Errors'.) */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
  /** With `conversation_merged`: the conversation to write to. */
  readonly conversationId?: string;
  /** With `command_refused`: the code of the operator's command. */
  readonly reason?: string;
}

export interface ProblemKind {
  readonly status: number;
  /** What has happened. */
  readonly means: string;
  /** What the caller can do about it. */
  readonly todo: string;
}

const kind = (status: number, means: string, todo: string): ProblemKind => ({ status, means, todo });

/** Every code that the API answers. Codes are stable: add, never rename. */
export const problemKinds = {
  range_reversed: kind(
    422,
    'The range ends before it begins, or as it begins.',
    'Exchange the two times; the first is part of the range, the second is not.',
  ),
  before_first_event: kind(
    422,
    'Nothing of what is asked for was there at that time yet.',
    'Ask for a time at or after the one that the detail names.',
  ),
  history_too_long: kind(
    422,
    'Too much has happened beside it to fold it in one request.',
    'Read its events, page by page, with from and to.',
  ),
  malformed_body: kind(
    400,
    'The body is not well-formed: JSON in UTF-8, or multipart/form-data where a file is uploaded.',
    'Send one JSON value, encoded in UTF-8; for a file, one whole form.',
  ),
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
  command_refused: kind(
    409,
    "A command of the operator was refused in the console; `reason` is the command's own code, and the detail says why.",
    'Do what the detail says, or give the command with other values.',
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
  not_found: kind(
    404,
    'There is no such thing, or the credential does not reach it.',
    'Check the path and the ids; a key reaches only its own workspace, a partner key and a session only their stores.',
  ),
  method_not_allowed: kind(
    405,
    'The path exists, but not with this method.',
    'Use one of the methods of the Allow header field.',
  ),
  request_timeout: kind(
    408,
    'The request did not arrive in time: 10 s for its header fields, 60 s for JSON, 15 minutes for a file, 10 s without a byte of it.',
    'Send the request again, on a faster line.',
  ),
  concurrent_change: kind(
    409,
    'Others changed the same thing at the same time, again and again.',
    'Send the request again after a moment.',
  ),
  retailer_id_taken: kind(
    409,
    'Another product or variant of the store has this retailer id.',
    'Choose an external id that is unique among the products and variants of the store.',
  ),
  name_taken: kind(409, 'Another one has this name.', 'Choose another name.'),
  coupon_code_taken: kind(
    409,
    'Another promotion has this coupon code; codes are compared without case.',
    'Choose another code.',
  ),
  promotion_in_use: kind(
    409,
    'A promotion uses this number list.',
    'Delete the promotion, or give it another list, first.',
  ),
  number_list_limit_reached: kind(
    409,
    'The store has 500 number lists, the most that it may have.',
    'Delete one that no promotion needs.',
  ),
  promotion_limit_reached: kind(
    409,
    'The store has 1,000 promotions, the most that it may have, past ones included.',
    'Delete those that are over; orders that used them keep their discount.',
  ),
  order_status_not_allowed: kind(
    409,
    'The order cannot move to this status from where it is.',
    "Set one of the order's nextStatuses; statuses only move forward.",
  ),
  webhook_endpoint_limit_reached: kind(
    409,
    'The workspace has 20 webhook endpoints, the most that it may have.',
    'Delete one that is not needed, or let one endpoint receive more event types.',
  ),
  webhook_endpoint_disabled: kind(
    409,
    'The webhook endpoint is disabled; nothing but a test is sent to it.',
    'Turn it on with status active, then repeat the request.',
  ),
  store_not_closable: kind(
    409,
    'The store is in a state from which it cannot be closed.',
    "Read the store's status; a cancelled store stays as it is.",
  ),
  store_not_reopenable: kind(
    409,
    'The store was not closed by the partner, so the partner cannot reopen it.',
    "Read the store's status and closedAt.",
  ),
  no_free_seat: kind(
    409,
    'The role needs a seat and the store has none free.',
    'Free a seat, or change the plan, then send the request again.',
  ),
  member_limit_reached: kind(
    409,
    'The store has 1,000 members, the most that it may have, disabled ones included.',
    'Let people sign in as members that the store has.',
  ),
  member_links_limit_reached: kind(
    409,
    'Ten users are linked to this member already.',
    'Give each person one sub that stays the same from sign-in to sign-in.',
  ),
  last_owner: kind(
    409,
    'The store would be left without an active owner.',
    'Make another member of the store an owner first.',
  ),
  team_full: kind(409, 'The team has 200 members, the most that it may have.', 'Take another member out of it first.'),
  team_needs_member: kind(
    409,
    'The member is the only one of a team, and a team is never empty.',
    'Put another member into the team first, or leave the member in it.',
  ),
  window_closed: kind(
    409,
    'More than 24 hours have passed since the customer wrote, or they never did.',
    'Send an approved template, or wait until the customer writes.',
  ),
  template_not_approved: kind(
    409,
    'Only a template that the channel has approved can be sent.',
    "Read the template's status; choose an approved one, or wait for the review.",
  ),
  template_limit_reached: kind(
    409,
    'The store has as many message templates as it may have.',
    'Delete a template that is not needed.',
  ),
  template_name_taken: kind(
    409,
    'The store has a message template of this name in this language.',
    'Choose another name or language, or edit the template that is there.',
  ),
  template_not_editable: kind(
    409,
    'The message template cannot be edited in this way now.',
    'Read its status and editPending: one that is approved, rejected, paused or submit_failed can be edited, when no other edit waits for the provider.',
  ),
  template_not_sendable: kind(
    409,
    'The template has parts that cannot be sent from here, such as a carousel.',
    'Choose another template; `definition.unsupported` names the parts.',
  ),
  no_channel_number: kind(
    409,
    'The store has no connected channel number that this could be sent from.',
    "Let the service's operator connect the number.",
  ),
  conversation_merged: kind(
    409,
    'The customer of this conversation turned out to be another one; it stays readable, and nothing more is sent in it.',
    'Write in the conversation that `conversationId` names; where there is none yet, startConversation begins it by the phone.',
  ),
  idempotency_in_flight: kind(
    409,
    'The first request with this Idempotency-Key is still running.',
    'Wait for the time in Retry-After, then send the same request again.',
  ),
  payload_too_large: kind(
    413,
    'The body is larger than the operation takes: 1 MiB (1,048,576 bytes), 8 MiB (8,388,608 bytes) for a batch of products, 40 KiB for a sign-in.',
    'Send less at once, in several requests.',
  ),
  file_too_large: kind(
    413,
    'The file is larger than the channel carries: an image 5 MB, video and audio 16 MB, a sticker 500 KB, a document 100 MB.',
    'Send a smaller file.',
  ),
  unsupported_media_type: kind(
    415,
    'The body is not sent as JSON, or as multipart/form-data where a file is uploaded.',
    'Send Content-Type: application/json (for a file multipart/form-data), without a content coding.',
  ),
  file_type_not_supported: kind(
    415,
    'The channel does not carry files of this type. What counts is what the bytes are, not what is said of them.',
    'Send JPEG, PNG, WebP, MP4, 3GPP, AAC, AMR, MP3, M4A, OGG, PDF, an office document or plain text.',
  ),
  range_not_satisfiable: kind(
    416,
    'The file has no bytes in the range that was asked for.',
    'Ask for a range within the size that Content-Range tells.',
  ),
  validation_failed: kind(
    422,
    'Parts of the request are not as the operation declares them.',
    'Read `errors`: one entry for each problem, with its location. Change the request before you send it again.',
  ),
  template_parameters_invalid: kind(
    422,
    'Parameters of the template are missing, superfluous or of a wrong kind.',
    'Read `errors`: one entry for each, with its place. The preview of the template says the same without sending.',
  ),
  invalid_cursor: kind(
    422,
    'The cursor is not one that this list gave.',
    'Pass the `next` value of the previous page unchanged, or leave the cursor out to start again.',
  ),
  idempotency_key_reused: kind(
    422,
    'This Idempotency-Key was used for another request in the last 24 hours.',
    'Use a new key for each new request, and the same key only to repeat the same one.',
  ),
  rate_limited: kind(
    429,
    'Too many requests in a short time (a large body counts as one more for each 64 KiB), or too many Idempotency-Keys in a day.',
    'Wait for the seconds in Retry-After; RateLimit tells what remains.',
  ),
  internal_error: kind(
    500,
    'Something went wrong on our side.',
    'Send the request again; report the requestId when it keeps failing.',
  ),
  unavailable: kind(
    503,
    'The service cannot do this right now.',
    'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key where there is one.',
  ),
  storage_full: kind(
    503,
    'The service has no room to store this; what is there can be read.',
    'Send the same request again after the seconds in Retry-After, with the same Idempotency-Key where there is one. The service’s operator has to make room.',
  ),
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problemKinds;

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemKinds, code);

/** Members of a problem that only some codes have. */
type MoreMembers = Pick<Problem, 'conversationId' | 'reason'>;

/** A refusal of the API itself, with header fields such as Allow or Retry-After, or with further members. */
export class Refusal extends DomainError {
  readonly headers: Readonly<Record<string, string>>;
  readonly members: MoreMembers;
  constructor(
    code: ProblemCode,
    detail: string,
    options: { headers?: Record<string, string>; problems?: readonly FieldProblem[]; members?: MoreMembers } = {},
  ) {
    super(code, detail, options.problems ?? []);
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }
}

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  /** True for errors that nobody planned for: they are logged, and the caller learns nothing of them. */
  readonly unexpected: boolean;
}

const NO_HEADERS = {};
/** Seconds after which a request that met an unavailable engine may be sent again. */
const RETRY_AFTER = { 'retry-after': '1' };
/** Seconds after which a full disk may have room again: somebody has to make it. */
const RETRY_WHEN_FULL = { 'retry-after': '30' };

/** The same while views are built for the first time, which takes longer. */
export const BUILDING_RETRY_SECONDS = 5;

export const beingBuilt = ({ percent }: ViewBeingBuilt): string =>
  `What this request reads is being built from the event log${percent === undefined ? '' : ` (${percent} % done)`}. Repeat it after some seconds, with the same Idempotency-Key where it has one.`;

function known(
  code: ProblemCode,
  detail: string,
  baseUrl: string,
  requestId: string,
  problems: readonly FieldProblem[] = [],
): Problem {
  const { status } = problemKinds[code];
  return {
    type: `${baseUrl}/errors/${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail,
    ...(problems.length === 0 ? {} : { errors: problems }),
    requestId,
  };
}

/** The answer to any error. Errors that no table knows become `internal_error` without a word of what they say. */
export function problemOf(error: unknown, baseUrl: string, requestId: string): ProblemAnswer {
  const expected = (
    code: ProblemCode,
    detail: string,
    headers: Readonly<Record<string, string>> = NO_HEADERS,
    problems: readonly FieldProblem[] = [],
  ): ProblemAnswer => ({ problem: known(code, detail, baseUrl, requestId, problems), headers, unexpected: false });
  if (error instanceof DomainError && isProblemCode(error.code)) {
    const headers = error instanceof Refusal ? error.headers : error.code === 'unavailable' ? RETRY_AFTER : NO_HEADERS;
    const answer = expected(error.code, error.message, headers, error.problems);
    return error instanceof Refusal ? { ...answer, problem: { ...answer.problem, ...error.members } } : answer;
  }
  if (error instanceof StorageFull)
    return expected(
      'storage_full',
      'The service has no room on its disk to store this. Its operator has to make room; send the same request again then.',
      RETRY_WHEN_FULL,
    );
  if (error instanceof ViewBeingBuilt)
    return expected('unavailable', beingBuilt(error), { 'retry-after': String(BUILDING_RETRY_SECONDS) });
  if (error instanceof StoreUnavailable)
    return expected('unavailable', 'Storage does not answer right now; the outcome is not known.', RETRY_AFTER);
  if (error instanceof WrongExpectedRevision)
    return expected('concurrent_change', problemKinds.concurrent_change.means);
  if (error instanceof PayloadTooLarge) return expected('payload_too_large', 'The change is too large to be stored.');
  const problem = known('internal_error', problemKinds.internal_error.means, baseUrl, requestId);
  return { problem, headers: NO_HEADERS, unexpected: true };
}
