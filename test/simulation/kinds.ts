/**
 * Kinds of worlds. Half of the seeds draw an ordinary world, in which a little of everything fails. The others draw a
 * world with dense faults of one sort, in which nothing else can fail, so the strict invariants hold there
 * (docs/internals/simulation.md, 'Kinds of worlds').
 */
import type { Outage } from './outages.js';
import type { Chance } from './world/chance.js';
import type { Fault } from './world/faults.js';
import type { Rates } from './world/storm.js';

export const KINDS = [
  ...(['ordinary', 'unsure', 'queues', 'rebuilds', 'outages', 'vault', 'crowd', 'payments'] as const),
  ...(['newcomers', 'takeovers', 'windows', 'erasures'] as const),
] as const;
export type Kind = (typeof KINDS)[number];

/** Differences of a kind's world from an ordinary one. Absent members are as in ordinary worlds. */
export interface Variation {
  /** Customers per store. */
  readonly customers?: number;
  /** Actions of each clerk. */
  readonly actions?: number;
  /** Share of a clerk's actions that also rotate the secret of an endpoint. */
  readonly rotations?: number;
  /** Share of a clerk's actions that also change stock or fees. */
  readonly stock?: number;
  /** Share of a clerk's actions that also create or delete a promotion. */
  readonly promotions?: number;
  /** Share of a clerk's actions that also upload a number list. */
  readonly lists?: number;
  /** Number of rebuilds of read models. */
  readonly rebuilds?: number;
  /** Share of worlds in which an operator creates teams. */
  readonly teams?: number;
  /** Maximum time after which a team exists, in ms; any time of the storm if absent. */
  readonly teamsWithinMs?: number;
  /** Further customers per store, who write only one message. */
  readonly newcomers?: number;
  /** Each store starts with a discount for all its customers, with fewer uses than customers. */
  readonly promised?: boolean;
  /** Share of worlds in which customers pay from another number. */
  readonly relatives?: number;
  /** Share of worlds in which the channel names customers in several ways. */
  readonly names?: number;
  /**
   * Customers named in several ways are named by one name at a time, until they get a form to pay again or a question
   * about a payer. Then they are merged.
   */
  readonly mergedLate?: boolean;
  /** Share of customers whose first cart was delivered almost a day late, so that their window is about to end. */
  readonly late?: number;
  /** Share of deliveries that arrive twice at the same time. */
  readonly twice?: number;
  /** Share of forms that are answered a second time. */
  readonly again?: number;
  /** Share of charges that cannot reach the payment provider, and of customers who decide late or decline. */
  readonly charges?: { readonly unreachable?: number; readonly slow?: number; readonly declined?: number };
  /** Share of messages that the channel accepts and denies, and of those that it refuses. */
  readonly channel?: { readonly lying?: number; readonly busy?: number };
  /** Longest time between two deliveries of one update by the channel, in ms. */
  readonly againMs?: number;
  /** Number of customers to forget. */
  readonly forgotten?: number;
  /** The instance is killed and starts again just before a customer is forgotten. */
  readonly restartsFirst?: boolean;
  /** Share of the first two attempts of a webhook that are answered with an error. */
  readonly refusing?: number;
  /** Period in which customers send carts, in ms; the storm if absent. */
  readonly cartsWithinMs?: number;
  /** Bursts of messages from one customer. */
  readonly bursts?: number;
  /** Faults of instances to draw from. */
  readonly possible?: readonly Fault[];
  /** Maximum time until a process starts again after it ended, in ms. */
  readonly backMs?: number;
  readonly outages?: readonly Outage[];
}

export interface Shape {
  readonly kind: Kind;
  readonly instances: number;
  /** Engines are servers shared by several instances. Otherwise they are files of the only instance. */
  readonly shared: boolean;
  /** Engines fail. Otherwise only processes end, freeze and get a wrong clock. */
  readonly failing: boolean;
  readonly faults: number;
  readonly rates: Rates;
  /** Duration of the storm, in ms. */
  readonly stormMs: number;
  /** Maximum time a caller waits for an answer, in ms. */
  readonly patienceMs: number;
  readonly variation?: Variation;
}

type Drawn = Omit<Shape, 'kind'>;

