/**
 * Projections of all instances as one host. The instance that owns the lease of a projection runs it. It publishes its
 * status on a board in the work collections, and reads requests of other instances there.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { defined } from '../../domain/defined.js';
import { messageOf } from '../messageOf.js';
import type { Clock } from '../ports/clock.js';
import type { CollectionDefinition, DocumentStore } from '../ports/documents.js';
import type { Position } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { byName, mergedStatus } from './mergedStatus.js';
import { notRun } from './ownerErrors.js';
import type { ProjectionHost } from './runtime.js';
import type { SharedProgress } from './sharedProgress.js';
import type { ProjectionStatus } from './status.js';

export const projectionBoard: CollectionDefinition = {
  name: 'projectionBoard',
  keys: { kind: 'text', name: 'text', expiresAt: 'number' },
  indexes: [{ keys: ['kind', 'name', 'expiresAt'] }, { keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
};

/** Report of one instance on the projections that it runs. */
interface Report {
  readonly instance: string;
  readonly projections: readonly ProjectionStatus[];
}

/** Request to rebuild a projection of another instance. `failed`: reason why its owner could not begin. */
interface Wish {
  readonly failed?: string;
}

export interface ProjectionBoardOptions {
  readonly work: DocumentStore;
  readonly clock: Clock;
  readonly instance: string;
  readonly progress: Pick<SharedProgress, 'waitFor' | 'close'>;
  /** Projections that run in this process; absent if the process does not have that role. */
  readonly own?: Pick<ProjectionHost, 'status' | 'rebuild' | 'stop'>;
  /** Reads the status of all projections, if none runs here. */
  seen(): Promise<ProjectionStatus[]>;
  readonly log: Pick<Log, 'warn'>;
}

const LOOK_MS = 1000;
/** Interval at which an unchanged report is written again, and time for which a report is valid, in ms. */
const REPEAT_MS = 4000;
const BELIEVED_MS = 15_000;
/** Maximum age of the report of an instance that runs, or was killed just now, in ms. */
const FRESH_MS = 7000;
/** Longest wait for an owner to accept a request, in ms. A new owner may have to be found first. */
const TAKEN_MS = 20_000;
const ASK_MS = 100;
const MOST = 500;
const { name: board } = projectionBoard;

/** Maximum difference between the clocks of instances, in ms. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Rejects expired reports, and those that expire too far in the future: the clock that wrote them was set back since.
 */
function isBelieved(expiresAt: unknown, clock: Clock): boolean {
  const left = Number(expiresAt) - clock.now();
  return left > 0 && left <= BELIEVED_MS + CLOCK_SKEW_MS;
}

const runsHere = ({ state }: ProjectionStatus): boolean => state !== 'elsewhere';
/** True for the owner of a whole projection, and for the manager of a partitioned projection's builds. */
const managesBuilds = (one: ProjectionStatus): boolean =>
  runsHere(one) && (one.shards === undefined || one.keepsBuilds === true);

