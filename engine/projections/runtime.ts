import { steadyClock } from '../ports/clock.js';
import type { Position } from '../ports/eventStore.js';
import { silentLog } from '../ports/log.js';
import { Announcements } from './announcements.js';
import { Landmarks } from './checking/landmarks.js';
import { SpotChecks } from './checking/spotChecks.js';
import type { Positions, ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';
import { HandlerCheck } from './handlerCheck.js';
import type { AnyProjection } from './projection.js';
import type { ReadModel } from './readModel.js';
import type { ModelGroup } from './runtimeParts.js';
import { PartitionedModels } from './sharded/partitionedModels.js';
import { SkipWatch } from './skipWatch.js';
import { type ProjectionStatus, statusElsewhere, statusOf } from './status.js';
import type { Changed } from './viewChanges.js';
import { WholeModels } from './wholeModels.js';

export type { Positions, ProjectionHost, ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';

const GRACE_MS = 5000;

class Projections implements ProjectionRuntime {
  readonly #options: ProjectionRuntimeOptions;
  readonly #models = new Map<string, ReadModel>();
  readonly #announcements: Announcements;
  readonly #handlers: HandlerCheck;
  /** Absent for a command, which ends before it would compare anything. */
  readonly #checks: SpotChecks | undefined;
  readonly #skipping: SkipWatch;
  /** Groups by projection. */
  readonly #groups: ReadonlyMap<string, ModelGroup>;

  constructor(options: ProjectionRuntimeOptions) {
    const { projections, leases, shards = 0, clock = steadyClock, log = silentLog, unattended } = options;
    this.#options = options;
    const [landmarks, models] = [new Landmarks(), this.#models];
    const source = { ...options, clock, log, landmarks, models };
    this.#announcements = new Announcements(models, shards);
    this.#handlers = new HandlerCheck(source);
    this.#checks = unattended === true ? undefined : new SpotChecks({ ...source, serving: () => this.#serving() });
    this.#skipping = new SkipWatch({
      ...source,
      turns: ({ projection }) => this.#groupOf(projection.name).turns,
      isStopped: (build) => this.#groupOf(build.name).builds.isStopped(build),
      goOn: (builds) => {
        this.#announcements.stopped();
        this.#groupOf(builds[0]!.name).builds.catchUp.add(builds);
      },
    });
    const parts = {
      ...{
        options,
        clock,
        log,
        graceMs: options.graceMs ?? GRACE_MS,
        landmarks,
        models,
        announcements: this.#announcements,
        handlers: this.#handlers,
      },
      compare: async (...request: Parameters<SpotChecks['beforeServing']>) =>
        (await this.#checks?.beforeServing(...request)) === true,
      hasStopped: () => this.#skipping.checkSoon(),
    };
    const isPartitioned = ({ partitionedBy }: AnyProjection): boolean =>
      leases !== undefined && shards > 0 && partitionedBy !== undefined;
    const partitioned = projections.filter(isPartitioned);
    const whole = projections.filter((one) => !isPartitioned(one));
    const wholeModels = new WholeModels(parts, whole);
    const shared =
      partitioned.length > 0 && leases !== undefined
        ? new PartitionedModels(parts, { projections: partitioned, leases, count: shards })
        : wholeModels;
    this.#groups = new Map(projections.map((one) => [one.name, isPartitioned(one) ? shared : wholeModels]));
  }

  async start(): Promise<void> {
    this.#checks?.start();
    await Promise.all([...new Set(this.#groups.values())].map((group) => group.start()));
  }

  async stop(): Promise<void> {
    this.#skipping.stop();
    const groups = [...new Set(this.#groups.values())].map((group) => group.stop());
    await Promise.all([this.#handlers.stop(), this.#checks?.stop(), ...groups]);
    this.#announcements.close();
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#announcements.waitFor(names, position, timeoutMs);
  }

  onProgress(callback: (positions: Positions, changed: Changed) => void): () => void {
    return this.#announcements.onProgress(callback);
  }

  onStopped(callback: (names: readonly string[]) => void): () => void {
    return this.#announcements.onStopped(callback);
  }

  async rebuild(name: string, restart = false): Promise<void> {
    if (!this.#groups.has(name)) throw new Error(`unknown projection '${name}'`);
    await this.#groupOf(name).rebuild(name, restart);
  }

  async status(): Promise<ProjectionStatus[]> {
    const { eventStore, readModels, projections, leases, shards, unattended } = this.#options;
    // A command reads the status once, right after the start.
    if (unattended === true) await this.#handlers.settled();
    const head = await eventStore.head();
    const here = [...this.#models.values()].flatMap((one) => this.#statusOf(one, head) ?? []);
    const names = new Set(here.map(({ name }) => name));
    const others = leases === undefined ? [] : projections.filter(({ name }) => !names.has(name));
    const ownerOf = (projection: AnyProjection) => this.#groupOf(projection.name).ownerOf(projection);
    const elsewhere = await statusElsewhere(readModels, others, head, ownerOf, shards);
    const all = new Map([...here, ...elsewhere].map((one) => [one.name, one]));
    return projections.flatMap(({ name }) => all.get(name) ?? []);
  }

  #statusOf(one: ReadModel, head: Position): ProjectionStatus | undefined {
    const { name } = one.projection;
    const group = this.#groupOf(name);
    const status = statusOf(one, head, (build) => group.builds.isFed(build));
    if (status === undefined || !group.manages(name)) return status;
    const differing = this.#checks?.differing(one.served ?? one.filling) ?? 0;
    return {
      ...status,
      ...(status.shards !== undefined && { keepsBuilds: true as const }),
      ...(differing > 0 && { differing }),
    };
  }

  #serving(): ReturnType<ModelGroup['serving']> {
    return [...new Set(this.#groups.values())].flatMap((group) => group.serving());
  }

  #groupOf(name: string): ModelGroup {
    return this.#groups.get(name)!;
  }
}

/**
 * Updates read models from the event log. Without leases, this instance owns all of them. With leases, each read model
 * has its own owner; with `shards` too, each shard of a partitioned one has its own.
 */
export const createProjectionRuntime = (options: ProjectionRuntimeOptions): ProjectionRuntime =>
  new Projections(options);
