/** Entry of the thread for the tree over the log and the history index: it reads the stored log, hashes it, and writes both next to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryIndexing } from '../../application/history/historyIndexing.js';
import type { HistoryIndexMaker } from '../../application/ports/historyIndex.js';
import type { StoredLog } from '../../engine/ports/storedLog.js';
import { LogTree } from '../../engine/proofs/logTree.js';
import { sharedPages } from '../../engine/proofs/sharedPages.js';
import { Tree } from '../../engine/proofs/tree.js';
import { openHistoryIndexMaker } from '../../infrastructure/sqlite/historyIndex.js';
import { openStoredEvents, openTiles, type TreePlaces } from './treePlaces.js';

export type TreeQuestion =
  | { readonly request: 'advance'; readonly gently: boolean }
  | { readonly request: 'index'; readonly secret: string }
  | { readonly request: 'root'; readonly size: number }
  | { readonly request: 'consistency'; readonly from: number; readonly size: number }
  | {
      readonly request: 'proven';
      readonly stream: string;
      readonly from: number;
      readonly limit: number;
      readonly size: number;
    }
  | { readonly request: 'stop' };

export type ToTree = TreeQuestion & { readonly seq: number };
export type FromTree =
  | { readonly seq: number; readonly answer: unknown }
  | { readonly seq: number; readonly failed: { readonly name: string; readonly message: string } };

interface Opened {
  readonly tree: LogTree;
  /** Runs to the log's end; loaded on first use. */
  index(secret: string): Promise<void>;
  close(): Promise<void>;
}

async function open(places: TreePlaces): Promise<Opened> {
  const tiles = await openTiles(places.tiles);
  let log: StoredLog | undefined;
  try {
    log = await openStoredEvents(places.log);
    // Both are brought up in turn: what the tree has hashed, the index need not read again.
    const stored = places.index === undefined ? log : sharedPages(log);
    const tree = new LogTree(stored, await Tree.open(tiles));
    let index: HistoryIndexMaker | undefined;
    let indexing: HistoryIndexing | undefined;
    return {
      tree,
      async index(secret) {
        if (places.index === undefined) return;
        index ??= openHistoryIndexMaker(places.index);
        indexing ??= new HistoryIndexing(stored, index, secret);
        await indexing.advance(stopping.signal);
      },
      async close() {
        index?.close();
        await Promise.all([tree.close(), tiles.close()]);
      },
    };
  } catch (error) {
    await log?.close();
    await tiles.close();
    throw error;
  }
}

const port = parentPort!;
const stopping = new AbortController();
let opening: Promise<Opened> | undefined;

function opened(): Promise<Opened> {
  opening ??= open(workerData as TreePlaces).catch((error) => {
    // A server that is away comes back.
    opening = undefined;
    throw error;
  });
  return opening;
}

async function answer(question: TreeQuestion): Promise<unknown> {
  if (question.request === 'stop') {
    stopping.abort(new Error('the proof tree is closing'));
    return (await opening)?.close();
  }
  const { tree, index } = await opened();
  switch (question.request) {
    case 'advance':
      return tree.advance({ gently: question.gently, signal: stopping.signal });
    case 'index':
      return index(question.secret);
    case 'root':
      return tree.root(question.size);
    case 'consistency':
      return tree.consistency(question.from, question.size);
    case 'proven':
      return tree.proven(question.stream, question.from, question.limit, question.size);
  }
}

port.on('message', ({ seq, ...question }: ToTree) => {
  answer(question).then(
    (given) => {
      port.postMessage({ seq, answer: given } satisfies FromTree);
      if (question.request === 'stop') port.close();
    },
    ({ name, message }: Error) => port.postMessage({ seq, failed: { name, message } } satisfies FromTree),
  );
});
