/** One run: a world from one seed, its storm, and what must hold when it is over. */
import { violations } from './invariants/all.js';
import type { Ended } from './invariants/invariant.js';
import { mended, stoppedIn } from './mending.js';
import { catalogs } from './outside/catalogs.js';
import { channel } from './outside/channel.js';
import { receivers } from './outside/receivers.js';
import { remote } from './outside/remote.js';
import { wallets } from './outside/wallets.js';
import { type Shape, shapeOf } from './shape.js';
import { clerks } from './workload/clerks.js';
import { clients } from './workload/clients.js';
import { customers } from './workload/customers.js';
import { type Town, townOf } from './workload/town.js';
import { type Agenda, agenda as newAgenda, OUTSIDE } from './world/agenda.js';
import { type Chance, chance } from './world/chance.js';
import { takeOver } from './world/clocks.js';
import { cluster } from './world/cluster.js';
import { copyOf } from './world/engines.js';
import { type Fault, faults } from './world/faults.js';
import { storm } from './world/storm.js';
import { trace } from './world/trace.js';

export interface Outcome {
  readonly seed: number;
  /** The same for the same seed and the same product. */
  readonly hash: string;
  /** What does not hold; empty when all does. */
  readonly violations: readonly string[];
  readonly steps: number;
  /** ms of the world's time. */
  readonly took: number;
  readonly instances: number;
  readonly shared: boolean;
  readonly faults: readonly Fault[];
}

export interface RunOptions {
  /** Told each step. */
  readonly print?: (line: string) => void;
  /** Told what it has come to, before that is judged. */
  readonly ended?: (ended: Ended) => void;
}

/** For how long everything goes wrong, in ms. */
const STORM_MS = 25_000;
/** A wall clock that is set by more does not keep the order of a lane (docs/simulation.md, 'Its limits'). */
const CLOCK_SET_MS = 1_000;
const CUSTOMERS = 2;
const ACTIONS = 6;

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly shape: Shape;
  readonly town: Town;
  /** Is told what nobody handles, and what a clerk was told and is not so. */
  readonly wrong: string[];
}

/** From the first start of its instances until nothing is left to do. */
async function lived({
  agenda,
  random,
  shape,
  town,
  wrong,
}: Parts): Promise<{ ended: Ended; faults: readonly Fault[] }> {
  const data = copyOf(town.data);
  const weather = storm(agenda, random.fork('weather'), shape.rates);
  let isOver = false as boolean;
  const outside = (name: string) => remote(agenda, random.fork(name), () => isOver);
  const people = {
    provider: catalogs(outside('catalogs'), 'run', town.catalogs),
    messages: channel(outside('channel')),
    sender: receivers(outside('receivers')),
    payments: wallets(outside('wallets')),
  };
  const base = { agenda, weather, data, world: people };
  const all = cluster({ ...base, random: random.fork('cluster') }, shape.instances);
  for (const node of all.nodes) all.start(node);
  await agenda.until(() => all.nodes.every(({ instance }) => instance !== undefined));
  const { stores } = town;
  const api = clients(agenda, random.fork('clients'), all);
  const parts = { agenda, cluster: all, stores, forMs: STORM_MS };
  const busy = { actions: ACTIONS, pauseMs: STORM_MS / ACTIONS, wrong: (what: string) => void wrong.push(what) };
  const chats = { channel: people.messages, customers: CUSTOMERS };
  const shoppers = customers({ ...parts, ...chats, random: random.fork('customers') });
  const staff = clerks({ ...busy, random: random.fork('clerks'), clients: api, stores });
  const happened = faults({ ...parts, ...shape, random: random.fork('faults'), storm: weather, data });
  weather.begin();
  agenda.add(STORM_MS, OUTSIDE, 'the storm is over', () => {
    isOver = true;
    weather.end();
  });
  wrong.push(...(await mended({ ...parts, data, clerks: staff, customers: shoppers, isOver: () => isOver })));
  wrong.push(...(await stoppedIn(agenda, all)));
  const hasFailed = weather.failures > 0;
  const hasClockJumped = all.nodes.some(({ clockSetBy }) => clockSetBy > CLOCK_SET_MS);
  const ended = { data, town, people, shoppers, answered: api.answered, hasFailed, hasClockJumped };
  return { ended, faults: happened };
}

const real = { setImmediate };

export async function run(seed: number, { print, ended: told }: RunOptions = {}): Promise<Outcome> {
  const random = chance(`seed ${seed}`);
  const shape = shapeOf(random.fork('shape'));
  const town = await townOf(shape.shared);
  const traced = trace(print);
  const agenda = newAgenda(traced, () => new Promise((resolve) => void real.setImmediate(resolve)));
  const wrong: string[] = [];
  const unhandled = (error: unknown): void => void wrong.push(`nobody handled: ${(error as Error)?.stack ?? error}`);
  process.on('unhandledRejection', unhandled);
  const giveBack = takeOver(agenda, random.fork('platform'));
  try {
    const { ended, faults: happened } = await lived({ agenda, random, shape, town, wrong });
    told?.(ended);
    wrong.push(...violations(ended));
    traced.note(`${ended.data.log.events.length} events, ${wrong.join('\n')}`);
    const { instances, shared } = shape;
    const { steps, now: took } = agenda;
    return { seed, hash: traced.hash(), violations: wrong, steps, took, instances, shared, faults: happened };
  } finally {
    giveBack();
    process.off('unhandledRejection', unhandled);
  }
}
