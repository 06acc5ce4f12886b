/** Instances that share engines, each with leases on its own clock. Each can be frozen whole. */

import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { createLeases, type Leases } from '../../../engine/ownership/leases.js';
import type { Clock } from '../../../engine/ports/clock.js';
import { steadyClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import type { AnyProcessor } from '../../../engine/processors/processor.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../../engine/processors/runtime.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import type { Reads } from '../../../engine/projections/reads.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../../engine/projections/runtime.js';
import { neverSetBack, settle, unset, until } from '../doubles/fakeClock.js';
import { type TestClock, testClock } from './ownershipStage.js';

export interface SharedInstance {
  readonly name: string;
  readonly clock: TestClock;
  readonly leases: Leases;
  readonly projections: ProjectionRuntime;
  readonly processors: ProcessorRuntime;
  readonly warnings: string[];
  /** Returns the names of projections and processors that run here. */
  running(): Promise<string[]>;
  /** Freezes the instance: its clock, and each call of its engines before it is made. */
  freeze(): void;
  /** Jumps its clock by `ms`, 0 if it has not noticed, and resumes the instance. */
  wake(ms: number): void;
}

export interface Engines {
  readonly eventStore: EventStore;
  readonly views: DocumentStore;
  readonly work: DocumentStore;
}

interface Gate {
  closed: Promise<void> | undefined;
  open(): void;
}

/** Wraps a port: each call waits while the gate is closed. */
function gated<T extends object>(port: T, gate: Gate): T {
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      const call = (args: unknown[]) => member.apply(target, args) as unknown;
      return (...args: unknown[]) => (gate.closed === undefined ? call(args) : gate.closed.then(() => call(args)));
    },
  });
}

/** Wraps a log: its deliveries wait too. */
const gatedLog = (log: EventStore, gate: Gate): EventStore => ({
  ...gated(log, gate),
  subscribe: (after, filter, subscriber, options) =>
    log.subscribe(
      after,
      filter,
      {
        async batch(events, through) {
          await gate.closed;
          await subscriber.batch(events, through);
        },
      },
      options,
    ),
});

export interface SharedInstances {
  add(name: string): Promise<SharedInstance>;
  /** Lets time pass in steps of 100 ms, except for frozen instances, until `holds` does. Returns the time passed. */
  passUntil(what: string, holds: () => boolean | Promise<boolean>, ms: number): Promise<number>;
  close(): Promise<void>;
}

const STEP_MS = 100;
/** Number of shards of the processors where a test gives none. */
const FEW_SHARDS = 4;
const EPOCH = Date.parse('2026-03-01T08:00:00Z');

/** Real time, whose timers wait while the instance is frozen. It advances by itself. */
const realClock = (gate: Gate): TestClock =>
  unset({
    now: steadyClock.now,
    at: (time: number, run: () => void) =>
      steadyClock.at(time, () => (gate.closed === undefined ? run() : void gate.closed.then(run))),
    jump: () => undefined,
  });

export function sharedInstances(
  open: () => Engines,
  projections: readonly AnyProjection[],
  processors: readonly AnyProcessor[] | ((instance: string) => readonly AnyProcessor[]),
  time: 'test' | 'real' = 'test',
  shards?: number,
): SharedInstances {
  const instances: (SharedInstance & { readonly gate: Gate })[] = [];
  return {
    async add(name) {
      const gate: Gate = { closed: undefined, open: () => undefined };
      const engines = open();
      const views = gated(engines.views, gate);
      const work = gated(engines.work, gate);
      const clock = time === 'test' ? testClock() : realClock(gate);
      const warnings: string[] = [];
      const note = (details: object, message: string): void =>
        void warnings.push(`${message} ${JSON.stringify(details)}`);
      const log = { ...silentLog, warn: note, error: note };
      const leases = createLeases({ work, clock, instance: name, log });
      const shared = { eventStore: gatedLog(engines.eventStore, gate), leases, log };
      const own = typeof processors === 'function' ? processors(name) : processors;
      const timed = shards === undefined ? {} : { shards, clock };
      const runtime = createProjectionRuntime({ ...shared, ...timed, readModels: views, projections, graceMs: 20 });
      const parts = {
        ...shared,
        shards: shards ?? FEW_SHARDS,
        work,
        processors: own,
        commands: {} as CommandHandler,
        reads: {} as Reads,
      };
      const wallClock: Clock = {
        steady: clock,
        now: () => EPOCH + clock.now(),
        at: (at, run) => clock.at(at - EPOCH, run),
        onSetBack: neverSetBack,
      };
      const tasks = createProcessorRuntime({ ...parts, clock: wallClock });
      await runtime.start();
      await tasks.start();
      const instance = {
        name,
        clock,
        leases,
        projections: runtime,
        processors: tasks,
        warnings,
        gate,
        async running() {
          const here = (await runtime.status()).filter(({ state }) => state !== 'elsewhere');
          return [...here, ...tasks.status()].map((one) => one.name);
        },
        freeze() {
          gate.closed = new Promise((resolve) => {
            gate.open = resolve;
          });
        },
        wake(ms: number) {
          clock.jump(ms);
          gate.closed = undefined;
          gate.open();
        },
      };
      instances.push(instance);
      await leases.start();
      await settle();
      return instance;
    },
    async passUntil(what, holds, ms) {
      if (time === 'real') {
        const began = performance.now();
        await until(what, holds, ms);
        return performance.now() - began;
      }
      for (let passed = 0; passed <= ms; passed += STEP_MS) {
        if (await holds()) return passed;
        for (const { gate, clock } of instances) if (gate.closed === undefined) clock.jump(STEP_MS);
        await settle(20);
      }
      throw new Error(`not within ${ms} ms: ${what}`);
    },
    async close() {
      for (const one of instances) {
        if (one.gate.closed !== undefined) one.wake(60_000);
        await one.leases.stop();
        await one.projections.stop();
        await one.processors.stop();
      }
    },
  };
}
