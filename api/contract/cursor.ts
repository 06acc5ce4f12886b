/** Cursors: opaque to clients, and known as ours when they come back. */
import type { Authenticator } from '../../application/ports/authenticator.js';
import { refuse } from '../../domain/decider.js';
import type { Scalar } from '../../engine/ports/documents.js';

/** Length of a tag of `Authenticator`. */
const TAG_CHARS = 24;

/** The list that a cursor is a place in: whose it is, and in which order. Its filters may change from page to page. */
export interface CursorScope {
  readonly operation: string;
  /** Id of the store, or of the partner. */
  readonly owner: string | undefined;
  /** Parameters of the path, such as the conversation of a list of messages. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly sort: readonly string[];
}

const scoped = ({ operation, owner, params, sort }: CursorScope, payload: string): string =>
  `${JSON.stringify([operation, owner ?? null, params, sort])}\n${payload}`;

/** `place`: the sort keys' values and the id of the last document of the page. */
export function encodeCursor(authenticator: Authenticator, scope: CursorScope, place: readonly Scalar[]): string {
  const payload = Buffer.from(JSON.stringify(place)).toString('base64url');
  return authenticator.tag(scoped(scope, payload)) + payload;
}

/** The place that `encodeCursor` was given. Refuses `invalid_cursor` for what this installation did not give to this list. */
export function decodeCursor(authenticator: Authenticator, scope: CursorScope, cursor: string): readonly Scalar[] {
  const payload = cursor.slice(TAG_CHARS);
  if (authenticator.accepts(scoped(scope, payload), cursor.slice(0, TAG_CHARS)))
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  refuse('invalid_cursor', 'The cursor is not the `next` value of a page of this list. Start again without a cursor.', [
    { message: 'must be the next value of the previous page, unchanged', location: 'query.cursor', value: cursor },
  ]);
}