const NONE: Rates = {
  ...{ refused: 0, lost: 0, unanswered: 0, late: 0, partly: 0, failed: 0 },
  ...{ slow: 0, slowMs: 0, quickMs: 4 },
};
const BASE = { shared: true, failing: false, faults: 0, patienceMs: 12_000, stormMs: 25_000, rates: NONE };
/** Maximum duration of a call of a slow store, in ms. */
const DRAG_MS = 5_000;

/** The outcome of changes in one engine is often unknown. Work, with its leases, never fails. */
function unsure(random: Chance): Drawn {
  const engine = random.one(['log', 'log', 'log', 'log', 'views', 'vault']);
  const rate = random.between(0.05, 0.15);
  const rates = { ...NONE, failed: rate, unanswered: rate / 4, late: rate / 8, engines: [engine] };
  const away = { share: random.between(0.3, 0.9), mostMs: random.between(500, 5_000) };
  const instances = 1 + random.below(2);
  // Views have no effects outside: builds that fail to open or to be announced matter there.
  if (engine === 'views')
    return {
      ...BASE,
      instances,
      faults: 4,
      rates: { ...rates, refused: rate, away },
      variation: { rebuilds: 6, customers: 1, possible: ['stop', 'kill'] },
    };
  return {
    ...BASE,
    instances,
    rates: { ...rates, away },
    variation: {
      ...{ actions: 8, customers: 3, rotations: 0.5, stock: 0.5, promotions: 0.7, relatives: 0.7, again: 0.4 },
      charges: { unreachable: 0.4, slow: 0.4 },
      teams: 0.3,
      possible: [],
    },
  };
}

/** The store of work is slow and answers in any order, while one lane gets many tasks at once. */
function queues(random: Chance): Drawn {
  const drag = { engines: ['work'], share: random.one([0.3, 1]), mostMs: random.one([400, 1_500, DRAG_MS]) };
  return {
    ...BASE,
    instances: 1 + random.below(2),
    rates: { ...NONE, drag },
    patienceMs: 60_000,
    variation: { bursts: 2, refusing: random.one([0.1, 0.6]), possible: [] },
  };
}

/** Read models are rebuilt all the time, by slow stores, while shards move between instances. */
function rebuilds(random: Chance): Drawn {
  const engines = random.one([['views'], ['log', 'views']]);
  const drag = { engines, share: random.one([0.1, 0.4, 1]), mostMs: random.one([400, 1_500, DRAG_MS]) };
  return {
    ...BASE,
    instances: 2 + random.below(2),
    faults: 2 + random.below(4),
    rates: { ...NONE, drag },
    patienceMs: 60_000,
    variation: { rebuilds: 12, customers: 1, actions: 3, possible: ['stop', 'kill', 'freeze'] },
  };
}

const FIRST_AT_MS = 5_000;
const BETWEEN_MS = 15_000;

/** One engine after another is unavailable for longer than a few retries take. */
function outages(random: Chance): Drawn {
  const all: Outage[] = [];
  let at = FIRST_AT_MS;
  for (let n = 0; n < 2; n++) {
    const engine = random.one(['log', 'views', 'work'] as const);
    const ms = random.between(60_000, 180_000);
    all.push({ engine, fate: random.one(['refused', 'lost'] as const), at, ms });
    at += ms + BETWEEN_MS;
  }
  return { ...BASE, instances: 1, stormMs: at, variation: { customers: 1, outages: all, possible: [] } };
}

/** The vault fails or is slow, while many new people come and some are forgotten. */
function vault(random: Chance): Drawn {
  const isSlow = random.happens(0.5);
  const failed = random.between(0.1, 0.4);
  const rates: Rates = isSlow
    ? { ...NONE, drag: { engines: ['vault'], share: 1, mostMs: DRAG_MS } }
    : { ...NONE, refused: failed, failed: failed / 4, engines: ['vault'] };
  return {
    ...BASE,
    instances: 1 + random.below(2),
    rates,
    patienceMs: 60_000,
    variation: { lists: 0.9, customers: 1, forgotten: 3, possible: [] },
  };
}

