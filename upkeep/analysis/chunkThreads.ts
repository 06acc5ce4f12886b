/** The chunks of a large embedded log, made by two threads while this one gathers them and DuckDB's writes files. */
import type { ReadAccess } from '../../service/composition/privacy/vaults.js';
import { inRangeThreads, type LogRange } from '../logRanges/rangeThreads.js';
import { type Chunk, type ChunkRequest, chunksOf } from './chunks.js';
import type { ChunkThreadData } from './chunkThread.js';
import type { EventTexts } from './eventTexts.js';

/** Positions from which on threads are worth their start, of a fifth of a second of processor time each. */
const WORTH = 100_000;

export interface ChunkedLog {
  readonly folder: string;
  readonly access: ReadAccess;
  /** The same log. */
  readonly texts: EventTexts;
}

/** As `chunksOf`. A range of fewer positions than `worth` is read by this thread. */
export async function* threadedChunks(
  { folder, access, texts }: ChunkedLog,
  { after, through }: LogRange,
  request: ChunkRequest,
  worth = WORTH,
): AsyncGenerator<Chunk, undefined> {
  let at = after;
  if (through - after >= worth) {
    const entry = new URL('./chunkThread.js', import.meta.url);
    const data: ChunkThreadData = { folder, access, request };
    try {
      for await (const chunk of inRangeThreads<Chunk>(entry, data, { after, through })) {
        at = chunk.through;
        yield chunk;
      }
    } catch {
      // What no thread could read is read once more below, where an error is of its own class.
    }
  }
  yield* chunksOf(texts, { after: at, through }, request);
  return undefined;
}
