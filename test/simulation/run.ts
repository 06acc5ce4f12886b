/** One run: a world from one seed, its storm, and the invariants that must hold afterwards. */
import { type Log, silentLog } from '../../engine/ports/log.js';
import { violations } from './invariants/all.js';
import type { Ended } from './invariants/invariant.js';
import type { Kind, Shape, Variation } from './kinds.js';
import { mended, stoppedIn } from './mending.js';
import { cartAround, endOf, type Outage, plan } from './outages.js';
import { catalogs } from './outside/catalogs.js';
import { channel } from './outside/channel.js';
import { receivers } from './outside/receivers.js';
import { remote } from './outside/remote.js';
import { wallets } from './outside/wallets.js';
import { chanceOf, shapeOfSeed } from './shape.js';
import { clerks } from './workload/clerks.js';
import { clients } from './workload/clients.js';
import { customers } from './workload/customers.js';
import { listedByForm } from './workload/listings.js';
import { operators } from './workload/operators.js';
import { type Town, townOf } from './workload/town.js';
import { type Agenda, agenda as newAgenda, OUTSIDE } from './world/agenda.js';
import type { Chance } from './world/chance.js';
import { takeOver } from './world/clocks.js';
import { cluster } from './world/cluster.js';
import { copyOf } from './world/engines.js';
import { type Fault, faults } from './world/faults.js';
import { openedData } from './world/openedData.js';
import { type Rates, storm } from './world/storm.js';
import { trace } from './world/trace.js';
import { upgrades } from './world/upgrades.js';

export interface Outcome {
  readonly seed: number;
  readonly kind: string;
  /** Hash of the run: the same for the same seed and product. */
  readonly hash: string;
  /** Violated invariants; empty if all hold. */
  readonly violations: readonly string[];
  readonly steps: number;
  /** Duration in simulated ms. */
  readonly took: number;
  readonly instances: number;
  readonly shared: boolean;
  readonly faults: readonly Fault[];
}

export interface RunOptions {
  /** Receives each step. */
  readonly print?: (line: string) => void;
  /** Receives the result before the invariants are checked. */
  readonly ended?: (ended: Ended) => void;
  /** Outages, one after another, in a world of one instance without other faults. */
  readonly outages?: readonly Outage[];
  /** With `outages`: engines are servers instead of files of the instance. */
  readonly shared?: boolean;
  /** Also forgets customers and sets clocks by hours (docs/internals/simulation.md, 'Harsh worlds'). */
  readonly harsh?: boolean | undefined;
  /** Kind of the world. Absent: the seed draws it. */
  readonly kind?: Kind | undefined;
}

const NO_VARIATION: Variation = {};

/** Maximum clock change that preserves the order within a lane, in ms (docs/internals/simulation.md, 'Limits'). */
const CLOCK_SET_MS = 1_000;
const CUSTOMERS = 2;
/** Customers per store in a world of planned outages. */
const MORE_CUSTOMERS = 6;
const ACTIONS = 6;

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly shape: Shape;
  readonly town: Town;
  readonly outages: readonly Outage[] | undefined;
  readonly log: Log;
  readonly isHarsh: boolean;
  /** Collects unhandled errors and answers to clerks that are wrong. */
  readonly wrong: string[];
}

