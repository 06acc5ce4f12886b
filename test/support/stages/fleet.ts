/** Instances on simulated time that share leases. Every 100 ms the stage records who may act on which name. */
import type { Lease } from '../../../engine/ownership/lease.js';
import { createLeases, type Leases } from '../../../engine/ownership/leases.js';
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import { DocumentState } from '../../simulation/engines/documentState.js';
import { documentStore } from '../../simulation/engines/documentStore.js';
import { settle } from '../doubles/fakeClock.js';
import { type TestClock, testClock } from './ownershipStage.js';

export interface FleetInstance {
  readonly name: string;
  readonly owned: Map<string, Lease>;
  readonly leases: Leases;
  state: 'running' | 'frozen' | 'dead';
  /** True while it is cut off from the store. */
  cut: boolean;
}

/** Entry of the journal: the owner of a name, and since when. */
export interface Turn {
  readonly name: string;
  readonly from: number;
  readonly owner: string | undefined;
}

export interface Fleet {
  readonly instances: readonly FleetInstance[];
  /** Owners of each name over time. */
  readonly journal: readonly Turn[];
  /** Longest time since `begin` that a name had no acting owner, in ms. */
  readonly longest: number;
  now(): number;
  join(name: string): Promise<FleetInstance>;
  /** Lets time pass. Throws as soon as two running instances may act on one name. */
  pass(ms: number): Promise<void>;
  passUntil(what: string, holds: () => boolean, ms: number): Promise<number>;
  freeze(one: FleetInstance): void;
  /** Resumes an instance. Its clock has advanced meanwhile. */
  wake(one: FleetInstance): void;
  /** Expects an owner of every name from now on. */
  begin(): void;
  /** Returns the number of names that each instance acts on. */
  shares(): number[];
}

const STEP_MS = 100;

/** Returns the names of running instances that may act now, by lease. */
function actingOn(instances: readonly FleetInstance[]): Map<string, string[]> {
  const acting = new Map<string, string[]>();
  for (const { name, owned } of instances.filter(({ state }) => state === 'running'))
    for (const [lease, { valid }] of owned) if (valid()) acting.set(lease, [...(acting.get(lease) ?? []), name]);
  return acting;
}

export function fleet(names: readonly string[]): Fleet {
  const state = new DocumentState('steps');
  const instances: (FleetInstance & { readonly clock: TestClock; frozenAt: number })[] = [];
  const journal: Turn[] = [];
  const owners = new Map<string, string>();
  const ownedAt = new Map<string, number>();
  let time = 0;
  let longest = 0;
  let hasStarted = false;

  function seen(name: string, owner: string | undefined): void {
    if (owner !== owners.get(name)) journal.push({ name, from: time, owner });
    if (owner === undefined) owners.delete(name);
    else owners.set(name, owner);
    if (owner !== undefined || !hasStarted) ownedAt.set(name, time);
    longest = Math.max(longest, time - ownedAt.get(name)!);
  }

  function read(): void {
    const acting = actingOn(instances);
    for (const name of names) {
      const [owner, second] = acting.get(name) ?? [];
      if (second !== undefined) throw new Error(`${name} is acted on by ${owner} and ${second} at ${time}`);
      seen(name, owner);
    }
  }

  async function step(): Promise<void> {
    time += STEP_MS;
    for (const { state, clock } of instances) if (state === 'running') clock.jump(STEP_MS);
    await settle(8);
    read();
  }

  return {
    instances,
    journal,
    get longest() {
      return longest;
    },
    now: () => time,
    async join(name) {
      const clock = testClock();
      const owned = new Map<string, Lease>();
      let away = (): boolean => false;
      const work = documentStore(state, {
        async call({ run, parts = [] }) {
          if (away()) throw new StoreUnavailable('cut');
          for (const part of parts) part();
          return run();
        },
        notify: (_, run) => run(),
      });
      const leases = createLeases({ work, clock, instance: name, log: silentLog });
      for (const lease of names)
        leases.hold(lease, {
          acquired: (one) => void owned.set(lease, one),
          lost: () => void owned.delete(lease),
        });
      const one = { name, clock, owned, leases, state: 'running' as const, cut: false, frozenAt: 0 };
      away = () => one.cut || one.state !== ('running' as string);
      instances.push(one);
      await leases.start();
      return one;
    },
    async pass(ms) {
      for (const end = time + ms; time < end; ) await step();
    },
    async passUntil(what, holds, ms) {
      for (const started = time; time <= started + ms; await step()) if (holds()) return time - started;
      throw new Error(`not within ${ms} ms: ${what}`);
    },
    freeze(one) {
      one.state = 'frozen';
      instances.find((other) => other === one)!.frozenAt = time;
    },
    wake(one) {
      const found = instances.find((other) => other === one)!;
      one.state = 'running';
      found.clock.jump(time - found.frozenAt);
    },
    begin() {
      hasStarted = true;
    },
    shares: () => instances.filter(({ state }) => state === 'running').map(({ owned }) => owned.size),
  };
}
