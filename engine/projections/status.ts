import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import type { StoreTrouble } from './fed.js';
import type { Poison } from './folding.js';
import type { Running } from './opening.js';
import type { AnyProjection } from './projection.js';
import { wholeNames, wholePosition } from './sharded/places.js';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** Of the build in work: the new one while there is one. */
  readonly position: Position;
  readonly head: Position;
  /** Events it took in per second, lately. */
  readonly eventsPerSecond: number;
  /**
   * `stopped`: an event (see `poison`) or a changed shape ended it; a rebuild or a restart tries again. `elsewhere`: another
   * instance runs it; `position` is its checkpoint.
   */
  readonly state: 'live' | 'catching_up' | 'rebuilding' | 'stopped' | 'elsewhere';
  /** `elsewhere`: the instance that runs it; absent while none does. */
  readonly owner?: string;
  /** Where its documents are parted: how many shards this says something of. */
  readonly shards?: number;
  /** Status of the shards that the queried instance owns itself. Absent where it owns none, or runs alone. */
  readonly here?: Pick<ProjectionStatus, 'shards' | 'state' | 'trouble'>;
  /** The instance that says this keeps its builds: it begins a new one when asked. */
  readonly keepsBuilds?: true;
  /** Distance to the head, in positions. */
  readonly lag: number;
  /** Estimated time to the head in ms, while it is known. */
  readonly etaMs?: number;
  /** Where the build that queries read stands; absent before the first build. */
  readonly served?: Position;
  /** The event that a build stands at, be it the one that queries read or the one that fills beside it. */
  readonly poison?: Poison;
  /** A store's error that one of its builds waits for: it goes on by itself when that has passed. */
  readonly trouble?: StoreTrouble;
  /** Events that an operator lets it pass over; absent where another instance knows. */
  readonly skipped?: number;
  /** What queries read was begun by other handlers of the same version: documents of both kinds stand beside each other. */
  readonly handlersChanged?: true;
  /** Documents of what queries read that a comparison found to differ from a fresh fold; absent: none. */
  readonly differing?: number;
}

function stateOf(one: Running, build: Build, isLive: boolean): ProjectionStatus['state'] {
  if (build.poison !== undefined) return 'stopped';
  if (build === one.next) return 'rebuilding';
  return isLive ? 'live' : 'catching_up';
}

/** The build that a person wants to hear of: the new one, unless it failed and the one before goes on. */
function inWork({ current, next }: Running): Build {
  const goesOn = current !== undefined && !current.frozen;
  return next === undefined || (next.poison !== undefined && goesOn) ? current! : next;
}

/** Whether what queries read will not move any more. */
export const hasStopped = (one: Running): boolean => inWork(one).poison !== undefined;

export function statusOf(one: Running, head: Position, isLive: (build: Build) => boolean): ProjectionStatus {
  const build = inWork(one);
  const rate = build.rate.perSecond();
  const lag = Math.max(0, head - build.position);
  const state = stateOf(one, build, isLive(build));
  const poison = build.poison ?? one.next?.poison ?? one.current?.poison;
  return {
    name: one.projection.name,
    version: one.projection.version,
    position: build.position,
    head,
    eventsPerSecond: Math.round(rate.events),
    state,
    lag,
    ...(state !== 'stopped' && lag > 0 && rate.positions > 0 && { etaMs: Math.round((lag / rate.positions) * 1000) }),
    ...(one.current !== undefined && { served: one.current.position }),
    ...defined({ poison, trouble: one.current?.trouble ?? one.next?.trouble }),
    skipped: one.skipped.size,
    ...((one.current ?? build).handlersChanged && { handlersChanged: true as const }),
  };
}

/** What can be read of projections that this instance does not run. `shards`: how many there are where they may be parted. */
export async function statusElsewhere(
  readModels: Pick<DocumentStore, 'checkpoints' | 'resolve'>,
  projections: readonly AnyProjection[],
  head: Position,
  ownerOf: (projection: AnyProjection) => string | undefined,
  shards = 0,
): Promise<ProjectionStatus[]> {
  if (projections.length === 0) return [];
  const physical = await Promise.all(projections.map(({ name }) => readModels.resolve(name)));
  const parted = physical.filter((_, i) => shards > 0 && projections[i]!.parted !== undefined);
  const positions = await readModels.checkpoints([...physical, ...wholeNames(parted, parted.length > 0 ? shards : 0)]);
  return projections.map((projection, i) => {
    const isParted = parted.includes(physical[i]!);
    const position = isParted
      ? wholePosition(physical[i]!, shards, positions)
      : (positions.get(physical[i]!) ?? BEFORE_ALL);
    // A name that stands for itself stands for no build yet.
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
