import { StoreUnavailable } from './ports/eventStore.js';

const MOST_CAUSES = 5;

/**
 * True if a store did not answer or refused the call for now. The event, endpoint or user behind the call is not at
 * fault: wait and retry, and count no attempt.
 */
export function isStoreFailure(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    if (cause instanceof StoreUnavailable) return true;
    cause = cause.cause;
  }
  return false;
}
