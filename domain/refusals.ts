import { DomainError } from './decider.js';

/** Codes of temporary errors, such as contention: the request itself is valid. */
const PASSING: ReadonlySet<string> = new Set(['concurrent_change', 'unavailable', 'storage_full']);

/** True if a rule forbids what was requested. False if a retry of the same request may succeed. */
export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && !PASSING.has(error.code);