class ProjectionBoard implements ProjectionHost {
  readonly #options: ProjectionBoardOptions;
  readonly #id: string;
  #revision = 0;
  #reported = '';
  #reportedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(options: ProjectionBoardOptions) {
    this.#options = options;
    this.#id = `report/${options.instance}/${randomUUID()}`;
  }

  async start(): Promise<void> {
    await this.#options.work.open(projectionBoard);
    if (this.#options.own !== undefined) this.#checkSoon();
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#options.progress.waitFor(names, position, timeoutMs);
  }

  async status(): Promise<ProjectionStatus[]> {
    const { own, seen, instance } = this.#options;
    const [known, reports] = await Promise.all([own === undefined ? seen() : own.status(), this.#reports()]);
    return known.map((one) => {
      const others = reports.get(one.name) ?? [];
      if (!runsHere(one)) return mergedStatus(others) ?? one;
      if (one.shards === undefined) return one;
      const all = others.length === 0 ? one : mergedStatus([{ ...one, owner: instance }, ...others])!;
      const { shards, state, trouble } = one;
      return { ...all, here: { shards, state, ...defined({ trouble }) } };
    });
  }

  /**
   * Begins a build here, or requests it from the instance that runs the projection. Rejects if none accepts it in 20 s.
   */
  async rebuild(name: string, restart = false): Promise<void> {
    const { own, work, clock } = this.#options;
    const here = await own?.status();
    if (own !== undefined && here?.some((one) => one.name === name && managesBuilds(one)))
      return own.rebuild(name, restart);
    const id = `wish/${name}`;
    const expiresAt = clock.now() + TAKEN_MS;
    const end = clock.steady.now() + TAKEN_MS;
    await work.removeWhere(board, { kind: 'wish', name, expiresAt: { lte: clock.now() } }, MOST);
    await work.insert(board, { id, revision: 1, keys: { kind: 'wish', name, expiresAt }, body: {} satisfies Wish });
    while (clock.steady.now() < end) {
      await pause(ASK_MS);
      const found = await work.get<Wish>(board, id);
      if (found === undefined) return;
      if (found.body.failed === undefined) continue;
      await this.#forget(name);
      throw new Error(found.body.failed);
    }
    await this.#forget(name);
    throw notRun(name);
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#checking;
    await this.#options.own?.stop();
    this.#options.progress.close();
    // Other instances ignore the report once it has expired. Removing it now only speeds that up.
    if (this.#revision > 0)
      await this.#options.work.removeWhere(board, { kind: 'report', name: this.#id }, 1).catch(() => 0);
  }

  #checkSoon(): void {
    const { clock, log } = this.#options;
    this.#cancel = clock.steady.at(clock.steady.now() + LOOK_MS, () => {
      this.#checking = this.#check()
        .catch((error: unknown) => log.warn({ err: error }, 'projection command poll failed, retrying'))
        .then(() => {
          if (this.#cancel !== undefined) this.#checkSoon();
        });
    });
  }

  async #check(): Promise<void> {
    const { own, work } = this.#options;
    const mine = (await own!.status()).filter(runsHere);
    await this.#report(mine);
    const wishes = await work.find<Wish>(board, { where: { kind: 'wish' }, sort: ['name', 'expiresAt'], limit: MOST });
    const requested = wishes.filter(
      ({ keys, body }) => body.failed === undefined && mine.some((one) => one.name === keys.name && managesBuilds(one)),
    );
    for (const { keys } of requested) await this.#grant(String(keys.name));
  }

  /** Publishes the report before it removes the request, so that the requester finds the build in progress. */
  async #grant(name: string): Promise<void> {
    const { own, work } = this.#options;
    const before = (await own!.status()).find((one) => one.name === name);
    if (before === undefined || !managesBuilds(before)) return;
    try {
      if (before.state !== 'rebuilding') await own!.rebuild(name);
    } catch (error) {
      const failed = messageOf(error);
      const keys = { kind: 'wish', name, expiresAt: this.#options.clock.now() + TAKEN_MS };
      await work.replace(board, 1, { id: `wish/${name}`, revision: 2, keys, body: { failed } satisfies Wish });
      return;
    }
    this.#reported = '';
    await this.#report((await own!.status()).filter(runsHere));
    await this.#forget(name);
  }

  async #forget(name: string): Promise<void> {
    await this.#options.work.removeWhere(board, { kind: 'wish', name }, MOST);
  }

  async #report(projections: readonly ProjectionStatus[]): Promise<void> {
    const { work, clock, instance } = this.#options;
    const now = clock.steady.now();
    const text = JSON.stringify(projections);
    if (text === this.#reported && now - this.#reportedAt < REPEAT_MS) return;
    this.#revision += 1;
    const keys = { kind: 'report', name: this.#id, expiresAt: clock.now() + BELIEVED_MS };
    const body: Report = { instance, projections };
    await work.write({ [board]: { put: [{ id: this.#id, revision: this.#revision, keys, body }] } });
    this.#reported = text;
    this.#reportedAt = now;
  }

  /** Returns the latest reports by projection, of its owner or of the owners of its shards. */
  async #reports(): Promise<Map<string, ProjectionStatus[]>> {
    const { work, clock } = this.#options;
    const found = await work.find<Report>(board, {
      where: { kind: 'report' },
      sort: ['name', 'expiresAt'],
      limit: MOST,
    });
    const fresh = found
      .filter(({ id, keys }) => id !== this.#id && isBelieved(keys.expiresAt, clock))
      .sort((a, b) => Number(a.keys.expiresAt) - Number(b.keys.expiresAt));
    return byName(
      fresh.flatMap(({ body: { instance, projections } }) => projections.map((one) => ({ ...one, owner: instance }))),
    );
  }
}

/** Returns the current reports of instances on their projections, as far as they are known without waiting. */
export async function reportedNow(work: DocumentStore, clock: Clock): Promise<ReadonlyMap<string, ProjectionStatus>> {
  // The store may be open for reading only, and an instance creates the board.
  if (!(await work.list()).includes(board)) return new Map();
  const found = await work.find<Report>(board, { where: { kind: 'report' }, sort: ['name', 'expiresAt'], limit: MOST });
  const isFresh = (expiresAt: number): boolean =>
    isBelieved(expiresAt, clock) && expiresAt > clock.now() + BELIEVED_MS - FRESH_MS;
  const fresh = found.filter(({ keys }) => isFresh(Number(keys.expiresAt)));
  const reported = byName(fresh.flatMap(({ body }) => body.projections));
  return new Map([...reported].map(([name, all]) => [name, mergedStatus(all)!]));
}

/** Opens the board. Rejects with StoreUnavailable when the engine is unavailable. */
export async function openProjectionBoard(options: ProjectionBoardOptions): Promise<ProjectionHost> {
  const opened = new ProjectionBoard(options);
  await opened.start();
  return opened;
}
