/** Questions and exports of an installation that the environment names. */
import { checkRange } from '../../application/history/ranges.js';
import { storedEvents } from '../../service/composition/events.js';
import { checkTypes } from '../../service/eventTypes.js';
import type { Env } from '../../service/settings/environment.js';
import type { Run } from '../backup/progress.js';
import type { TakeRows } from './answer.js';
import { type ExportRequest, type ExportResult, exportEvents } from './exportEvents.js';
import { openExported } from './exportedFiles.js';
import { type QueryDone, type QueryRequest, query } from './query.js';
import { checkStore, overSource } from './source.js';

/** `from`: the folder of an export; the installation is then not opened. */
export async function queryInstallation(
  env: Env,
  requested: QueryRequest,
  from: string | undefined,
  take: TakeRows,
  run: Run,
): Promise<QueryDone> {
  if (from !== undefined) return query({ exported: openExported(from) }, requested, take, run);
  return overSource(env, (source) => query(source, requested, take, run));
}

/** Refuses `range_reversed`, `unknown_event_type`, `unknown_store`, and what `exportEvents` refuses. */
export async function exportInstallation(env: Env, requested: ExportRequest, run: Run): Promise<ExportResult> {
  const { types, store, from, to } = requested.choice;
  const ms = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));
  checkRange(ms(from), ms(to));
  checkTypes(types, Object.keys(storedEvents));
  return overSource(env, async (source) => {
    await checkStore(source, store);
    return exportEvents(source, requested, run);
  });
}
