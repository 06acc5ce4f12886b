/** The stored history, opened for reading next to the service that writes it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { type EventReads, upcastingReads } from '../../engine/upcasting.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { projections } from '../../projections/index.js';
import { evolvedEvents } from '../../service/composition/events.js';
import { visitDataFolder } from '../../service/folder/dataFolder.js';
import { quietLog } from '../../service/log.js';
import type { Env } from '../../service/settings/environment.js';
import { type DataSettings, readDataSettings } from '../../service/settings/settings.js';
import { draftFolder } from '../backup/backupLocations.js';
import type { Run } from '../backup/progress.js';
import { openStored, openStoredLog } from '../verify/storedData.js';
import { writerOf } from '../verify/verify.js';
import { type DiffResult, diffProjection } from './diffProjection.js';

/** Refuses `no_installation`. */
export function placeOf(env: Env): { readonly settings: DataSettings; readonly folder: string } {
  const settings = readDataSettings(env);
  if (settings.eventStoreUrl === undefined && !existsSync(join(settings.data, 'events.db')))
    refuse('no_installation', `There is no installation in ${settings.data}. Run 'suuq start' to create one.`);
  return { settings, folder: visitDataFolder(settings.data).path };
}

/** Runs `work` on the log, with events in their newest version. */
export async function overLog<R>(env: Env, work: (log: EventReads) => Promise<R>): Promise<R> {
  const { settings, folder } = placeOf(env);
  const stored = await openStoredLog(settings, folder, quietLog());
  try {
    return await work(upcastingReads(stored.log, evolvedEvents));
  } finally {
    await stored.close();
  }
}

/** Compares a read model of the service with what this release's code makes. Needs room for a copy of it in the data folder. */
export async function diffStored(env: Env, name: string, run: Run): Promise<DiffResult> {
  const { settings, folder } = placeOf(env);
  const stored = await openStored(settings, folder, quietLog());
  try {
    const { views } = stored;
    if (views === undefined) refuse('not_built', 'No read model has been built yet, so there is nothing to compare.');
    const livePositions = await writerOf(settings, folder, stored);
    const log = upcastingReads(stored.log, evolvedEvents);
    return await inScratch(folder, (scratch) =>
      diffProjection({ log, views, scratch, projections, ...defined({ livePositions }) }, name, run),
    );
  } finally {
    await stored.close();
  }
}

/** With an empty store, which is removed afterwards. */
async function inScratch<R>(folder: string, work: (scratch: DocumentStore) => Promise<R>): Promise<R> {
  const draft = draftFolder(folder);
  const scratch = openEmbeddedReadModels(join(draft.path, 'views.db'));
  try {
    return await work(scratch);
  } finally {
    await scratch.close();
    draft.remove();
  }
}
