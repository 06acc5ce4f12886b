/** What is read in place of a value of somebody who was forgotten: of the same type, and plainly nobody's. */

import { ERASED, ERASED_PHONE } from '../../domain/erasure.js';
import { derivedId } from '../../domain/ids.js';

export const ERASED_TEXT = '[erased]';

/** `id`: of the event; `at`: which of its sealed values, from 0. Ids are made of both, so that no two of them become one. */
export function erasedValue(
  { kind, type }: { readonly kind: string; readonly type: string },
  id: string,
  at: number,
): unknown {
  if (type === 'n') return 0;
  if (type === 'b') return false;
  if (type === 'a') return [];
  if (type === 'o') return {};
  if (kind === 'phone' || kind === 'account') return ERASED_PHONE;
  if (kind === 'name') return '';
  if (kind === 'email') return 'erased@erased.invalid';
  // Whoever reads an id that the service made reads a UUID.
  if (kind === 'derivedId') return derivedId(ERASED, id, at);
  if (kind === 'userId') return `${ERASED}${id}-${at}`;
  return ERASED_TEXT;
}
