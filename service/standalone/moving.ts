/** `suuq move`: a whole embedded history into an EventStoreDB, with what is owed by it. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { idempotencyKeys } from '../../api/idempotency.js';
import { usedTokens } from '../../application/access/usedTokens.js';
import { forgettings } from '../../application/privacy/forgetting.js';
import { proofKeys } from '../../application/proofs/signingKeys.js';
import { proofHeads } from '../../application/proofs/treeHeads.js';
import { webhookCollections } from '../../application/webhooks/deliveryLog.js';
import { refuse } from '../../domain/decider.js';
import { pagesOf } from '../../engine/collections.js';
import { type MoveProgress, moveHistory } from '../../engine/moving/moveHistory.js';
import type { CollectionDefinition, DocumentStore, Scalar } from '../../engine/ports/documents.js';
import {
  BEFORE_ALL,
  type EventStore,
  type LogPlace,
  markOf,
  type Position,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { checkpointName, tasksDefinition } from '../../engine/processors/taskDocuments.js';
import { judgeWork, noteOrigin, type Origin, readOrigin } from '../../engine/processors/workOrigin.js';
import { type StoredWork, wholeOf, workIn } from '../../engine/processors/workPlaces.js';
import { MESSAGE_BYTES } from '../../infrastructure/eventstoredb/appendLimit.js';
import { tellOfOpenness } from '../../infrastructure/files/privateFolder.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type DataFolder, takeDataFolder } from '../composition/dataFolder.js';
import { checkLog } from '../composition/engineChecks.js';
import { homeOf, openEventStoreDb, openMongo } from '../composition/engines.js';
import { carryVault, vaultPlace } from '../composition/vaults.js';
import { requireFit } from '../composition/workChecks.js';
import { Undo } from '../ending.js';
import { hostsOf } from '../settings/engineSettings.js';
import type { MoveSettings } from '../settings/moveSettings.js';

export interface MoveResult {
  /** Events that both hold now. */
  readonly events: number;
  /** SHA-256 over all of them, in order. */
  readonly digest: string;
  /** Owed tasks, attempts of deliveries and keys of requests that were carried over. */
  readonly documents: number;
  /** Where they are now, without credentials. */
  readonly to: string;
  readonly documentsTo: string;
  /** The key that sealed the secrets in it, where it lies in the data folder. */
  readonly masterKeyFile?: string;
}

const TELL_MS = 1000;
const IDLE_MS = 10_000;
/** How long a target may be away in the middle of a move, in ms: what is under way waits for it, in its order. */
const AWAY_MS = 180_000;
/** The tree itself is made anew of the log there, whose events and order are the same. */
const CARRIED = [...webhookCollections, idempotencyKeys, usedTokens, proofKeys, proofHeads, forgettings];

/** A line when a phase begins or ends, at most one a second between, and one every ten seconds in which nothing goes on. */
function teller(tell: (line: string) => void, target: string): { progress(now: MoveProgress): void; stop(): void } {
  let phase = '';
  let toldAt = Number.NEGATIVE_INFINITY;
  const idle = setInterval(() => tell(`waiting for ${target}`), IDLE_MS);
  return {
    progress(now) {
      idle.refresh();
      const at = performance.now();
      if (now.phase === phase && at - toldAt < TELL_MS && now.share < 1) return;
      phase = now.phase;
      toldAt = at;
      tell(`${phase}: ${now.events.toLocaleString('en')} events, ${Math.floor(now.share * 100)} %`);
    },
    stop: () => clearInterval(idle),
  };
}

/**
 * Works only while no service has the data folder; changes nothing in it. Can be stopped at any instant and called again.
 * Rejects with FolderInUse, MoveError, StoreUnavailable, or the signal's reason.
 */