/** Runs the world from its first start until nothing is left to do. */
async function lived({
  agenda,
  random,
  shape,
  town,
  outages,
  log,
  isHarsh,
  wrong,
}: Parts): Promise<{ ended: Ended; faults: readonly Fault[] }> {
  const data = copyOf(town.data);
  const weather = storm(agenda, random.fork('weather'), shape.rates);
  let isOver = false as boolean;
  const isCalm = outages !== undefined;
  const forMs = isCalm ? endOf(outages) : shape.stormMs;
  const outside = (name: string) => remote(agenda, random.fork(name), () => isOver || isCalm);
  const people = {
    provider: catalogs(outside('catalogs'), 'run', town.catalogs),
    messages: channel(outside('channel'), shape.variation?.channel),
    sender: receivers(outside('receivers'), shape.variation?.refusing),
    payments: wallets(outside('wallets'), shape.variation?.charges),
  };
  const base = { agenda, weather, data, world: people };
  const { kind, patienceMs, instances, variation = NO_VARIATION } = shape;
  const isOrdinary = kind === 'ordinary';
  const releases = upgrades({ agenda, random: random.fork('upgrades'), forMs, isCalm: isCalm || !isOrdinary });
  const { current } = releases;
  const all = cluster({ ...base, random: random.fork('cluster'), patienceMs, log, current }, instances);
  releases.start(all);
  await agenda.until(() => all.nodes.some(({ instance }) => instance !== undefined));
  const { stores } = town;
  const api = clients(agenda, random.fork('clients'), all);
  const parts = { agenda, cluster: all, stores, forMs };
  const { actions = ACTIONS } = variation;
  const busy = { actions, variation, pauseMs: forMs / actions, wrong: (what: string) => void wrong.push(what) };
  const crowd = isCalm
    ? { customers: MORE_CUSTOMERS, cartAt: cartAround(outages, random.fork('carts')) }
    : {
        customers: variation.customers ?? CUSTOMERS,
        ...(variation.outages && { cartAt: cartAround(variation.outages, random.fork('carts')) }),
      };
  const chats = { channel: people.messages, variation, ...crowd };
  const shoppers = customers({
    ...parts,
    ...chats,
    isOrdinary: isOrdinary && !isCalm,
    isHarsh: isHarsh && !isCalm,
    random: random.fork('customers'),
  });
  const { phones } = shoppers;
  const staff = clerks({ ...busy, random: random.fork('clerks'), clients: api, stores, phones });
  const forgotten = isCalm
    ? []
    : operators({ ...parts, variation, random: random.fork('operators'), phones, mayForget: isHarsh || isOrdinary });
  const { possible, backMs } = variation;
  const drawn = { ...shape, possible, backMs, isHarsh: isHarsh && isOrdinary };
  const happened = faults({ ...parts, ...drawn, random: random.fork('faults'), storm: weather, data });
  weather.begin();
  plan(agenda, weather, outages ?? variation.outages ?? []);
  agenda.add(forMs, OUTSIDE, 'the storm is over', () => {
    isOver = true;
    weather.end();
    // Operators correct clocks that are off by more than a second.
    for (const { process: life } of all.nodes)
      if (life !== undefined && Math.abs(life.ahead) > CLOCK_SET_MS) life.ahead = 0;
  });
  wrong.push(
    ...(await mended({ ...parts, storm: weather, data, clerks: staff, customers: shoppers, isOver: () => isOver })),
  );
  wrong.push(...(await stoppedIn(agenda, all)));
  const listed = await listedByForm(agenda, api, stores[0]!);
  const hasFailed = weather.failures() > 0;
  const hasClockJumped = all.nodes.some(({ clockSetBy }) => clockSetBy > CLOCK_SET_MS);
  const opened = await openedData(data);
  wrong.push(...opened.lost);
  const alone = all.nodes.length === 1 ? all.nodes[0]?.process?.name : undefined;
  const mayLoseLeases = data.shared && (weather.failures('work') > 0 || happened.includes('freeze'));
  const outcome = {
    kind,
    town,
    people,
    shoppers,
    answered: api.answered,
    listed,
    hasFailed,
    hasClockJumped,
    alone,
    mayLoseLeases,
    isUndisturbed: happened.length === 0 && !variation.restartsFirst,
  };
  const ended = { ...outcome, data: opened.data, erased: opened.erased, forgotten };
  return { ended, faults: happened };
}

/** Logs warnings and errors of the instances as lines of the trace. */
function logTo(print: RunOptions['print']): Log {
  if (print === undefined) return silentLog;
  const line = ({ err, ...fields }: { readonly err?: unknown }, message: string): void =>
    print(`    ${message} ${JSON.stringify(fields)} ${err instanceof Error ? err.stack : ''}`);
  return { ...silentLog, warn: line, error: line };
}

const real = { setImmediate };

const CALM: Rates = {
  refused: 0,
  lost: 0,
  unanswered: 0,
  late: 0,
  partly: 0,
  failed: 0,
  slow: 0,
  slowMs: 0,
  quickMs: 4,
};
const calm = (shared: boolean): Shape => ({
  ...{ kind: 'ordinary', instances: 1, shared, failing: false, faults: 0, rates: CALM, stormMs: 0, patienceMs: 12_000 },
});

export async function run(seed: number, options: RunOptions = {}): Promise<Outcome> {
  const { print, ended: reported, outages, harsh = false } = options;
  const random = chanceOf(seed);
  const shape = outages === undefined ? shapeOfSeed(seed, options.kind) : calm(options.shared ?? false);
  const town = await townOf(shape.shared);
  const traced = trace(print);
  const agenda = newAgenda(traced, () => new Promise((resolve) => void real.setImmediate(resolve)));
  const wrong: string[] = [];
  const unhandled = (error: unknown): void => void wrong.push(`nobody handled: ${(error as Error)?.stack ?? error}`);
  process.on('unhandledRejection', unhandled);
  const giveBack = takeOver(agenda, random.fork('platform'));
  try {
    const { ended, faults: happened } = await lived({
      agenda,
      random,
      shape,
      town,
      outages,
      wrong,
      log: logTo(print),
      isHarsh: harsh,
    });
    reported?.(ended);
    wrong.push(...violations(ended));
    traced.note(`${ended.data.log.events.length} events, ${wrong.join('\n')}`);
    const { kind, instances, shared } = shape;
    const { steps, now: took } = agenda;
    return { seed, kind, hash: traced.hash(), violations: wrong, steps, took, instances, shared, faults: happened };
  } finally {
    giveBack();
    process.off('unhandledRejection', unhandled);
  }
}
