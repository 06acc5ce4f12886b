import type { Readable as ByteStream } from 'node:stream';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { MemberAccess, PartnerAccess, Principal, WorkspaceAccess } from '../../application/access/principal.js';
import type { TokenUse } from '../../application/access/usedTokens.js';
import type { VerifiedUser } from '../../application/access/userTokens.js';
import type { TakenContent } from '../../application/files/files.js';
import type { ByteRange } from '../../application/ports/fileStore.js';
import type { FieldProblem } from '../../domain/decider.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Query, Scalar, StoredDocument } from '../../engine/ports/documents.js';
import type { CaughtUp, Readable, Reads } from '../../engine/projections/reads.js';
import type { Services } from './services.js';

/** JSON text that is sent unchanged: the body of a read model, or a page joined from several. */
export class Json {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A file that has come in: its bytes are in the file store, and no event names them yet. */
export interface UploadedFile extends TakenContent {
  /** Safe to show and to save. */
  readonly name: string;
  /** From now on an event may name the bytes: they are no longer removed when the request ends. */
  retain(): void;
  /** Removes the bytes, unless `retain` was called. */
  discard(): Promise<void>;
}

/** A file of the request, while it arrives. Its name and type are the client's claims. */
export interface IncomingFile {
  readonly filename: string | undefined;
  readonly mimeType: string;
  readonly content: ByteStream;
  readonly signal: AbortSignal;
}

/** How an operation takes a file: as the one part of a multipart/form-data body, in place of JSON. */
export interface UploadRule {
  /** Name of the part. */
  readonly field: string;
  readonly mostBytes: number;
  /** Reads the file to its end, or refuses it. */
  take(file: IncomingFile, requested: Pick<Request<Shape>, 'workspace' | 'services'>): Promise<UploadedFile>;
}

/** A file as the answer: bytes that never change, sent whole or by range, as fast as the client reads. */
export interface FileAnswer {
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
  /** Undefined: the bytes are gone. */
  open(range?: ByteRange): Promise<ByteStream | undefined>;
}

export interface Answer {
  readonly status: number;
  /** In place of a body; the status may become 206, 304 or 416. */
  readonly file?: FileAnswer;
  /** An object (serialised), Json (passed on), or absent for 204 and 202 without a body. */
  readonly body?: object | Json;
  /** The answer to an idempotent replay, if it differs: the body without the secret that is shown once. */
  readonly replayBody?: object;
}

/** Commands of one request: the context (workspace, actor, correlation, command id) is already bound. */
export type RequestCommands = BoundCommands;

/** One page of a list. `rows` has at most `limit` documents; `next` is the cursor, absent on the last page. */
export interface Page<B> {
  readonly rows: StoredDocument<B>[];
  readonly next?: string;
}

/** The place in a list that a request goes on from, and the cursor of the next page. */
export interface ListCursor {
  /** The sort keys' values and the id of the last document before; undefined on the first page. */
  readonly after?: readonly Scalar[];
  next(place: readonly Scalar[]): string;
}

export interface RequestReads extends Reads, CaughtUp {
  /** Resolves when the views show what this request has changed so far. Refuses `unavailable` when they are late. */
  shown(): Promise<void>;
  /** A keyset page: reads `limit` (1–200, default 50) from the request's query, decodes its cursor, makes the next one. */
  page<B>(projection: Readable<B>, query: Omit<Query, 'limit' | 'after'>): Promise<Page<B>>;
  /** For a list that is no one page of a projection, in this order. Refuses `invalid_cursor`. */
  cursor(sort: readonly string[]): ListCursor;
}

/** Whose user token was verified, and the credential's key behind it. */
export interface SigningUser extends VerifiedUser {
  readonly token: TokenUse;
}

export interface Shape {
  params?: TProperties;
  query?: TProperties;
  body?: TSchema;
}
type Values<P> = P extends TProperties ? Static<TObject<P>> : Record<never, never>;

export interface Request<S extends Shape> {
  readonly params: Values<S['params']>;
  readonly query: Values<S['query']>;
  readonly body: S['body'] extends TSchema ? Static<S['body']> : undefined;
  readonly principal: Principal;
  /** The session's member in the workspace; undefined for a key. */
  readonly member?: MemberAccess;
  /** Present where the operation takes a file. */
  readonly upload: UploadedFile;
  /** Present where a user token is the credential. */
  readonly user: SigningUser;
  /** Present for paths under /workspaces/{workspaceId}. */
  readonly workspace: WorkspaceAccess;
  /** Present for paths under /partner. */
  readonly partner: PartnerAccess;
  readonly commands: RequestCommands;
  /** A read after a command of this request waits until the projection has passed that command's position. */
  readonly read: RequestReads;
  /** Further services of the composition: see api/contract/services.ts. */
  readonly services: Services;
  /** ms since 1970, the same for the whole request. */
  readonly now: number;
  readonly requestId: string;
  /**
   * Returns a new UUID, or the same one when the request is repeated with its Idempotency-Key. Names distinguish
   * several ids of a request.
   */
  newId(name: string): string;
}

/** The parts of a request that a rule of its body may read. */
export type RuleRequest = Pick<Request<Shape>, 'services' | 'commands' | 'workspace' | 'now'> & {
  readonly params: Readonly<Record<string, unknown>>;
};

interface RuleFields {
  /** Fields that it reads, by their paths, such as `definition.buttons`: it is checked when none of them has a problem. */
  readonly fields: readonly string[];
  /** A list of the body, of which each item has these fields. */
  readonly each?: string;
  /** Reads what the path names, so that the path must be sound. */
  readonly stored?: boolean;
}

interface ValueRule extends RuleFields {
  /** Returns the problems of the body, or of the item at this place. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema has checked the fields that the rule reads, and no others
  problems(value: any, request: RuleRequest, at: string): readonly FieldProblem[] | Promise<readonly FieldProblem[]>;
}

/** A rule about the items of a list together, such as that their ids differ. */
interface ListRule extends RuleFields {
  readonly each: string;
  /** Returns the problems of the items whose fields are sound. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  among(items: readonly { readonly value: any; readonly at: string }[]): readonly FieldProblem[];
}

/** A rule of a body that no schema states. */
export type BodyRule = ValueRule | ListRule;

/**
 * One operation of the API: route, credentials, scope, plan feature, validation, idempotency, problems and OpenAPI
 * entry, all from this declaration. `{C}` is /api/v1/workspaces/{workspaceId}/commerce, `{W}` is
 * /api/v1/workspaces/{workspaceId}, `{P}` is /api/v1/partner, `{S}` is /api/v1/sdk/sessions.
 */
export interface Operation<S extends Shape = Shape> {
  /** The specification's operation id. */
  readonly id: string;
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} {${'C' | 'W' | 'P' | 'S'}}${string}`;
  /** One sentence for the reference. */
  readonly summary: string;
  /** Area of the reference, such as 'Products'. */
  readonly tag: string;
  /** null: any caller with the credential may. Only where the credential is not a key. */
  readonly scope: string | null;
  readonly feature: string | null;
  /**
   * Under `{S}`. user_token: in the body, with a publishable key; no bearer. session: the session token, also when it has
   * expired. A key, or a session that has not expired, when absent.
   */
  readonly credential?: 'user_token' | 'session';
  /** May change what members or stores may do: the directory forgets what it knows before the answer. */
  readonly changesAccess?: boolean;
  readonly params?: S['params'];
  readonly query?: S['query'];
  readonly body?: S['body'];
  /** Most bytes of the body, 8 MiB at most; 1 MiB when absent. More than the largest body that the schema admits is never needed. */
  readonly bodyLimit?: number;
  /** Takes a file in place of a JSON body. */
  readonly upload?: UploadRule;
  /** Beyond the specification, and why: the document marks it with `x-suuq-addition`. */
  readonly addition?: string;
  /** Schema by success status; null: no body; 'file': the bytes of a file. */
  readonly answers: Readonly<Record<number, TSchema | null | 'file'>>;
  /** Error codes of this operation in addition to the common ones, for the reference. */
  readonly problems?: readonly string[];
  /** Accepts Idempotency-Key: operations that create things. */
  readonly idempotent?: boolean;
  /**
   * Works in a suspended (closed, read-only) store: what only reads, gives money back or stops traffic. `{body}`: with exactly
   * this body and no other. GET operations always do.
   */
  readonly whenClosed?: true | { readonly body: Readonly<Record<string, string>> };
  /** Rules beyond the schema, whose problems are answered together with the schema's. `handle` refuses what breaks them all the same. */
  readonly rules?: readonly BodyRule[];
  /** The body may be left out; `handle` then gets `{}`, with the schema's defaults. */
  readonly bodyOptional?: boolean;
  /** To be removed: answers carry Deprecation (RFC 9745) and Sunset (RFC 8594). RFC 3339 times, 180 days or more apart. */
  readonly deprecated?: { readonly since: string; readonly sunset: string };
  handle(request: Request<S>): Promise<Answer>;
}

/** One whose credential is a key, or a session in a store. */
export interface KeyedOperation extends Operation {
  readonly scope: string;
  readonly feature: string;
}

export const operation = <
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TSchema = never,
>(
  declared: Operation<{ params: P; query: Q; body: [B] extends [never] ? undefined : B }>,
): Operation => declared as unknown as Operation;

/** `{"name":[…rows],"next":…}` from stored JSON without parsing it. `before`: members put first, as JSON text. */
export function listJson<B>(
  name: string,
  page: Page<B>,
  options: { before?: string; row?: (row: StoredDocument<B>) => string } = {},
): Json {
  const rows = page.rows.map(options.row ?? ((row) => row.json)).join(',');
  const next = page.next === undefined ? '' : `,"next":${JSON.stringify(page.next)}`;
  return new Json(`{${options.before === undefined ? '' : `${options.before},`}"${name}":[${rows}]${next}}`);
}
