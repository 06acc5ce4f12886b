/** The projections of this process: their thread, and on shared engines their part among all instances. */

import type { ViewProgress } from '../../../api/contract/services.js';
import { defined } from '../../../domain/defined.js';
import { leasesDefinition, readAll } from '../../../engine/ownership/leaseDocuments.js';
import { steadyClock, systemClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { Log } from '../../../engine/ports/log.js';
import { type Acknowledged, createAcknowledged } from '../../../engine/projections/acknowledged.js';
import { hideStrangers } from '../../../engine/projections/hideStrangers.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { openProjectionBoard, reportedNow } from '../../../engine/projections/projectionBoard.js';
import type { ProjectionHost } from '../../../engine/projections/runtime.js';
import { shardKey, shardLease } from '../../../engine/projections/sharded/names.js';
import { createSharedProgress } from '../../../engine/projections/sharedProgress.js';
import { statusElsewhere } from '../../../engine/projections/status.js';
import { ViewChanges } from '../../../engine/projections/viewChanges.js';
import { SHARDS, shardOf } from '../../../engine/shards.js';
import { projections } from '../../../projections/index.js';
import { type DocumentEngine, type EventEngine, isShared, viewsPlace } from '../../engines/engines.js';
import type { DataFolder } from '../../folder/dataFolder.js';
import type { Settings } from '../../settings/settings.js';
import type { VaultAccess } from '../privacy/vaults.js';
import type { ViewsBuilding } from '../viewsBuilding.js';
import { type ProjectionsThreadOptions, prepareProjectionsThread, startProjectionsThread } from './projectionsHost.js';
import type { EventSource } from './projectionsThread.js';

export interface ProjectionsBase {
  readonly settings: Settings;
  readonly folder: DataFolder;
  readonly name: string;
  readonly log: Log;
  readonly unattended: boolean;
  readonly events: EventEngine;
  /** Location on a server; the thread creates embedded ones. */
  readonly documents?: DocumentEngine;
  readonly vault: VaultAccess;
  /** Does a step again while an engine is away. */
  patient<T>(step: () => Promise<T>): Promise<T>;
}

/** Longest wait for views that are behind at the start, in ms. */
const CURRENT_MS = 10_000;

type Threaded = Pick<ProjectionsBase, 'settings' | 'folder' | 'log' | 'unattended' | 'vault'>;

const threadOf = ({ settings, folder, log, unattended, vault }: Threaded, events: () => EventSource) => ({
  events,
  views: viewsPlace(settings, folder),
  vault,
  log,
  unattended,
  filling: defined({ threads: settings.threads }),
});

/** Projections of embedded engines, whose thread loads while the log is opened. */
export interface PreparedProjections {
  /** As startProjections. */
  begin(events: EventEngine): Promise<ProjectionHost>;
  /** Stops threads that have not started. */
  stop(): Promise<void>;
}

export function prepareProjections(base: Threaded): PreparedProjections {
  let opened: EventEngine | undefined;
  const events = (): EventSource => sourceOf({ ...base, events: opened! });
  const thread = prepareProjectionsThread({ ...threadOf(base, events), changes: viewChanges() });
  return {
    begin(engine) {
      opened = engine;
      return thread.begin();
    },
    stop: () => thread.stop(),
  };
}

/** Resolves when the projections follow the log; on shared engines when they take part in sharing it out. */
export async function startProjections(base: ProjectionsBase): Promise<ProjectionHost> {
  const { settings, log, unattended, documents, patient } = base;
  const thread = threadOf(base, () => sourceOf(base));
  if (documents === undefined || !isShared(settings))
    return patient(() => startProjectionsThread({ ...thread, changes: viewChanges() }));
  await patient(() => hideStrangers(documents.views, base.events.store, projections, SHARDS));
  const allElsewhere = () => patient(() => allRunElsewhere(documents));
  const watching = unattended && (await allElsewhere());
  const runs = settings.roles.includes('projections') && !watching;
  const host = await startShared(base, documents, runs ? thread : undefined);
  return orStopped(host, async () => {
    if (await patient(() => isCurrent(base, documents, host))) return host;
    if (watching && !(await allElsewhere())) {
      // Who ran them had just been killed.
      await host.stop();
      return startShared(base, documents, thread);
    }
    log.warn({}, 'read models lag behind the log at start, responses may be stale');
    return host;
  });
}

/** Runs the step after a part's start; stops the part if the step fails, since no other code knows it yet. */
async function orStopped<T>(part: { stop(): Promise<void> } | undefined, then: () => Promise<T>): Promise<T> {
  try {
    return await then();
  } catch (error) {
    await part?.stop();
    throw error;
  }
}

/** A command leaves projections to those who run them, rather than to take a share for a second. */
async function allRunElsewhere({ work }: DocumentEngine): Promise<boolean> {
  const reported = await reportedNow(work, systemClock);
  return projections.every(({ name }) => reported.has(name));
}

function sourceOf({ settings, folder, events }: Pick<ProjectionsBase, 'settings' | 'folder' | 'events'>): EventSource {
  const { eventStoreUrl: url, maxAppendSize } = settings;
  if (url !== undefined) return { url, ...defined({ maxAppendSize }) };
  return { folder: folder.path, notices: events.embedded!.connectReader() };
}

async function startShared(
  { name, events, log, patient }: ProjectionsBase,
  { views, work }: DocumentEngine,
  thread: ProjectionsThreadOptions | undefined,
): Promise<ProjectionHost> {
  const progress = createSharedProgress({ views, clock: steadyClock, sharded: shardedBy(SHARDS) });
  const shared = { instance: name, progress };
  const own = thread && (await patient(() => startProjectionsThread({ ...thread, shared })));
  if (own === undefined) await patient(() => work.open(leasesDefinition));
  const seen = async () => {
    const owners = await ownersOf(work);
    const sharing = namesOf(owners);
    const ownerOf = ({ name, partitionedBy }: AnyProjection) =>
      partitionedBy === undefined ? owners.get(`projection:${name}`) : sharing;
    return statusElsewhere(views, projections, await events.store.head(), ownerOf, SHARDS);
  };
  const board = { work, clock: systemClock, instance: name, progress, log, seen, ...defined({ own }) };
  return orStopped(own, () => patient(() => openProjectionBoard(board)));
}

/** Those that own shards of read models. */
function namesOf(owners: ReadonlyMap<string, string>): string | undefined {
  const all = Array.from({ length: SHARDS }, (_, shard) => owners.get(shardLease(shard)));
  const names = [...new Set(all.filter((owner) => owner !== undefined))].sort();
  return names.length === 0 ? undefined : names.join(', ');
}

/** Instances by the leases that they own now. */
async function ownersOf(work: DocumentStore): Promise<Map<string, string>> {
  const { sessions, leases } = await readAll(work);
  const instances = new Map(sessions.filter(({ body }) => !body.ended).map(({ id, body }) => [id, body.instance]));
  const owned = [...leases].map(([lease, { body }]) => [lease, instances.get(body.owner)] as const);
  return new Map(owned.filter((one): one is readonly [string, string] => one[1] !== undefined));
}

/** True if queries show the log as of the start: the views are updated, or this process has started to do so. */
async function isCurrent(
  { events }: ProjectionsBase,
  { work }: DocumentEngine,
  host: ProjectionHost,
): Promise<boolean> {
  const reported = await reportedNow(work, systemClock);
  const moving = projections.map(({ name }) => name).filter((name) => reported.get(name)?.state !== 'stopped');
  return host.waitFor(moving, await events.store.head(), CURRENT_MS);
}

/** Names of the projections that read a category. */
function readersOf(category: string): readonly string[] {
  return projections.filter((one: AnyProjection) => one.categories.includes(category)).map(({ name }) => name);
}

const byName = new Map(projections.map(({ name, categories }) => [name, categories]));
const categoriesOf = (projection: string): readonly string[] => byName.get(projection) ?? [];

/** Receiver of all changes to the projections, if one process runs them all. */
export const viewChanges = (): ViewChanges => new ViewChanges(categoriesOf);

/** Longest wait of a read, or of a command whose views are far behind, in ms. */
const SHOWN_MS = 5000;

/** Changes that reads wait for; undefined if other instances accept commands too. */
export function acknowledgedOf(
  host: Pick<ProjectionHost, 'waitFor' | 'passed'>,
  building: Pick<ViewsBuilding, 'now'>,
): Acknowledged | undefined {
  const { passed } = host;
  if (passed === undefined) return undefined;
  const readers = new Map<string, readonly string[]>();
  return createAcknowledged({
    readersOf(category) {
      const known = readers.get(category) ?? readersOf(category);
      readers.set(category, known);
      return known;
    },
    categoriesOf,
    passed,
    waitFor: (names, position, timeoutMs) => host.waitFor(names, position, timeoutMs),
    isBuilding: (projection) => building.now()?.names.includes(projection) === true,
    withinMs: SHOWN_MS,
  });
}

const partitioned = new Set(projections.filter((one) => one.partitionedBy !== undefined).map(({ name }) => name));

/** Sharded read models, if several instances share them. */
export const shardedBy = (shards: number) => ({ shards, has: (name: string) => partitioned.has(name) });

/** Waits for projections by the categories of the appended events. `shards`: number of shards of the projections that can be sharded. */
export function viewProgress(host: Pick<ProjectionHost, 'waitFor'>, shards?: number): ViewProgress {
  const known = new Map<string, readonly string[]>();
  const ofStore = (names: readonly string[], store: string, count: number): readonly string[] =>
    names.map((name) => (partitioned.has(name) ? shardKey(name, shardOf(store, count)) : name));
  return {
    waitFor(categories, position, timeoutMs, store) {
      const key = categories.join(' ');
      let names = known.get(key);
      if (names === undefined) {
        names = [...new Set(categories.flatMap(readersOf))];
        known.set(key, names);
      }
      if (names.length === 0) return Promise.resolve(true);
      const keys = store === undefined || shards === undefined ? names : ofStore(names, store, shards);
      return host.waitFor(keys, position, timeoutMs);
    },
  };
}
