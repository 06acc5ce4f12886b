/** `suuq verify`: checks all stored data and lists faults. It changes nothing, and may run next to the service. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { messageOf } from '../../engine/messageOf.js';
import { BEFORE_ALL, LogDamaged, type Position } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { wholePlaces } from '../../engine/projections/sharded/places.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import type { ReportLost } from '../../engine/sealing/sealingStore.js';
import { placeText } from '../../engine/sealing/vaultErrors.js';
import { SHARDS } from '../../engine/shards.js';
import { upcastingReads } from '../../engine/upcasting.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { HEAD_MARK, readHeadMark } from '../../infrastructure/sqlite/eventStore/headMark.js';
import { headOf } from '../../infrastructure/sqlite/eventStore/logFile.js';
import { gapsIn, RowCheck, structureFaults } from '../../infrastructure/sqlite/eventStore/rowCheck.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { projections } from '../../projections/index.js';
import { callService, NoService } from '../../service/admin/adminClient.js';
import { evolvedEvents } from '../../service/composition/events.js';
import { damagedIn } from '../../service/folder/damageCheck.js';
import { visitDataFolder } from '../../service/folder/dataFolder.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import { draftFolder } from '../backup/backupLocations.js';
import type { Run } from '../backup/progress.js';
import { checkCheckpoints, checkSnapshots } from './checkpointChecks.js';
import { checkEvents } from './events.js';
import { type Fault, Faults } from './faults.js';
import { openStored, type Stored, type StoredSettings } from './storedData.js';
import { checkViews, type ViewsChecked } from './views.js';

const LOST =
  "the vault lacks its key, although nobody was erased: restore the vault of this log, or run 'suuq admin lost-keys list'";

export interface VerifySettings extends StoredSettings {
  readonly data: string;
}

export interface VerifyResult {
  readonly whole: boolean;
  /** Position of the newest event that was looked at. */
  readonly head: Position;
  readonly events: number;
  readonly checkpoints: number;
  readonly snapshots: number;
  /** Absent where the log could not be read from end to end: nothing can be folded from it. */
  readonly projections?: ViewsChecked;
  /** At most 100 of them. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

/**
 * Reads the log from end to end (on the embedded engine also the file's structure and the checksum of each event), validates each event
 * against its schema, folds all read models and compares every document with the served one, and compares checkpoints and snapshots with
 * the log. Needs space for a second copy of the read models in the data folder. Refuses `nothing_to_verify`; rejects with StoreUnavailable,
 * or the signal's reason.
 */
export async function verify(settings: VerifySettings, log: Log, run: Run): Promise<VerifyResult> {
  const file = settings.eventStoreUrl === undefined ? join(resolve(settings.data), 'events.db') : undefined;
  if (file !== undefined && !existsSync(file))
    refuse('nothing_to_verify', `There is no ${file}. Set SUUQ_DATA to the data folder.`);
  const folder = visitDataFolder(settings.data);
  const faults = new Faults();
  const result = { head: BEFORE_ALL, events: 0, checkpoints: 0, snapshots: 0 };
  const done = (more: Partial<VerifyResult> = {}): VerifyResult => ({
    whole: faults.count === 0,
    ...result,
    ...more,
    faults: faults.list,
    faultCount: faults.count,
  });
  if (file !== undefined && !(await checkFile(file, folder.path, faults, run))) return done();
  const damaged = damagedIn(folder.path);
  for (const { file: name, code, sentence } of damaged) faults.add('files', name, `${code}: ${sentence}`);
  // Without these nothing that is stored can be compared.
  if (damaged.some(({ file: name }) => NEEDED.includes(name))) return done();
  const stored = await openStored(settings, folder.path, log, lostKeys(faults));
  try {
    const head = await stored.log.head();
    const events = await checkEvents(stored.log, head, faults, run, file === undefined);
    const checkpoints = await checkCheckpoints(stored.log, stored, projections, faults);
    const snapshots = await checkSnapshots(stored.log, stored.home, faults);
    const livePositions = await writerOf(settings, folder.path, stored);
    const views = await freshFold(stored, { folder: folder.path, head, livePositions }, faults, run);
    return done({ head, events, checkpoints, snapshots, ...defined({ projections: views }) });
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    faults.add('log', 'events.db', error.message);
    return done();
  } finally {
    await stored.close();
  }
}

