import type { Expectation } from '../sqlite/eventStore/messages.js';
import { malformed, notChosen } from './refusal.js';

/** Expectation of a write on its stream: for the store, and in the client's words. */
export type Expecting =
  | { readonly kind: 'any' | 'noStream' | 'streamExists'; readonly expected: Expectation; readonly revision?: never }
  | { readonly kind: 'revision'; readonly expected: Expectation; readonly revision: string };

/** The oneof that Append, Delete and Tombstone have, and BatchAppend under another name. */
export interface ExpectationOptions {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

const U64_MAX = 2n ** 64n - 1n;
const I64_MAX = 2n ** 63n - 1n;
const OUT_OF_RANGE = "Specified argument was out of the range of valid values. (Parameter 'value')";

/** EventStoreDB's names of the choice. */
export type ExpectationCase =
  | `${'AppendReq' | 'DeleteReq' | 'TombstoneReq'}+Types+Options+ExpectedStreamRevisionOneofCase`
  | 'BatchAppendReq+Types+Options+ExpectedStreamPositionOneofCase';

/** `revision`: as the client sent it; undefined when it sent none. */
export function expectingOf(options: ExpectationOptions, revision: string | undefined, of: ExpectationCase): Expecting {
  if (options.hasAny()) return { kind: 'any', expected: 'any' };
  if (options.hasNoStream()) return { kind: 'noStream', expected: 'noStream' };
  if (options.hasStreamExists()) return { kind: 'streamExists', expected: 'streamExists' };
  if (revision === undefined)
    throw notChosen('options need an expectation: a revision, any, no_stream or stream_exists', of);
  const value = BigInt(revision);
  // The protocol's -1.
  if (value === U64_MAX) return { kind: 'revision', expected: 'noStream', revision };
  if (value > I64_MAX) throw malformed(`${revision} is no revision: the largest is 2^63-1`, OUT_OF_RANGE);
  // No stream gets that far: a larger one is as wrong as this.
  const expected = Number(value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : value);
  return { kind: 'revision', expected, revision };
}

const NUMBERS = { any: -2, noStream: -1, streamExists: -4 } as const;

/** Expectation as deletions report it: a revision, or one of the protocol's negative numbers. */
export const expectedNumber = ({ kind, expected, revision }: Expecting): string => {
  if (kind !== 'revision') return String(NUMBERS[kind]);
  return expected === 'noStream' ? '-1' : revision;
};
