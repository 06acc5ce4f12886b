/** Entry of a thread that reads, opens and checks ranges of the embedded log, and makes of them what an export gathers. */
import { workerData } from 'node:worker_threads';
import { openRing, type ReadAccess } from '../../service/composition/privacy/vaults.js';
import { serveRanges } from '../logRanges/serveRanges.js';
import { type ChunkRequest, chunksOf } from './chunks.js';
import { embeddedTexts } from './eventTexts.js';

export interface ChunkThreadData {
  readonly folder: string;
  readonly access: ReadAccess;
  readonly request: ChunkRequest;
}

const { folder, access, request } = workerData as ChunkThreadData;
const { ring } = await openRing(access);
const texts = embeddedTexts(folder, ring);

serveRanges(async function* (range, memory) {
  for await (const chunk of chunksOf(texts, range, request, memory)) {
    const { positions, textOf, lengths } = chunk;
    yield [chunk, [chunk.memory, positions.buffer, textOf.buffer, lengths.buffer]] as const;
  }
});
