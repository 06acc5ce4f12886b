/** Faults of instances and engines during a run's storm. */
import { type Agenda, OUTSIDE } from './agenda.js';
import type { Chance } from './chance.js';
import type { Cluster, Node } from './cluster.js';
import type { Data } from './engines.js';
import type { Storm } from './storm.js';

export type Fault = 'kill' | 'power' | 'stop' | 'freeze' | 'cut' | 'close' | 'jump';

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly storm: Storm;
  readonly cluster: Cluster;
  readonly data: Data;
  readonly forMs: number;
  readonly faults: number;
  /** Engines fail, too. */
  readonly failing: boolean;
  /** Clocks are set by hours, too. */
  readonly isHarsh: boolean;
  /** Faults to draw from; those of the engines' kind if absent. */
  readonly possible?: readonly Fault[] | undefined;
  /** Maximum time until a process starts again, in ms. */
  readonly backMs?: number | undefined;
}

const SHARED: readonly Fault[] = ['kill', 'kill', 'kill', 'stop', 'freeze', 'freeze', 'cut', 'cut', 'close', 'jump'];
const ALONE: readonly Fault[] = ['kill', 'kill', 'kill', 'power', 'power', 'stop', 'freeze', 'close', 'close', 'jump'];
const HOUR_MS = 3_600_000;
const BACK_MS = 9_000;
const ENGINES = ['log', 'views', 'work', 'vault'] as const;

/** Schedules the faults and returns them, in no particular order. */
export function faults({
  agenda,
  random,
  storm,
  cluster,
  data,
  forMs,
  faults: count,
  failing,
  isHarsh,
  possible: only,
  backMs = BACK_MS,
}: Parts): readonly Fault[] {
  const later = (ms: number, what: string, run: () => void): void => void agenda.add(ms, OUTSIDE, what, run);
  const comeBack = (node: Node): void =>
    later(random.between(20, backMs), `${node.name} comes back`, () => {
      if (node.process === undefined) cluster.start(node);
    });
  const happen: Readonly<Record<Fault, (node: Node) => void>> = {
    kill(node) {
      cluster.kill(node);
      comeBack(node);
    },
    /** Loses unsynced data. The log loses none, because it waits for the disk. */
    power(node) {
      cluster.kill(node);
      data.views.lose(random.below(30));
      data.work.lose(random.below(30));
      comeBack(node);
    },
    stop(node) {
      cluster.stop(node);
      comeBack(node);
      later(35_000, `${node.name} is there again`, () => {
        if (node.process === undefined) cluster.start(node);
      });
    },
    freeze(node) {
      if (node.process !== undefined) node.process.frozenUntil = agenda.now + random.between(200, 14_000);
    },
    cut(node) {
      if (node.process !== undefined)
        storm.cut(node.process, random.one([...ENGINES, 'clients']), random.between(300, 10_000));
    },
    close: () => storm.close(random.one(ENGINES), random.between(300, 6_000)),
    jump(node) {
      const ms = random.one([-400, 5_000, 120_000, ...(isHarsh ? [3 * HOUR_MS, -2 * HOUR_MS] : [])]);
      if (node.process === undefined) return;
      node.process.ahead += ms;
      node.clockSetBy = Math.max(node.clockSetBy, Math.abs(ms));
    },
  };
  const possible =
    only ?? (data.shared ? SHARED : ALONE).filter((one) => failing || (one !== 'cut' && one !== 'close'));
  return Array.from({ length: count }, () => {
    const fault = random.one(possible);
    const node = random.one(cluster.nodes);
    later(random.between(0, forMs), `${fault} ${node.name}`, () => happen[fault](node));
    return fault;
  });
}
