import { StoreUnavailable } from './ports/eventStore.js';

const MOST_CAUSES = 5;

/**
 * True if a store did not answer, or turned the call away for now. The error then says nothing about the event, the
 * endpoint or the user that the call was made for: wait and repeat, and count no attempt.
 */
export function isStoreFailure(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    if (cause instanceof StoreUnavailable) return true;
    cause = cause.cause;
  }
  return false;
}
