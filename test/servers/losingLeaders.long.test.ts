/** The run of the contract suites that loses a leader, with nodes and tests that are made up. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { fakeCluster } from '../support/doubles/fakeCluster.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';
import { eventStoreLeader, leaderWithin } from './leaders.js';
import { losingTheLeader } from './losingLeaders.js';

const NODES = ['127.0.0.1:2111', '127.0.0.1:2112'] as const;

/** Prints three tests as mocha does, waits until `lost` is there, prints another and ends with `code`. */
const suiteThatWaitsFor = (lost: string, code: number): readonly [string, ...string[]] => [
  process.execPath,
  '-e',
  `console.log('  ✔ one\\n  ✔ two');
   console.log('  ✔ three');
   const timer = setInterval(() => {
     if (!require('node:fs').existsSync(${JSON.stringify(lost)})) return;
     clearInterval(timer);
     console.log('  ✔ four');
     process.exitCode = ${code};
   }, 5);`,
];

describe('the contract suites on real servers', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  let runs = 0;

  /** Two nodes, the first of which leads until it is killed. */
  function run(command: (lost: string) => readonly [string, ...string[]], after = 3) {
    const lost = join(folder.path, `lost-${++runs}`);
    const done: string[] = [];
    const lines: string[] = [];
    const result = losingTheLeader({
      cluster: { name: 'eventstore', leader: async () => NODES[existsSync(lost) ? 1 : 0] },
      command: command(lost),
      after,
      async docker(...args) {
        done.push(`${args.join(' ')} after ${lines.join('').match(/✔/g)?.length}`);
        if (args[0] === 'kill') writeFileSync(lost, '');
      },
      log: (text) => void lines.push(text),
    });
    return { result, done, said: lines };
  }

  it('stop the leading container in the middle of the tests, and restart it at the end', async () => {
    const { result, done, said } = run((lost) => suiteThatWaitsFor(lost, 0));
    expect(await result).to.equal(0);
    expect(done).to.deep.equal(['kill suuq-eventstore-2111 after 3', 'start suuq-eventstore-2111 after 4']);
    expect(said.join('')).to.match(/suuq-eventstore-2111 led, and is killed[\s\S]*suuq-eventstore-2112 leads now/);
  });

  it('fail if the tests fail', async () => {
    expect(await run((lost) => suiteThatWaitsFor(lost, 3)).result).to.equal(3);
  });

  it('fail if they end before a leader was lost', async () => {
    const { result, done } = run(() => [process.execPath, '-e', "console.log('  ✔ one')"]);
    expect(String(await failureOf(result))).to.match(/ended with 0 before 3 had passed/);
    expect(done).to.deep.equal([]);
  });

  describe('determine the leader', () => {
    let stage: EndpointStage;
    before(async () => {
      stage = await endpointStage();
    });
    after(() => stage.close());

    it('by gossip, before and after an election', async () => {
      const cluster = await fakeCluster(stage.address, async ({ address }) => address);
      const leader = () => eventStoreLeader(`esdb://${cluster.hosts}?tls=false`);
      try {
        const [first, second] = cluster.nodes;
        expect(await leader()).to.equal(first.address);
        first.kill();
        await cluster.elect();
        expect(await leaderWithin(10_000, 'eventstore', leader, first.address)).to.equal(second.address);
      } finally {
        cluster.close();
      }
    });

    it('and name the engine without one', async () => {
      const nobody = () => eventStoreLeader('esdb://127.0.0.1:1,127.0.0.1:2?tls=false');
      expect(await nobody()).to.equal(undefined);
      expect(String(await failureOf(leaderWithin(600, 'eventstore', nobody)))).to.match(
        /no node of eventstore leads after 0.6 s/,
      );
    });
  });
});