const NEEDED = ['work.db', 'views.db', 'vault.db'];

/** Names each event once whose key the vault lacks; the rest of the log is checked with the event read as erased. */
function lostKeys(faults: Faults): ReportLost {
  const named = new Set<string>();
  return (events) => {
    for (const event of events) {
      if (named.has(event.id)) continue;
      named.add(event.id);
      faults.add('keys', placeText(event), LOST);
    }
  };
}

/** The embedded log as a file. False: it cannot be read, so there is nothing else to be looked at. */
async function checkFile(file: string, folder: string, faults: Faults, { report, signal }: Run): Promise<boolean> {
  report({ phase: 'structure' });
  const before = faults.count;
  try {
    const db = openDatabase(file, { readonly: true });
    try {
      for (const { what } of structureFaults(db, faults.room)) faults.add('log', 'events.db', what);
      // Before the head: a service that is running moves both, and a mark read later may be beyond a head read earlier.
      const mark = readHeadMark(folder);
      const head = headOf(db);
      if (mark !== undefined && mark.position > head)
        faults.add(
          'log',
          `position ${mark.position}`,
          `it was acknowledged (${HEAD_MARK}), but the log ends at ${head}`,
        );
      const rows = new RowCheck(db);
      for (let after = BEFORE_ALL; after < head; ) {
        signal.throwIfAborted();
        const page = rows.next(after, head);
        for (const { position, what } of page.faults) faults.add('log', `position ${position}`, what);
        after = page.through;
        report({ phase: 'checksums', share: (after + 1) / (head + 1) });
        await turn();
      }
      for (const { what } of gapsIn(db, faults.room)) faults.add('log', 'events.db', what);
    } finally {
      db.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    faults.add('log', 'events.db', messageOf(error));
  }
  return faults.count === before;
}

/** Writer of the views: the service of the folder, or the instances that share them. Undefined: none. */
export async function writerOf(
  { mongoUrl }: Pick<StoredSettings, 'mongoUrl'>,
  folder: string,
  { views }: Stored,
): Promise<(() => Promise<ReadonlyMap<string, Position>>) | undefined> {
  const request = async (): Promise<ReadonlyMap<string, Position>> => {
    const socket = readServiceCard(folder)?.socket;
    if (socket === undefined) throw new NoService('no service uses the folder');
    const text = (await callService(socket, 'projections.status', {})) as { projections: readonly ProjectionStatus[] };
    return new Map(text.projections.map(({ name, served, position }) => [name, served ?? position]));
  };
  const written = async (): Promise<ReadonlyMap<string, Position>> => {
    const physical = await Promise.all(projections.map(({ name }) => views!.resolve(name)));
    const places = await wholePlaces(views!, physical, SHARDS);
    return new Map(projections.map(({ name }, i) => [name, places.get(physical[i]!)!.position]));
  };
  if (mongoUrl !== undefined) return written;
  const none = (error: unknown): undefined => {
    if (!(error instanceof NoService)) throw error;
  };
  // One that ends meanwhile leaves its checkpoints.
  return (await request().catch(none)) && (() => request().catch((error) => none(error) ?? written()));
}

interface Live {
  readonly folder: string;
  readonly head: Position;
  /** Returns the positions of the read models if a service is writing them. */
  readonly livePositions: (() => Promise<ReadonlyMap<string, Position>>) | undefined;
}

async function freshFold(
  { log, views }: Stored,
  { folder, head, livePositions }: Live,
  faults: Faults,
  run: Run,
): Promise<ViewsChecked | undefined> {
  if (views === undefined) return undefined;
  const draft = draftFolder(folder);
  const scratch = openEmbeddedReadModels(join(draft.path, 'views.db'));
  try {
    const parts = {
      log: upcastingReads(log, evolvedEvents),
      views,
      scratch,
      projections,
      ...defined({ livePositions }),
    };
    return await checkViews(parts, head, faults, run);
  } finally {
    await scratch.close();
    draft.remove();
  }
}
