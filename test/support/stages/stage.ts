/**
 * Base of the stages of each area: embedded engines in their own folder, commands and views. A test adds the processors
 * and the operations over HTTP that it needs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpServerOptions } from '../../../api/server/server.js';
import { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { type Clock, systemClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../../engine/processors/runtime.js';
import { type Acknowledged, createAcknowledged } from '../../../engine/projections/acknowledged.js';
import { createReads } from '../../../engine/projections/documentReads.js';
import { ProgressBoard } from '../../../engine/projections/progressBoard.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import type { Reads } from '../../../engine/projections/reads.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../../engine/projections/runtime.js';
import { settledReads } from '../../../engine/projections/settledReads.js';
import { ViewChanges } from '../../../engine/projections/viewChanges.js';
import { openSnapshotFiles } from '../../../infrastructure/snapshots/snapshotFiles.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type ApiServer, apiServer, openBox, testCursors } from './apiServer.js';

export interface StageOptions {
  /** Projections that run; none when absent. */
  readonly projections?: readonly AnyProjection[];
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** If true, another instance may append to the log too. */
  readonly sharedStore?: boolean;
  /** Closed by the caller. */
  readonly eventStore?: EventStore;
  /** Commands are answered when they are durable and reads wait, as in a service that is alone on its data. */
  readonly readsWait?: {
    readonly withinMs: number;
    readonly bounds?: { readonly scope: number; readonly all: number };
  };
}

type ProcessorOptions = Parameters<typeof createProcessorRuntime>[0];

export interface Stage {
  readonly folder: string;
  readonly clock: Clock;
  readonly eventStore: EventStore;
  readonly views: DocumentStore;
  readonly work: DocumentStore;
  readonly commands: CommandHandler;
  readonly projections: ProjectionRuntime;
  readonly reads: Reads;
  /** Changes of the documents that the views show. */
  readonly changes: ViewChanges;
  /** Present with `readsWait`. */
  readonly acknowledged: Acknowledged | undefined;
  /** Returns one more command handler, as another instance on the same log has it. */
  commandHandler(): CommandHandler;
  /** Blocks the writes of the projections until the returned function is called. With an error, they fail. */
  holdViews(): (error?: Error) => void;
  /** Resolves when the views show all events. Throws when they are late. */
  shown(): Promise<void>;
  /** Starts a runtime, stopped at the end. `other` parts replace the stage's own. */
  start(
    processors: ProcessorOptions['processors'],
    other?: Partial<Omit<ProcessorOptions, 'processors'>>,
  ): Promise<ProcessorRuntime>;
  /** Serves operations, closed at the end. Commands wait for the views, or reads do. */
  serve(
    options: Pick<HttpServerOptions, 'operations'> &
      Partial<HttpServerOptions> & {
        readonly directory: HttpServerOptions['services']['directory'];
        /** Default: the stage's own. */
        readonly commands?: CommandHandler;
        /** Without it, endpoints cannot be created or moved. */
        readonly webhookUrls?: NonNullable<HttpServerOptions['services']['webhookUrls']>;
      },
  ): Promise<ApiServer>;
  /** Adds a step that runs before the stage ends. The last one added runs first. */
  atEnd(step: () => unknown): void;
  close(): Promise<void>;
}

/** Longest wait for the views, in ms. */
const PATIENCE_MS = 15_000;
/** Time that documents of a previous build stay readable, in ms. */
const GRACE_MS = 20;

export async function openStage(name: string, options: StageOptions = {}): Promise<Stage> {
  const { projections: views_ = [], clock = systemClock, sharedStore = false } = options;
  const folder = await mkdtemp(join(tmpdir(), `suuq-${name}-`));
  const eventStore = options.eventStore ?? (await openEmbeddedEventStore(folder, { writesHere: true }));
  const views = openEmbeddedReadModels(join(folder, 'views.db'));
  const work = openEmbeddedReadModels(join(folder, 'work.db'));
  const snapshots = await openSnapshotFiles(folder);
  const handlers: ReturnType<typeof createCommandHandler>[] = [];
  const commandHandler = (): CommandHandler => {
    const made = createCommandHandler({ eventStore, snapshots, clock, sharedStore });
    handlers.push(made);
    return made;
  };
  const commands = commandHandler();
  let current: Promise<void> | undefined;
  const projections = createProjectionRuntime({
    eventStore,
    readModels: {
      ...views,
      async write(...args) {
        await current;
        return views.write(...args);
      },
    },
    projections: views_,
    graceMs: GRACE_MS,
  });
  await projections.start();
  const names = views_.map((one) => one.name);
  const board = new ProgressBoard();
  const categoriesOf = (projection: string): readonly string[] =>
    views_.find(({ name }) => name === projection)?.categories ?? [];
  const changes = new ViewChanges(categoriesOf);
  projections.onProgress((positions, changed) => {
    changes.heard(changed);
    board.moved(positions);
  });
  projections.onStopped((stopped) => board.setStopped(stopped));
  const acknowledged =
    options.readsWait &&
    createAcknowledged({
      readersOf: (category) => views_.filter(({ categories }) => categories.includes(category)).map(({ name }) => name),
      categoriesOf,
      passed: (names, position) => board.passed(names, position),
      waitFor: (names, position, timeoutMs) => board.waitFor(names, position, timeoutMs),
      ...options.readsWait,
    });
  const stored = createReads(views);
  const reads = acknowledged === undefined ? stored : settledReads(stored, acknowledged);
  const ending: (() => unknown)[] = [];
  return {
    ...{ folder, clock, eventStore, views, work, commands, projections, reads, changes, acknowledged, commandHandler },
    holdViews() {
      let release: (error?: Error) => void = () => undefined;
      current = new Promise((resolve, reject) => {
        release = (error) => (error === undefined ? resolve() : reject(error));
      });
      current.catch(() => undefined);
      return (error) => {
        release(error);
        current = undefined;
      };
    },
    async shown() {
      if (!(await projections.waitFor(names, await eventStore.head(), PATIENCE_MS)))
        throw new Error('the views are late');
    },
    async start(processors, other = {}) {
      const own = { eventStore, work, commands, reads, clock, log: silentLog };
      const runtime = createProcessorRuntime({ ...own, ...other, processors });
      ending.push(() => runtime.stop());
      await runtime.start();
      return runtime;
    },
    async serve({ directory, commands: commandHandler = commands, webhookUrls, ...served }) {
      const server = await apiServer({
        services: {
          clock,
          eventStore,
          work,
          reads,
          commandHandler,
          directory,
          secretBox: openBox,
          cursors: testCursors,
          ...(webhookUrls && { webhookUrls }),
        },
        progress: { waitFor: (_, position, ms) => projections.waitFor(names, position, ms) },
        acknowledged,
        changes,
        ...served,
      });
      ending.push(() => server.close());
      return server;
    },
    atEnd: (step) => void ending.push(step),
    async close() {
      for (const step of ending.reverse()) await step();
      await projections.stop();
      await Promise.all(handlers.map((one) => one.idle()));
      if (options.eventStore === undefined) await eventStore.close();
      await Promise.all([views.close(), work.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
