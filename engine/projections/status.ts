import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import type { Poison } from './folding.js';
import type { StoreTrouble } from './pendingWrite.js';
import type { AnyProjection } from './projection.js';
import { isStopped, type ReadModel, stopsOf } from './readModel.js';
import { wholeNames, wholePosition } from './sharded/places.js';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** Position of the build in work, which is the new one if there is one. */
  readonly position: Position;
  readonly head: Position;
  /** Recent number of folded events per second. */
  readonly eventsPerSecond: number;
  /**
   * `stopped`: an event (see `poison`) or a changed shape stopped it; a rebuild or a restart retries. `elsewhere`:
   * another instance runs it; `position` is its checkpoint.
   */
  readonly state: 'live' | 'catching_up' | 'rebuilding' | 'stopped' | 'elsewhere';
  /** `elsewhere`: instance that runs it; absent while none does. */
  readonly owner?: string;
  /** Number of shards that this status covers. Absent if the documents are not partitioned. */
  readonly shards?: number;
  /** Status of the shards that the queried instance owns itself. Absent where it owns none, or runs alone. */
  readonly here?: Pick<ProjectionStatus, 'shards' | 'state' | 'trouble'>;
  /** True if the reporting instance manages the builds: it begins a new one on request. */
  readonly keepsBuilds?: true;
  /** Distance to the head, in positions. */
  readonly lag: number;
  /** Estimated time to the head in ms, if known. */
  readonly etaMs?: number;
  /** Position of the build that queries read; absent before the first build. */
  readonly served?: Position;
  /** Event that stopped a build, either the one that queries read or the one that fills. */
  readonly poison?: Poison;
  /** Store error that one of its builds waits for. The build continues by itself when the error has passed. */
  readonly trouble?: StoreTrouble;
  /** Number of events that an operator lets it skip; absent if only another instance knows. */
  readonly skipped?: number;
  /**
   * True if other handlers of the same version began the build that queries read, so that it has documents of both
   * kinds.
   */
  readonly handlersChanged?: true;
  /** Number of documents that differ from a fresh fold, in the build that queries read. Absent if there are none. */
  readonly differing?: number;
}

const least = (builds: readonly Build[]): Position | undefined =>
  builds.length === 0 ? undefined : Math.min(...builds.map(({ position }) => position));

function stateOf({ filling }: ReadModel, builds: readonly Build[], isLive: (build: Build) => boolean) {
  if (builds.some(isStopped)) return 'stopped';
  if (builds[0]!.physical === filling) return 'rebuilding';
  return builds.every(isLive) ? 'live' : 'catching_up';
}

/** Returns the status of the builds that run here; undefined if none does. */
export function statusOf(
  one: ReadModel,
  head: Position,
  isLive: (build: Build) => boolean,
): ProjectionStatus | undefined {
  const { projection, current, next, inWork } = one;
  const position = least(inWork);
  if (position === undefined) return undefined;
  const state = stateOf(one, inWork, isLive);
  const rates = inWork.map((build) => build.rate.perSecond());
  const speed = Math.max(...rates.map(({ positions }) => positions));
  const lag = Math.max(0, head - position);
  const isPartitioned = inWork.some(({ shards }) => !shards.isWhole);
  const hasOtherHandlers = one.handlersChanged || (current[0] ?? inWork[0]!).handlersChanged;
  return {
    name: projection.name,
    version: projection.version,
    position,
    head,
    eventsPerSecond: Math.round(rates.reduce((sum, { events }) => sum + events, 0)),
    state,
    lag,
    ...(isPartitioned && { shards: inWork.reduce((sum, { shards }) => sum + shards.size, 0) }),
    ...(state !== 'stopped' && lag > 0 && speed > 0 && { etaMs: Math.round((lag / speed) * 1000) }),
    ...defined({
      served: least(current),
      poison: [...inWork, ...next, ...current].flatMap(stopsOf)[0],
      trouble: [...current, ...next].find(({ trouble }) => trouble !== undefined)?.trouble,
    }),
    skipped: one.skipped.size,
    ...(hasOtherHandlers && { handlersChanged: true as const }),
  };
}

/**
 * Returns the status of projections that this instance does not run, as far as it can be read. `shards`: number of
 * shards if projections may be partitioned.
 */
export async function statusElsewhere(
  readModels: Pick<DocumentStore, 'checkpoints' | 'resolve'>,
  projections: readonly AnyProjection[],
  head: Position,
  ownerOf: (projection: AnyProjection) => string | undefined,
  shards = 0,
): Promise<ProjectionStatus[]> {
  if (projections.length === 0) return [];
  const physical = await Promise.all(projections.map(({ name }) => readModels.resolve(name)));
  const partitioned = physical.filter((_, i) => shards > 0 && projections[i]!.partitionedBy !== undefined);
  const positions = await readModels.checkpoints([
    ...physical,
    ...wholeNames(partitioned, partitioned.length > 0 ? shards : 0),
  ]);
  return projections.map((projection, i) => {
    const isPartitioned = partitioned.includes(physical[i]!);
    const position = isPartitioned
      ? wholePosition(physical[i]!, shards, positions)
      : (positions.get(physical[i]!) ?? BEFORE_ALL);
    // A name that resolves to itself has no build yet.
    const isBuilt = physical[i] !== projection.name;
    const owner = ownerOf(projection);
    return {
      name: projection.name,
      version: projection.version,
      position,
      head,
      eventsPerSecond: 0,
      state: 'elsewhere',
      lag: Math.max(0, head - position),
      ...(isBuilt && { served: position }),
      ...defined({ owner }),
    };
  });
}
