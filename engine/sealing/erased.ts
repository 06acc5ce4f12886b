/**
 * Placeholders that are read instead of the values of a forgotten person. Each has the original type and clearly
 * belongs to nobody.
 */

import { ERASED, ERASED_PHONE } from '../../domain/erasure.js';
import { derivedId } from '../../domain/ids.js';

export const ERASED_TEXT = '[erased]';

/**
 * `id`: id of the event. `at`: index of the sealed value in the event. Placeholder ids contain both, so that they never
 * collide.
 */
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
  // Readers of an id that the service generated expect a UUID.
  if (kind === 'derivedId') return derivedId(ERASED, id, at);
  if (kind === 'userId') return `${ERASED}${id}-${at}`;
  return ERASED_TEXT;
}
