/** Processors with many tasks on few lanes and many timers, while their store answers late and in any order. */
import type { DomainEvent } from '../../../domain/decider.js';
import { derivedId } from '../../../domain/ids.js';
import { createLeases } from '../../../engine/ownership/leases.js';
import { steadyClock, systemClock } from '../../../engine/ports/clock.js';
import { silentLog } from '../../../engine/ports/log.js';
import { defineProcessor, type Task } from '../../../engine/processors/processor.js';
import { createProcessorRuntime } from '../../../engine/processors/runtime.js';
import type { Process } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';
import { BEGINNING } from '../world/clocks.js';
import type { Connected } from '../world/engines.js';
import { pending } from '../world/pendingWork.js';
import type { Rates } from '../world/storm.js';
import type { Component, PartWorld } from './part.js';

/** `dueAt`: ms since 1970; absent: at once. `tries`: performances before it is done. */
type Noted = DomainEvent<'Noted', { label: string; lane: string; dueAt?: number; tries: number; ms: number }>;

const FOR_MS = 40_000;
const ENDED_MS = 30 * 60_000;
const LOOK_MS = 1_000;
const AGAIN_MS = 3_000;
const SHARDS = 2;
/** Number of timers that are due soon after they are noted. */
const SOON = 60;

/** The store of work is slow. In some worlds its changes also seem to fail. */
export function taskRates(random: Chance): Partial<Rates> {
  const share = random.one([0.2, 1]);
  const drag = { engines: ['work'], share, mostMs: random.one([100, 600, 3_000]) };
  return random.happens(0.3) ? { drag, failed: 0.05, engines: ['work'] } : { drag };
}

interface Performed {
  readonly label: string;
  readonly attempt: number;
  readonly by: Process;
}

const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not part of this world')) });

/** Expected performances of each task by its label, and the tasks that are due at once by lane. */
interface Expected {
  readonly times: ReadonlyMap<string, number>;
  readonly inOrder: ReadonlyMap<string, readonly string[]>;
}

/** Appends bursts of tasks to one lane, single tasks, and timers around the same times. */
function appending({ agenda, random, data, later }: PartWorld): Expected {
  const times = new Map<string, number>();
  const inOrder = new Map<string, string[]>();
  let count = 0;
  const lanes = Array.from({ length: 1 + random.below(4) }, (_, i) => `lane${i}`);
  const moments = Array.from({ length: 4 }, () => BEGINNING + random.between(5_000, 2 * FOR_MS));
  const note = (tasks: readonly Omit<Noted['data'], 'label'>[]): void => {
    const at = new Date(BEGINNING + agenda.now).toISOString();
    const events = tasks.map((one) => {
      const label = `t${count++}`;
      times.set(label, one.tries);
      if (one.dueAt === undefined) inOrder.set(one.lane, [...(inOrder.get(one.lane) ?? []), label]);
      const meta = { at, actor: { type: 'system' as const }, correlationId: 'part', workspaceId: one.lane };
      return { type: 'Noted', data: { ...one, label }, id: derivedId('part', count), meta };
    });
    data.log.append('note-1', 'any', events);
  };
  const tries = (): number => (random.happens(0.1) ? 2 : 1);
  const task = (lane: string, dueAt?: number) => ({
    lane,
    tries: tries(),
    ms: random.between(0, 80),
    ...(dueAt && { dueAt }),
  });
  for (let i = 0; i < 3; i++)
    later(random.between(0, FOR_MS), 'a burst', () => {
      const [lane, due] = [random.one(lanes), random.happens(0.5) ? Math.round(random.one(moments)) : undefined];
      note(Array.from({ length: 20 + random.below(120) }, () => task(lane, due)));
    });
  for (let i = 0; i < 30; i++)
    later(random.between(0, FOR_MS), 'a task', () => {
      const timer = random.one(moments) + random.between(-2_000, 2_000);
      note([task(random.one(lanes), random.happens(0.7) ? Math.round(timer) : undefined)]);
    });
  // Timers that are due soon, so that some are stored while due ones are read.
  const [from, every] = [random.between(0, FOR_MS / 2), random.between(40, 400)];
  for (let i = 0; i < SOON; i++)
    later(from + i * every, 'a timer', () =>
      note([task(random.one(lanes), Math.round(BEGINNING + agenda.now + random.between(100, 4_000)))]),
    );
  return { times, inOrder };
}

