import { DomainError } from './decider.js';

/** Codes of errors that end by themselves, such as contention: the request is not at fault. */
const PASSING: ReadonlySet<string> = new Set(['concurrent_change', 'unavailable', 'storage_full']);

/** True if a rule forbids what was requested. False if a retry of the same request may succeed. */
export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && !PASSING.has(error.code);