export async function move(
  settings: MoveSettings,
  log: Log,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<MoveResult> {
  const undo = new Undo();
  try {
    if (!existsSync(join(settings.data, 'events.db')))
      refuse(
        'nothing_to_move',
        `There is no events.db in ${resolve(settings.data)}. Set SUUQ_DATA to the folder of the history.`,
      );
    const folder = takeDataFolder(settings.data);
    undo.guard('data folder', () => folder.release());
    tellOfOpenness(folder, log);
    const source = await openEmbeddedEventStore(folder.path);
    undo.add('log', () => source.close());
    const target = await openEventStoreDb(settings.to, settings.maxAppendSize, log, AWAY_MS);
    undo.add('target', () => target.close());
    const mostBytes = Math.min(target.limit.bytes, MESSAGE_BYTES);
    const before = await sourceWork(source, folder, undo);
    const told = teller(tell, `EventStoreDB at ${hostsOf(settings.to)}`);
    undo.add('progress', () => told.stop());
    const moved = await moveHistory({ source, target, mostBytes, progress: told.progress, signal });
    told.stop();
    const { documents, documentsTo } = await carried(settings, folder, { source, target, before }, log, undo);
    const masterKeyFile = folder.file('master.key');
    return {
      ...moved,
      documents,
      to: `EventStoreDB at ${hostsOf(settings.to)}`,
      documentsTo,
      ...(existsSync(masterKeyFile) ? { masterKeyFile } : {}),
    };
  } finally {
    await undo.run(log);
  }
}

async function carried(
  settings: MoveSettings,
  folder: DataFolder,
  { source, target, before }: { readonly source: EventStore; readonly target: EventStore; readonly before: SourceWork },
  log: Log,
  undo: Undo,
): Promise<Pick<MoveResult, 'documents' | 'documentsTo'>> {
  const { work, name } = await targetWork(settings, folder, log);
  undo.add('work', () => work.close());
  await checkLog({ store: target, name: `EventStoreDB at ${hostsOf(settings.to)}` }, { work, name });
  await carryVault(
    folder.path,
    vaultPlace({ eventStoreUrl: settings.to, mongoUrl: settings.mongoUrl }, folder.path),
    work,
  );
  if (before === undefined) return { documents: 0, documentsTo: name };
  const to = { log: target, work };
  const { documents } = await carryWork({ log: source, work: before.work }, to, CARRIED, before.origin);
  return { documents, documentsTo: name };
}

/** Undefined: there was neither a log nor work. */
type SourceWork = { readonly work: DocumentStore; readonly origin: Origin | undefined } | undefined;

/** What is owed goes along, so it must be there, and of this log. Rejects with WorkRefused before anything is copied. */
async function sourceWork(source: EventStore, folder: DataFolder, undo: Undo): Promise<SourceWork> {
  const file = folder.file('work.db');
  const names = [{ name: 'events.db' }, { name: 'work.db' }] as const;
  if (!existsSync(file)) {
    if ((await source.head()) === BEFORE_ALL) return undefined;
    requireFit({ fits: false, code: 'work_is_missing', unfinished: false }, ...names);
  }
  const work = openEmbeddedReadModels(file, { readonly: true, name: 'work.db' });
  undo.add('work', () => work.close());
  const state = await judgeWork(source, work);
  requireFit(state, ...names);
  return { work, origin: state.fits ? state.origin : undefined };
}

async function targetWork(
  { mongoUrl, to }: MoveSettings,
  folder: DataFolder,
  log: Log,
): Promise<{ work: DocumentStore; name: string }> {
  if (mongoUrl !== undefined)
    return { work: await openMongo(mongoUrl, 'work', log), name: `MongoDB at ${hostsOf(mongoUrl)}` };
  const file = join(homeOf({ eventStoreUrl: to }, folder), 'work.db');
  return { work: openEmbeddedReadModels(file, { name: 'work.db' }), name: file };
}

/** A log, and the working documents of processors and requests that belong to it. */
interface Workplace {
  readonly log: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly work: DocumentStore;
}

/** Events that are looked through at once for the one at a place. */
const LOOK = 500;

/**
 * Carries over what is owed and how far processors have read, when a history was moved: the same events stand at other
 * positions there, and no effect may be lost or done again. `others`: further collections. It can be called again; a
 * processor that has begun in the target is left alone. Answers how many documents it has carried.
 */
async function carryWork(
  from: Workplace,
  to: Workplace,
  others: readonly CollectionDefinition[],
  origin: Origin | undefined,
): Promise<{ documents: number }> {
  const names = await from.work.list();
  const known = await readOrigin(to.work);
  if (known === undefined) await noteOrigin(to.work, { kind: 'unfinished' });
  let documents = 0;
  for (const definition of others)
    if (names.includes(definition.name)) documents += await carry(from.work, to.work, definition);
  for (const stored of workIn(names)) documents += await carryProcessor(from, to, stored);
  // Until it stands no service begins there.
  if (known === undefined || known.kind === 'unfinished') await noteOrigin(to.work, await originIn(from, to, origin));
  return { documents };
}

/** How far a processor, or each of its shards, has read. */
const positionsOf = async (work: DocumentStore, { places }: Pick<StoredWork, 'places'>): Promise<Position[]> => [
  ...(await work.checkpoints(places.map(({ checkpoint }) => checkpoint))).values(),
];

/** Arrives as a whole, which is parted again where instances share it. */
async function carryProcessor(from: Workplace, to: Workplace, stored: StoredWork): Promise<number> {
  const { processor } = stored;
  const name = checkpointName(processor);
  const positions = await positionsOf(from.work, stored);
  const there = [
    ...workIn(await to.work.list()).filter((one) => one.processor === processor),
    { places: [wholeOf(processor)] },
  ];
  const begun = (await Promise.all(there.map((one) => positionsOf(to.work, one)))).flat();
  if (Math.max(...positions) === BEFORE_ALL || Math.max(...begun) !== BEFORE_ALL) return 0;
  const documents = await carry(from.work, to.work, tasksDefinition(processor), stored.collection);
  const second = `${name}_begun`;
  if ((await from.work.checkpoint(second)) !== BEFORE_ALL) await to.work.write({}, { name: second, position: 0 });
  // Last: until it stands, nothing is taken for carried.
  const place = Math.min(...positions);
  if (place !== BEFORE_ALL) await to.work.write({}, { name, ...(await placeIn(from.log, to.log, place)) });
  return documents;
}

async function originIn(from: Workplace, to: Workplace, origin: Origin | undefined): Promise<Origin> {
  if (origin?.kind !== 'settled') return { kind: 'carried' };
  return { kind: 'settled', place: await placeIn(from.log, to.log, origin.place.position) };
}

async function carry(
  from: DocumentStore,
  to: DocumentStore,
  definition: CollectionDefinition,
  source = definition.name,
): Promise<number> {
  const { name } = definition;
  await to.open(definition);
  let count = 0;
  for await (const page of pagesOf(from, source)) {
    const put = page.map(({ id, keys, revision, body }) => ({ id, keys: declared(definition, keys), revision, body }));
    await to.write({ [name]: { put } });
    count += put.length;
  }
  return count;
}

const declared = ({ keys: names }: CollectionDefinition, keys: Readonly<Record<string, Scalar>>) =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => name in names));

/** Where the last event at or before `place` stands in the other log. */
async function placeIn(from: Workplace['log'], to: Workplace['log'], place: Position): Promise<LogPlace> {
  const last = await lastUpTo(from, place);
  if (last === undefined) return { position: BEFORE_ALL };
  const [moved] = await to.readStream(last.stream, { from: last.revision, limit: 1 });
  if (moved?.id !== last.id) throw new Error(`event ${last.revision} of ${last.stream} does not stand in the target`);
  return { position: moved.position, mark: markOf(moved) };
}

async function lastUpTo(log: Workplace['log'], place: Position): Promise<RecordedEvent | undefined> {
  for (let before = place; before !== BEFORE_ALL; ) {
    const start = Math.max(BEFORE_ALL, before - LOOK);
    const { events } = await log.readAll(start, { limit: LOOK });
    const found = events.filter(({ position }) => position <= place).at(-1);
    if (found !== undefined) return found;
    before = start;
  }
  return undefined;
}
