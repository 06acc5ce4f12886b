/** Cursors: opaque to clients, and checked when they come back. */
import { createHash } from 'node:crypto';
import { refuse } from '../domain/decider.js';
import type { Query, Scalar } from '../engine/ports/documents.js';

const CHECK_CHARS = 8;

const check = (scope: string, payload: string): string =>
  createHash('sha256').update(`${scope}\n${payload}`).digest('base64url').slice(0, CHECK_CHARS);

/** What a cursor belongs to: the list and its order. A cursor of another list is refused. */
export const cursorScope = (projection: string, sort: Query['sort'] = []): string => `${projection}:${sort.join(',')}`;

/** `place`: the sort keys' values and the id of the last document of the page. */
export function encodeCursor(scope: string, place: readonly Scalar[]): string {
  const payload = Buffer.from(JSON.stringify(place)).toString('base64url');
  return check(scope, payload) + payload;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number';

/** The place that `encodeCursor` was given, of `length` values. Refuses `invalid_cursor` for anything else. */
export function decodeCursor(scope: string, cursor: string, length: number): Scalar[] {
  const payload = cursor.slice(CHECK_CHARS);
  const place = cursor.slice(0, CHECK_CHARS) === check(scope, payload) ? parsed(payload) : undefined;
  if (Array.isArray(place) && place.length === length && place.every(isScalar)) return place;
  refuse('invalid_cursor', 'This cursor is not the `next` value of a page of this list.', [
    { message: 'must be the next value of the previous page, unchanged', location: 'query.cursor', value: cursor },
  ]);
}
