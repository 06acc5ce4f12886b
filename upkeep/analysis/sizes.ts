/** Sizes of values in a chunk of a result, known before any of them becomes a value of JavaScript. */
import type { DuckDBListVector, DuckDBVector } from '@duckdb/node-api';

/** Bytes of the item at a place, about. */
export type Sizes = (at: number) => number;

/** Bytes of a value without text. */
const PLAIN = 16;
const plain: Sizes = () => PLAIN;

/** DuckDB's type ids of what has the length of its bytes first in 16 bytes: VARCHAR, BLOB, BIT, BIGNUM, GEOMETRY. */
const TEXTS: readonly number[] = [17, 18, 29, 35, 40];

/** Members of vectors that the client's types keep private. */
interface Inside {
  readonly dataView: DataView;
  readonly validity: { itemValid(at: number): boolean };
  readonly listVector?: DuckDBVector;
  readonly structVector?: DuckDBVector;
  readonly entryVectors?: readonly DuckDBVector[];
  readonly arrayType?: { readonly length: number };
  readonly childData?: DuckDBVector;
}

/** Bytes of `length` items from a place on. */
function sums(vector: DuckDBVector): (from: number, length: number) => number {
  const sizes = sizesOf(vector);
  if (sizes === plain) return (_, length) => length * PLAIN;
  const before = new Float64Array(vector.itemCount + 1);
  for (let at = 0; at < vector.itemCount; at += 1) before[at + 1] = before[at]! + sizes(at);
  return (from, length) => before[from + length]! - before[from]!;
}

/** Several items may share one text or one list in DuckDB, and none do in JavaScript: each counts in full. */
export function sizesOf(vector: DuckDBVector): Sizes {
  const { dataView, validity, listVector, structVector, entryVectors, arrayType, childData } =
    vector as unknown as Inside;
  const within = listVector ?? structVector;
  if (within !== undefined) return sizesOf(within);
  if (entryVectors !== undefined) {
    const entries = entryVectors.map(sizesOf);
    return (at) => entries.reduce((sum, size) => sum + size(at), PLAIN);
  }
  if (childData !== undefined) {
    const bytes = sums(childData);
    if (arrayType !== undefined) return (at) => PLAIN + bytes(at * arrayType.length, arrayType.length);
    const list = vector as DuckDBListVector;
    return (at) => PLAIN + (validity.itemValid(at) ? bytes(list.getEntryOffset(at), list.getEntryLength(at)) : 0);
  }
  // The length of a missing text may be anything.
  if (TEXTS.includes(vector.type.typeId))
    return (at) => PLAIN + (validity.itemValid(at) ? dataView.getUint32(at * 16, true) : 0);
  return plain;
}
