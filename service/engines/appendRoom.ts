/** Checks that the largest request of the API fits in one append of the event store. */
import { MAX_BODY } from '../../api/contract/bodyLimits.js';
import type { AppendLimit } from '../../infrastructure/eventstoredb/appendLimit.js';

/** Products of one batch, which are one append: all or none of them are stored. */
const BATCH = 500;
/** Bytes of an event's metadata and type, and of members that are not in the request. */
const AROUND = 1024;
/** Bytes of a full batch of products with all that their texts may be. */
export const FULL_BATCH_BYTES = MAX_BODY + BATCH * AROUND;
/** Bytes that every version of the server can be set to. */
const RECOMMENDED = 16_000_000;

const bytes = (count: number): string => `${count.toLocaleString('en')} bytes`;

/** Warning for the operator if a full batch would not fit; undefined if it does. `set`: EVENTSTORE_MAX_APPEND_SIZE, if set. */
export function narrowAppends(limit: AppendLimit, set: number | undefined): string | undefined {
  if (limit.bytes >= FULL_BATCH_BYTES) return undefined;
  const isOurs = limit.isReported && limit.bytes === set;
  const where = isOurs
    ? 'remove EVENTSTORE_MAX_APPEND_SIZE here, so that the server’s own limit applies'
    : `set EVENTSTORE_MAX_APPEND_SIZE of the server to ${RECOMMENDED}${limit.isReported && set === undefined ? '' : ', and here to the same value'}`;
  const by = isOurs
    ? 'configured here'
    : limit.isReported
      ? 'reported by the server'
      : 'assumed: the server reports its limit only to administrators';
  return `EventStoreDB accepts ${bytes(limit.bytes)} per append (${by}), but a full batch of ${BATCH} products can need ${bytes(FULL_BATCH_BYTES)}. Larger batches are refused with 413 payload_too_large. To allow them, ${where}`;
}
