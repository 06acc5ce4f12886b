/** Checks that every document of every read model equals a fresh fold of the log. */
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import { findBuilds } from '../../engine/projections/builds.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { wholePlaces } from '../../engine/projections/sharded/places.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { SHARDS } from '../../engine/shards.js';
import type { EventReads } from '../../engine/upcasting.js';
import type { Run } from '../backup/progress.js';
import { boundedLog } from './boundedLog.js';
import type { Faults } from './faults.js';
import { ViewComparison } from './viewComparison.js';

export interface ViewsChecked {
  /** Documents that were found equal. */
  readonly documents: number;
  /** Documents that changed while they were looked at, each time. */
  readonly moving: number;
  /** Documents that the views have not come to yet. */
  readonly behind: number;
  /** Read models that were not compared, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/** Inputs of the comparison with stored views. */
export interface ViewParts {
  readonly log: EventReads;
  readonly views: DocumentStore;
  /** Store of the fresh fold: empty at first. */
  readonly scratch: DocumentStore;
  readonly projections: readonly AnyProjection[];
  /**
   * Progress of the running views, by name, if a service updates them. Their checkpoints are written lazily while no document changes, so
   * they lag behind.
   */
  readonly livePositions?: () => Promise<ReadonlyMap<string, Position>>;
}

const LOOK_MS = 50;
/** Longest wait for running views to reach the log's head, in ms; views that lag then are not compared. */
const VIEWS_MS = 10_000;
/** Times that documents are compared again which changed meanwhile. */
const ROUNDS = 5;

/** Compares all of them, then repeats the comparison for documents that have changed meanwhile. */
export async function checkViews(parts: ViewParts, head: Position, faults: Faults, run: Run): Promise<ViewsChecked> {
  const { scratch, livePositions } = parts;
  const left: { name: string; why: string }[] = [];
  const compared = await served(parts, left);
  const log = boundedLog(parts.log, head);
  const runtime = createProjectionRuntime({
    eventStore: log,
    readModels: scratch,
    projections: compared,
    unattended: true,
  });
  const comparing = new ViewComparison(parts, faults);
  const places = livePositions === undefined ? await restingPlaces(parts.views, compared) : undefined;
  const placeOf = async (name: string, end: Position): Promise<Position> =>
    places?.get(name) ?? runningPlace(parts.livePositions!, name, end);
  try {
    await runtime.start();
    const stops = await folded(runtime, run, head);
    for (const { name, poison } of stops.values())
      faults.add(
        'projections',
        name,
        `it stops at position ${poison!.position} (${poison!.type} ${poison!.eventId}): ${poison!.error}`,
      );
    for (const [index, { name }] of compared.entries()) {
      const fresh = (stops.get(name)?.poison?.position ?? head + 1) - 1;
      await comparing.all(name, { fresh, is: await placeOf(name, head) }, run.signal);
      run.report({ phase: 'projections', share: (index + 1) / compared.length, done: name });
    }
    // A stopped view does not move: its newer documents are beyond the part that can be folded.
    for (const name of stops.keys()) comparing.moving.delete(name);
    for (let round = 0; round < ROUNDS && comparing.moving.size > 0 && livePositions !== undefined; round += 1) {
      const end = await parts.log.head();
      log.moveTo(end);
      await folded(runtime, run, end);
      await comparing.again(async (name) => ({ fresh: end, is: await placeOf(name, end) }));
    }
  } finally {
    await runtime.stop();
  }
  const { equal, behind, moving } = comparing;
  return { documents: equal, moving: [...moving.values()].flat().length, behind, left };
}

/** Those that queries read in this release's version. */
async function served(
  { views, projections }: ViewParts,
  left: { name: string; why: string }[],
): Promise<AnyProjection[]> {
  const collections = await views.list();
  const able: AnyProjection[] = [];
  for (const projection of projections) {
    const { served: build } = await findBuilds(views, projection, collections);
    const { name, version } = projection;
    if (build === undefined) left.push({ name, why: 'it has not been built yet' });
    else if (build.version !== version)
      left.push({ name, why: `version ${build.version} is live, but this release builds version ${version}` });
    else able.push(projection);
  }
  return able;
}

/** Waits until the fresh fold has come to the end; answers those that an event stopped, by name. */
export async function folded(
  runtime: ProjectionRuntime,
  { report, signal }: Run,
  end: Position,
): Promise<Map<string, ProjectionStatus>> {
  for (;;) {
    signal.throwIfAborted();
    const status = await runtime.status();
    const share =
      status.reduce((sum, { position }) => sum + (position + 1) / Math.max(1, end + 1), 0) / Math.max(1, status.length);
    report({ phase: 'fresh fold', share: Math.min(1, share) });
    const goesOn = ({ poison, state, position }: ProjectionStatus): boolean =>
      poison === undefined && (state !== 'live' || position < end);
    if (!status.some(goesOn))
      return new Map(status.filter(({ poison }) => poison !== undefined).map((one) => [one.name, one]));
    await pause(LOOK_MS);
  }
}

/** Returns the checkpoints of read models that nobody writes, by name. */
async function restingPlaces(
  views: DocumentStore,
  projections: readonly AnyProjection[],
): Promise<ReadonlyMap<string, Position>> {
  const builds = await Promise.all(projections.map(async ({ name }) => [name, await views.resolve(name)] as const));
  const places = await wholePlaces(
    views,
    builds.map(([, physical]) => physical),
    SHARDS,
  );
  return new Map(builds.map(([name, physical]) => [name, places.get(physical)!.position]));
}

/** Returns the position that the running writer of a read model reports. Waits a while until it is at the end. */
async function runningPlace(
  livePositions: NonNullable<ViewParts['livePositions']>,
  name: string,
  end: Position,
): Promise<Position> {
  const deadline = performance.now() + VIEWS_MS;
  for (;;) {
    const position = (await livePositions()).get(name) ?? BEFORE_ALL;
    if (position >= end || performance.now() > deadline) return position;
    await pause(LOOK_MS);
  }
}
