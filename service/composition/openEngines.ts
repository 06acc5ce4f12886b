/** The log, the work, the projections and the views, as the settings choose their engines. */
import { defined } from '../../domain/defined.js';
import type { Log } from '../../engine/ports/log.js';
import type { PersonVault } from '../../engine/ports/personVault.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { COMMAND_WAITS, checkLog, type EngineWait, patiently, SERVICE_WAITS } from '../engines/engineChecks.js';
import {
  type DocumentEngine,
  type EventEngine,
  homeOf,
  logName,
  openEmbeddedDocuments,
  openEmbeddedWork,
  openEventEngine,
  openSharedDocuments,
} from '../engines/engines.js';
import { checkFit } from '../engines/workChecks.js';
import { removeDamagedViews } from '../folder/damageCheck.js';
import type { DataFolder } from '../folder/dataFolder.js';
import type { Settings } from '../settings/settings.js';
import type { Undo } from '../shutdown.js';
import { openVault, requireVault, type VaultAccess } from './privacy/vaults.js';
import { prepareProjections, startProjections } from './threads/projectionsStart.js';

export interface Engines {
  readonly events: EventEngine;
  readonly documents: DocumentEngine;
  readonly projections: ProjectionHost;
  readonly vault: PersonVault;
  /** Does a step of the start again while a server is away, each for as long as the first ones are waited for. */
  patient<T>(step: () => Promise<T>): Promise<T>;
}

/** True if one of the engines is a server. */
const isServed = ({ eventStoreUrl, mongoUrl }: Settings): boolean =>
  eventStoreUrl !== undefined || mongoUrl !== undefined;

/** In the order in which they need each other: the projections' thread makes the embedded views. */
export async function openEngines(
  base: { settings: Settings; folder: DataFolder; name: string; log: Log; unattended: boolean; vault: VaultAccess },
  undo: Undo,
): Promise<Engines> {
  const { settings, folder, log, unattended } = base;
  const wait: EngineWait = { withinMs: unattended ? COMMAND_WAITS : SERVICE_WAITS, log };
  if (settings.mongoUrl === undefined) removeDamagedViews(homeOf(settings, folder), log);
  const prepared = isServed(settings) ? undefined : prepareProjections(base);
  undo.add('projections thread', () => prepared?.stop());
  const events = await openEventEngine(settings, folder, wait, unattended);
  undo.add('log', () => events.store.close());
  if (events.narrow !== undefined && !unattended) log.warn({ engine: events.name }, events.narrow);
  const { mongoUrl } = settings;
  const shared = mongoUrl === undefined ? undefined : await openSharedDocuments(mongoUrl, wait);
  const { work, name } = shared ?? { work: openEmbeddedWork(settings, folder), name: 'work.db' };
  undo.add('work', () => shared?.close() ?? work.close());
  // Waiting does not help embedded files: a full disk is reported at once.
  const patient = <T>(step: () => Promise<T>): Promise<T> =>
    isServed(settings) ? patiently(`${events.name} and ${name}`, wait, step) : step();
  // Before anything is read or done: what was made from another log would be gone on with.
  if (isServed(settings)) await patient(() => checkLog(events, { work, name }));
  await patient(() => checkFit({ store: events.store, name: logName(events) }, { store: work, name }));
  if (events.embedded !== undefined) await requireVault(events.embedded, base.vault.place);
  const vault = await patient(() => openVault(base.vault.place, work));
  undo.add('vault', () => vault.close());
  const projections = prepared
    ? await prepared.begin(events)
    : await startProjections({ ...base, events, patient, ...defined({ documents: shared }) });
  undo.add('projections', () => projections.stop());
  if (shared !== undefined) return { events, projections, documents: shared, vault, patient };
  const documents = await openEmbeddedDocuments(settings, folder, work);
  undo.add('views', () => documents.close());
  return { events, documents, projections, vault, patient };
}
