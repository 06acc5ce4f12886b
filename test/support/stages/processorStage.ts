import type { EventMeta } from '../../../domain/decider.js';
import { defined } from '../../../domain/defined.js';
import { derivedId } from '../../../domain/ids.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import type { Tracing } from '../../../engine/ports/tracing.js';
import type { AnyProcessor } from '../../../engine/processors/processor.js';
import {
  createProcessorRuntime,
  type ProcessorRuntime,
  type ProcessorRuntimeParts,
} from '../../../engine/processors/runtime.js';
import { SAVE_MS } from '../../../engine/processors/tasks/ledger.js';
import { tasksCollection } from '../../../engine/processors/tasks/taskDocuments.js';
import { partitionedCollection } from '../../../engine/processors/tasks/workPlaces.js';
import type { Reads } from '../../../engine/projections/reads.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { openStage } from './stage.js';

/** Longer than the delay before a task is written. */
export const MOMENT_MS = SAVE_MS + 100;

/** Parts for tests of processors: embedded engines in their own folder, a clock, and a way to crash. */
export interface ProcessorStage {
  readonly clock: FakeClock;
  readonly eventStore: EventStore;
  readonly work: DocumentStore;
  readonly commands: CommandHandler;
  readonly warnings: string[];
  /** Starts a runtime on the same data as the previous one. */
  start(
    processor: AnyProcessor,
    ready?: ProcessorRuntimeParts['ready'],
    tracing?: Tracing,
    sharing?: Pick<ProcessorRuntimeParts, 'leases' | 'shards'>,
  ): Promise<Running>;
  /** Appends events and returns their ids. `meta` is added to the clock's time and the system as actor. */
  append(
    stream: string,
    events: readonly { type: string; data: object }[],
    meta?: Partial<EventMeta>,
  ): Promise<readonly string[]>;
  /** Returns the number of pending tasks of a processor, at most 10,000. `shards`: number of shards of its work. */
  pending(processor: string, shards?: number): Promise<number>;
  close(): Promise<void>;
}

export interface Running {
  readonly runtime: ProcessorRuntime;
  /** Stops all writes and answers of the runtime, as if the process had been killed. */
  crash(): void;
}

/** Passes calls on until `dead`. Then every call hangs until the test ends, as in a process that was killed. */
function mortal<T extends object>(port: T, dead: () => boolean, end: Promise<never>): T {
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => (dead() ? end : (member.apply(target, args) as unknown));
    },
  });
}

const unused = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`${String(name)} is not part of this test`);
    },
  },
);

interface Given {
  /** Uses the real command handler on this stage's event store. */
  readonly withCommands?: boolean;
  readonly commands?: CommandHandler;
  readonly reads?: Reads;
  /** Closed by the caller. */
  readonly eventStore?: EventStore;
}

/** Opens a stage. Commands and reads throw when used, unless given. */
export async function processorStage(given: Given = {}): Promise<ProcessorStage> {
  const clock = fakeClock();
  const stage = await openStage('processors', { clock, ...defined({ eventStore: given.eventStore }) });
  const { eventStore, work } = stage;
  const commands = given.commands ?? (given.withCommands ? stage.commands : (unused as CommandHandler));
  const warnings: string[] = [];
  const note = (details: object, message: string): void => {
    warnings.push(`${message}: ${JSON.stringify(details)}`);
  };
  const running: Running[] = [];
  let release: (reason: Error) => void = () => undefined;
  const end = new Promise<never>((_, reject) => {
    release = reject;
  });
  end.catch(() => undefined);
  let appended = 0;
  return {
    clock,
    eventStore,
    work,
    commands,
    warnings,
    async start(processor, ready, tracing, sharing) {
      let dead = false;
      const runtime = createProcessorRuntime({
        eventStore,
        work: mortal(work, () => dead, end),
        processors: [processor],
        commands,
        reads: given.reads ?? (unused as Reads),
        clock,
        log: { ...silentLog, warn: note, error: note },
        ...(ready && { ready }),
        tracing,
        ...sharing,
      });
      const started = {
        runtime,
        crash: () => {
          dead = true;
        },
      };
      running.push(started);
      await runtime.start();
      return started;
    },
    async append(stream, events, more = {}) {
      const at = new Date(clock.now()).toISOString();
      const meta: EventMeta = { at, actor: { type: 'system' }, correlationId: 'test', ...more };
      const data = events.map((event) => ({ ...event, id: derivedId('test', appended++), meta }));
      for (let i = 0; i < data.length; i += 500) await eventStore.append(stream, 'any', data.slice(i, i + 500));
      return data.map(({ id }) => id);
    },
    pending: async (processor, shards) =>
      shards === undefined
        ? work.count(tasksCollection(processor), {}, 10_000)
        : work.count(partitionedCollection(processor, shards), { shard: { in: [...Array(shards).keys()] } }, 10_000),
    async close() {
      for (const { crash } of running) crash();
      release(new Error('the test is over'));
      await Promise.all(running.map(({ runtime }) => Promise.race([runtime.stop(), soon()])));
      await stage.close();
    },
  };
}

/** Limits the wait for calls that hang in a test. */
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
