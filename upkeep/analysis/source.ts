/** Data source of queries and exports: the engines of an installation, opened for reading next to the service that writes them. */
import { join } from 'node:path';
import type { SpannedLog } from '../../application/timeSpans.js';
import { refuse } from '../../domain/decider.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { type EventReads, upcastingReads } from '../../engine/upcasting.js';
import { HISTORY_INDEX, historyIndexIn } from '../../infrastructure/sqlite/historyIndex.js';
import { evolvedEvents } from '../../service/composition/events.js';
import { accessOf, openRing } from '../../service/composition/privacy/vaults.js';
import { quietLog } from '../../service/log.js';
import type { Env } from '../../service/settings/environment.js';
import type { DataSettings } from '../../service/settings/settings.js';
import { Undo } from '../../service/shutdown.js';
import { suggestionSentence } from '../../service/suggestions.js';
import { placeOf } from '../projections/storedHistory.js';
import { openStored, openStoredLog, type Stored } from '../verify/storedData.js';
import { threadedChunks } from './chunkThreads.js';
import { type EventTexts, embeddedTexts, textsOf } from './eventTexts.js';
import type { ExportSource } from './exportFolder.js';

export interface AnalysisSource extends Pick<ExportSource, 'chunks'> {
  readonly texts: EventTexts;
  /** The same, parsed. */
  readonly log: EventReads & Pick<SpannedLog, 'index'>;
  /** Opened on first use. Undefined: no read model has been built yet. */
  views(): Promise<DocumentStore | undefined>;
}

/** Refuses `no_installation`; rejects with StoreUnavailable, LogDamaged, or as `work` does. */
export async function overSource<R>(env: Env, work: (source: AnalysisSource) => Promise<R>): Promise<R> {
  const { settings, folder } = placeOf(env);
  const undo = new Undo();
  try {
    const { log: raw, close } = await openStoredLog(settings, folder, quietLog());
    undo.add('log', close);
    const reads = upcastingReads(raw, evolvedEvents);
    const log = settings.eventStoreUrl === undefined ? { ...reads, index: indexIn(folder, undo) } : reads;
    const read = settings.eventStoreUrl === undefined ? await readIn(settings, folder, undo) : { texts: textsOf(log) };
    let stored: Stored | undefined;
    undo.add('documents', () => stored?.close());
    return await work({
      ...read,
      log,
      async views() {
        stored ??= await openStored(settings, folder, quietLog());
        return stored.views;
      },
    });
  } finally {
    await undo.run(quietLog());
  }
}

/** Index of the embedded log by time. */
function indexIn(folder: string, undo: Undo): NonNullable<SpannedLog['index']> {
  const index = historyIndexIn(join(folder, HISTORY_INDEX));
  undo.add('history index', () => index.close());
  return { index };
}

/** Reads of the embedded engine. */
async function readIn(
  settings: DataSettings,
  folder: string,
  undo: Undo,
): Promise<Required<Pick<AnalysisSource, 'texts' | 'chunks'>>> {
  const access = accessOf(settings, folder);
  const { ring, close } = await openRing(access);
  undo.add('vault', close);
  const texts = embeddedTexts(folder, ring);
  undo.add('texts', () => texts.close());
  return { texts, chunks: (range, requested) => threadedChunks({ folder, access, texts }, range, requested) };
}

const MOST_STORES = 10_000;

/** Refuses `unknown_store`. */
export async function checkStore({ log, views }: AnalysisSource, store: string | undefined): Promise<void> {
  if (store === undefined || (await log.readStream(`store-${store}`, { limit: 1 })).length > 0) return;
  const rows = (await views())?.find('stores', { limit: MOST_STORES }).catch(() => []);
  const known = (await rows)?.map(({ id }) => id) ?? [];
  const hint = suggestionSentence(store, known, "Run 'suuq admin stores list' to list them.");
  refuse('unknown_store', `There is no store ${store}. ${hint}`);
}
