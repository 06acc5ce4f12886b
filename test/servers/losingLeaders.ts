/** A run of tests on a real cluster that loses its leader in the middle. */
import { spawn } from 'node:child_process';
import { leaderWithin } from './leaders.js';

/** Mark that mocha prints before each passed test. */
const PASSED = /✔/g;
const LEADER_MS = 60_000;

export interface Cluster {
  /** Name of the containers, as in `suuq-{name}-{port}`. */
  readonly name: string;
  leader(): Promise<string | undefined>;
}

export interface Losing {
  readonly cluster: Cluster;
  readonly command: readonly [string, ...string[]];
  /** Tests that have passed when the leader is killed. */
  readonly after: number;
  /** Runs `docker …args`. */
  docker(...args: string[]): Promise<void>;
  log(text: string): void;
}

const containerOf = (cluster: Cluster, leader: string): string => `suuq-${cluster.name}-${leader.split(':').at(-1)}`;

/**
 * Runs the command, kills the leader's container when `after` tests have passed, waits for another leader, and restarts
 * the container at the end. Resolves to the command's exit code. Rejects if there is no leader, or if the command ends
 * before the kill.
 */
export async function losingTheLeader({ cluster, command, after, docker, log }: Losing): Promise<number> {
  await leaderWithin(LEADER_MS, cluster.name, cluster.leader);
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const middle = new Promise<void>((resolve) => {
    let passed = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log(text);
      passed += text.match(PASSED)?.length ?? 0;
      if (passed >= after) resolve();
    });
  });
  const isMiddle = await Promise.race([middle.then(() => true), exited.then(() => false)]);
  if (!isMiddle) throw new Error(`the tests ended with ${await exited} before ${after} had passed: no leader was lost`);
  const lost = await leaderWithin(LEADER_MS, cluster.name, cluster.leader);
  const container = containerOf(cluster, lost);
  await docker('kill', container);
  log(`\n--- ${container} led, and is killed\n`);
  try {
    const next = await leaderWithin(LEADER_MS, cluster.name, cluster.leader, lost);
    log(`\n--- ${containerOf(cluster, next)} leads now\n`);
    return await exited;
  } finally {
    if (child.exitCode === null) child.kill();
    await docker('start', container);
  }
}