/** Many customers are named in several ways and are merged. Most payments fail, so that they pay again. */
function crowd(random: Chance): Drawn {
  const drag = { engines: ['log'], share: 1, mostMs: random.one([200, 1_000]) };
  return {
    ...BASE,
    instances: 2,
    rates: random.happens(0.5) ? { ...NONE, drag } : NONE,
    variation: {
      ...{ customers: 5, names: 1, relatives: 0.7, actions: 4, teams: 0.5, twice: 0.4, again: 0.2 },
      mergedLate: random.fork('merges').happens(0.5),
      charges: { unreachable: 0.5, declined: 0.5 },
      possible: [],
    },
  };
}

/** Duration of the storm in which customers pay again, and of the period before in which they send carts, in ms. */
const PAYING_MS = 80_000;
const CARTS_WITHIN_MS = 20_000;

/**
 * One instance serves many customers who pay, while appends are often written and answered as failed. In half of the
 * worlds most payments fail or take long, so that customers pay again. In the others a promised discount is used up.
 */
function payments(random: Chance): Drawn {
  const failed = random.between(0.1, 0.3);
  const more = random.fork('flow');
  const payAgain = more.happens(0.5);
  const charges = payAgain ? { unreachable: 0.5, slow: 0.7, declined: 0.3 } : { unreachable: 0.1, slow: 0.2 };
  return {
    ...BASE,
    instances: 1,
    rates: {
      ...NONE,
      failed,
      refused: random.one([0, 0.05]),
      engines: ['log'],
      away: { share: 0.9, mostMs: random.one([500, 3_000]) },
    },
    variation: {
      ...{ actions: 2, customers: 5, relatives: 0.5, again: 0.5, stock: 0.5, promotions: 0.5 },
      ...{ charges, promised: !payAgain, possible: [] },
      ...(payAgain && { cartsWithinMs: CARTS_WITHIN_MS }),
    },
    ...(payAgain && { stormMs: PAYING_MS }),
  };
}

/** Many customers write for the first time to a store with teams. Two instances get each message at the same time. */
function newcomers(random: Chance): Drawn {
  const drag = { engines: ['log'], share: 1, mostMs: random.one([100, 300, 1_000]) };
  return {
    ...BASE,
    instances: 2,
    rates: { ...NONE, drag },
    variation: { actions: 1, customers: 1, newcomers: 8, teams: 1, teamsWithinMs: 1_000, twice: 0.9, possible: [] },
  };
}

/**
 * The only instance ends often and starts soon, while many messages are being sent. The channel never fails, and
 * reports the status of each message within seconds.
 */
function takeovers(random: Chance): Drawn {
  const shared = random.happens(0.3);
  return {
    ...BASE,
    ...{ shared, instances: 1, faults: 12, patienceMs: 1_000 },
    variation: {
      ...{ actions: 8, customers: 4, againMs: 1_000, backMs: 4_000 },
      channel: { lying: 0, busy: 0 },
      possible: shared ? ['kill'] : ['kill', 'power'],
    },
  };
}

/** Customers write when their window of 24 hours is about to end. The channel often accepts a message and denies it. */
function windows(random: Chance): Drawn {
  return {
    ...BASE,
    instances: 1 + random.below(2),
    variation: { actions: 3, customers: 6, late: 0.9, channel: { lying: 0.5 }, possible: [] },
  };
}

/** The only instance starts again just before each customer is forgotten, and loads keys from a slow vault. */
function erasures(random: Chance): Drawn {
  const drag = { engines: ['vault'], share: random.one([0.5, 1]), mostMs: random.one([2_000, DRAG_MS]) };
  return {
    ...BASE,
    ...{ shared: random.happens(0.3), instances: 1, patienceMs: 60_000 },
    rates: { ...NONE, drag },
    variation: { actions: 3, customers: 4, forgotten: 1 + random.below(2), restartsFirst: true },
  };
}

const DRAWN = {
  ...{ unsure, queues, rebuilds, outages, vault, crowd, payments },
  ...{ newcomers, takeovers, windows, erasures },
};

/** Draws a kind: an ordinary world in half of the cases. No seed draws the last five. */
export const kindOf = (random: Chance): Kind =>
  random.happens(0.5)
    ? 'ordinary'
    : random.one([
        'unsure',
        'unsure',
        'unsure',
        'queues',
        'queues',
        'rebuilds',
        'rebuilds',
        'outages',
        'vault',
        'crowd',
      ]);

/** Draws the world of a kind. */
export const drawn = (kind: Exclude<Kind, 'ordinary'>, random: Chance): Drawn => DRAWN[kind](random);