/** Ends processes in some worlds: a task may then be performed again. */
function ending(
  { random, later }: PartWorld,
  nodes: readonly string[],
  all: { kill(name: string): void; stop(name: string): void; start(name: string): void },
): void {
  if (random.happens(0.5)) return;
  for (let i = 0; i < 2; i++) {
    const [name, isKill] = [random.one(nodes), random.happens(0.5)];
    const at = random.between(0, FOR_MS);
    later(at, 'end', () => (isKill ? all.kill(name) : all.stop(name)));
    later(at + random.between(6_000, 12_000), 'start', () => all.start(name));
  }
}

/** Lists tasks that were not performed as often as expected, or twice by one process in one attempt. */
function misperformed(expected: ReadonlyMap<string, number>, performed: readonly Performed[]): string[] {
  const wrong: string[] = [];
  const seen = new Map<string, Performed>();
  const counts = new Map<string, number>();
  for (const one of performed) {
    const key = `${one.label} ${one.attempt}`;
    const before = seen.get(key);
    if (before?.by === one.by) wrong.push(`${one.by.name} performed ${one.label} twice, attempt ${one.attempt}`);
    if (before === undefined) counts.set(one.label, (counts.get(one.label) ?? 0) + 1);
    seen.set(key, one);
  }
  for (const [label, tries] of expected)
    if (counts.get(label) !== tries) wrong.push(`${label} was performed ${counts.get(label) ?? 0} times, not ${tries}`);
  return wrong;
}

/** Lists tasks that overtook earlier ones of their lane, although both were due at once. */
function overtaking(inOrder: Expected['inOrder'], performed: readonly Performed[]): string[] {
  const first = new Map<string, number>();
  for (const [i, { label }] of performed.entries()) if (!first.has(label)) first.set(label, i);
  return [...inOrder].flatMap(([lane, labels]) =>
    labels
      .filter((label, i) => i > 0 && (first.get(label) ?? Infinity) < (first.get(labels[i - 1]!) ?? Infinity))
      .map((label) => `${label} overtook an earlier task of ${lane}`),
  );
}

/** Runs the world of pending tasks. */
export async function liveTasks(world: PartWorld): Promise<void> {
  const { agenda, random, data, storm, wrong } = world;
  const performed: Performed[] = [];
  const stopped = new Set<string>();
  const isShared = random.happens(0.5);
  const nodes = isShared ? ['n1', 'n2'] : ['n1'];
  const processor = (life: Process) =>
    defineProcessor<Noted>({
      name: 'timers',
      categories: ['note'],
      on: {
        Noted: ({ id, data: { label, lane, dueAt, tries, ms } }) => [
          { id, kind: 'do', lane, payload: { label, tries, ms }, ...(dueAt !== undefined && { dueAt }) },
        ],
      },
      spread: ({ lane }) => lane,
      perform: {
        async do({ payload, attempt }: Task<{ label: string; tries: number; ms: number }>) {
          performed.push({ label: payload.label, attempt, by: life });
          await new Promise((resolve) => setTimeout(resolve, payload.ms));
          return attempt < payload.tries ? { again: { at: Date.now() + AGAIN_MS } } : { done: true };
        },
      },
    });
  async function begin(engines: Connected, instance: string, life: Process): Promise<Component> {
    const leases = isShared
      ? createLeases({ work: engines.work, clock: steadyClock, instance, log: silentLog })
      : undefined;
    const runtime = createProcessorRuntime({
      ...{ eventStore: engines.eventStore, work: engines.work, processors: [processor(life)], log: silentLog },
      ...{ commands: unused as never, reads: unused as never, clock: systemClock },
      ...(leases && { leases, shards: SHARDS }),
      metrics: { performed: () => undefined, stopped: () => void stopped.add(instance) },
    });
    await runtime.start();
    await leases?.start();
    return {
      async stop() {
        await leases?.stop();
        await runtime.stop();
      },
    };
  }
  const all = world.processes(begin);
  for (const name of nodes) all.start(name);
  storm.begin();
  const expected = appending(world);
  ending(world, nodes, all);
  await agenda.until(() => agenda.now > 2 * FOR_MS);
  storm.end();
  const end = agenda.now + ENDED_MS;
  let checkedAt = 0;
  let left: string[] = [];
  await agenda.until(() => {
    if (agenda.now - checkedAt < LOOK_MS) return false;
    checkedAt = agenda.now;
    left = pending(data, BEGINNING + agenda.now);
    return left.length === 0 || agenda.now > end;
  });
  wrong.push(...left.slice(0, 5), ...[...stopped].map((name) => `the processor of ${name} stopped`));
  wrong.push(...misperformed(expected.times, performed), ...overtaking(expected.inOrder, performed).slice(0, 3));
}
