/** Current availability of the engines. */
import { type ReadinessCheck, readiness } from '../../api/server/health.js';
import type { FileStore } from '../../application/ports/fileStore.js';
import { messageOf } from '../../engine/messageOf.js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { isDamage } from '../../infrastructure/sqlite/database.js';
import type { DocumentEngine, EventEngine } from './engines.js';

/** The engines that an instance has opened. */
export interface Engines {
  readonly engines: { readonly events: EventEngine; readonly documents: DocumentEngine };
  readonly fileStore: FileStore;
}

/** Why an engine cannot be used now, without a password; undefined when it can. */
async function trouble(name: string, probe: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await probe();
    return undefined;
  } catch (error) {
    // These messages contain no password, and describe the remedy.
    if (error instanceof StoreRefused)
      return error.message.startsWith(name) ? error.message : `${name}: ${error.message}`;
    if (isDamage(error) || isDamage((error as Error).cause)) return `${name} is damaged: ${messageOf(error)}`;
    return error instanceof StoreUnavailable ? `${name} is unavailable` : `${name} is unavailable`;
  }
}

export const engineChecks = ({
  engines: { events, documents },
}: Pick<Engines, 'engines'>): readonly ReadinessCheck[] => [
  { name: 'event store', check: () => trouble(events.name, () => events.store.head()) },
  { name: 'read models', check: () => trouble(documents.name, () => documents.work.checkpoint('readiness')) },
];

/** Not a condition of readiness: without files, everything else goes on. */
const fileCheck = ({ fileStore }: Engines): ReadinessCheck => ({ name: 'file store', check: () => fileStore.check() });

/** Engines that answer now, with the time limit of readiness. */
export const engineStates = async (opened: Engines) =>
  (await readiness('ready', [...engineChecks(opened), fileCheck(opened)])).checks;
