/** Several instances in one process, each with its own connection and its own clock, which a test can stop. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lease } from '../../../engine/ownership/lease.js';
import { createLeases, type Leases } from '../../../engine/ownership/leases.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { silentLog } from '../../../engine/ports/log.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type EitherClock, settle, unset } from '../doubles/fakeClock.js';

export interface TestClock extends EitherClock {
  /** Jumps time forward, as for a process that was frozen. Then runs the due timers at the new time. */
  jump(ms: number): void;
}

export function testClock(): TestClock {
  let now = 0;
  let timers: { time: number; run: () => void }[] = [];
  return unset({
    now: () => now,
    at(time: number, run: () => void) {
      const timer = { time, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    jump(ms: number) {
      now += ms;
      const due = timers.filter(({ time }) => time <= now).sort((a, b) => a.time - b.time);
      timers = timers.filter(({ time }) => time > now);
      for (const { run } of due) run();
    },
  });
}

export interface TestInstance {
  readonly name: string;
  readonly clock: TestClock;
  /** Connection of the instance. A test may replace its members to make it fail. */
  readonly work: DocumentStore;
  readonly leases: Leases;
  /** Leases that it acts on. */
  readonly owned: Map<string, Lease>;
  readonly events: string[];
  /** False while the instance is paused. */
  running: boolean;
}

export interface OwnershipStage {
  readonly folder: string;
  readonly instances: TestInstance[];
  open(): DocumentStore;
  /** Adds an instance that tries to own `names` and records its notifications. */
  add(name: string, names: readonly string[]): Promise<TestInstance>;
  /** Lets time pass for all running instances, in steps of 100 ms. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until `holds` returns true, and fails after `ms`. Returns how long it took. */
  passUntil(what: string, holds: () => boolean | Promise<boolean>, ms: number): Promise<number>;
  close(): Promise<void>;
}

const STEP_MS = 100;

export async function ownershipStage(): Promise<OwnershipStage> {
  const folder = await mkdtemp(join(tmpdir(), 'suuq-ownership-'));
  const opened: DocumentStore[] = [];
  const instances: TestInstance[] = [];
  const open = (): DocumentStore => {
    const models = { ...openEmbeddedReadModels(join(folder, 'work.db')) };
    opened.push(models);
    return models;
  };
  const step = async (): Promise<void> => {
    for (const { running, clock } of instances) if (running) clock.jump(STEP_MS);
    await settle();
  };
  return {
    folder,
    instances,
    open,
    async add(name, names) {
      const clock = testClock();
      const work = open();
      const owned = new Map<string, Lease>();
      const events: string[] = [];
      const leases = createLeases({ work, clock, instance: name, log: silentLog });
      for (const one of names)
        leases.hold(one, {
          acquired(lease) {
            owned.set(one, lease);
            events.push(`acquired ${one}`);
          },
          lost(how) {
            owned.delete(one);
            events.push(`${how} ${one}`);
          },
        });
      const instance = { name, clock, work, leases, owned, events, running: true };
      instances.push(instance);
      await leases.start();
      await settle();
      return instance;
    },
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) await step();
    },
    async passUntil(what, holds, ms) {
      for (let passed = 0; passed <= ms; passed += STEP_MS) {
        if (await holds()) return passed;
        await step();
      }
      throw new Error(`not within ${ms} ms: ${what}`);
    },
    async close() {
      for (const { leases } of instances) await leases.stop();
      for (const models of opened) await models.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
