/** The EventStoreDB adapter while the nodes of a cluster answer late, not at all, or with the leader that is frozen. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { type EventStore, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { freshNames } from '../contracts/eventStoreKit.js';
import { randomOf } from '../crash/random.js';
import { until } from '../support/doubles/fakeClock.js';
import { type FakeCluster, type FakeNode, fakeCluster } from '../support/doubles/fakeCluster.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

/** Maximum time from the moment at which a majority names the new leader, in ms. */
const REACH_MS = 3_000;
/** Extra time allowed for a busy machine. */
const SLACK_MS = 1_500;

interface Course {
  readonly what: string;
  /** Runs after the first node is frozen. Resolves when the second and the third node name the second. */
  elect(second: FakeNode, third: FakeNode, leader: string): Promise<void>;
}

const COURSES: readonly Course[] = [
  {
    what: 'the third names the frozen one for 4 s longer than the second',
    async elect(second, third, leader) {
      second.publish({ leader, role: 'leader' });
      await wait(4_000);
      third.publish({ leader });
    },
  },
  {
    what: 'the new leader does not answer for 3 s, and takes no appends at first',
    async elect(second, third, leader) {
      second.publish({ leader, role: 'notReady' });
      second.freeze();
      third.publish({ leader });
      await wait(3_000);
      second.publish({ role: 'leader' });
      second.thaw();
    },
  },
];

/** Seeds of further courses, and the longest time until a node names the new leader, ms. By hand: `VOTES=20 VOTES_MS=10000`. */
const DRAWN = Number(process.env.VOTES ?? 1);
const LATEST_MS = Number(process.env.VOTES_MS ?? 2_500);

/** Until a node names the new leader, it names the old one, none, or does not answer. */
const BEFORE = ['the old leader', 'no leader', 'nothing'] as const;

/** A node's answer before it names the new leader, and its duration. */
const drawn = (random: () => number) => ({
  before: BEFORE[Math.floor(random() * BEFORE.length)]!,
  ms: Math.floor(random() * LATEST_MS),
});

function drawnCourse(seed: number): Course {
  const random = randomOf(seed);
  const votes = [drawn(random), drawn(random)] as const;
  const votesOf = (node: FakeNode, { before, ms }: (typeof votes)[0], reported: Parameters<FakeNode['publish']>[0]) => {
    if (before === 'no leader') node.publish({ leader: null });
    if (before === 'nothing') node.freeze();
    return wait(ms).then(() => {
      node.publish(reported);
      node.thaw();
    });
  };
  const [second, third] = votes.map(({ before, ms }) => `${before} for ${ms} ms`);
  return {
    what: `seed ${seed}, the second names ${second}, the third ${third}`,
    async elect(one, other, leader) {
      await Promise.all([votesOf(one, votes[0], { leader, role: 'leader' }), votesOf(other, votes[1], { leader })]);
    },
  };
}

describe('EventStoreDB adapter, a frozen leader and disagreeing nodes', () => {
  const { stream, event } = freshNames();
  let stage: EndpointStage;
  let cluster: FakeCluster;
  let store: EventStore;
  beforeEach(async () => {
    stage = await endpointStage();
    cluster = await fakeCluster(stage.address, async ({ address }) => address);
    store = await openEventStoreDb(`esdb://${cluster.hosts}?tls=false`, { timeoutMs: 2_000 });
  });
  afterEach(async () => {
    for (const node of cluster.nodes) node.thaw();
    await store.close();
    cluster.close();
    await stage.close();
  });

  /** Writes until `during` resolves. Returns the time from then to the next acknowledged event, in ms. */
  async function msUntilWritten(by: EventStore, during: () => Promise<void>): Promise<number> {
    const s = stream();
    let written = 0;
    let going = true;
    const writing = (async () => {
      while (going) {
        const expected = written === 0 ? 'noStream' : written - 1;
        const one = event(`${s}-${written}`);
        for (let stored = false; !stored && going; )
          stored = await by.append(s, expected, [one]).then(
            () => true,
            (error: unknown) => {
              expect(error).to.be.instanceOf(StoreUnavailable);
              return false;
            },
          );
        written += 1;
        await wait(5);
      }
    })();
    try {
      await until('it writes', () => written > 20);
      await during();
      const before = written;
      const began = performance.now();
      await until('it writes again', () => written > before + 1);
      return performance.now() - began;
    } finally {
      going = false;
      await writing;
    }
  }

  it('reaches the new leader in time if the URL names only the frozen one', async () => {
    const [first, second, third] = cluster.nodes;
    const one = await openEventStoreDb(`esdb://${first.address}?tls=false`, { timeoutMs: 2_000 });
    try {
      const ms = await msUntilWritten(one, async () => {
        first.freeze();
        await wait(500);
        second.publish({ leader: second.address, role: 'leader' });
        third.publish({ leader: second.address });
      });
      expect(ms).to.be.below(REACH_MS + SLACK_MS);
    } finally {
      await one.close();
    }
  });

  const seeds = Array.from({ length: DRAWN }, (_, seed) => drawnCourse(seed + 1));
  for (const { what, elect } of [...COURSES, ...seeds])
    it(`reaches the new leader within ${REACH_MS / 1000} s after a majority names it: ${what}`, async () => {
      const [first, second, third] = cluster.nodes;
      const ms = await msUntilWritten(store, async () => {
        first.freeze();
        await wait(500);
        await elect(second, third, second.address);
      });
      expect(ms).to.be.below(REACH_MS + SLACK_MS);
    });
});
