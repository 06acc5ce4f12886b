/** The instances of a run: starting, killing, freezing and stopping them, and calls to any running one. */
import type { Log } from '../../../engine/ports/log.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { type Agenda, OUTSIDE, type Process, process } from './agenda.js';
import type { Chance } from './chance.js';
import { connect, type Data } from './engines.js';
import { type Instance, startInstance, type World } from './instance.js';
import type { Weather } from './wire.js';

export interface Node {
  readonly name: string;
  /** Current process; undefined while the node is down. */
  process: Process | undefined;
  /** Instance that accepts requests; undefined until it is ready. */
  instance: Instance | undefined;
  lives: number;
  /** Start of the current process in simulated ms; before the first start it precedes every time. */
  startedAt: number;
  /** Largest single change of its wall clock, in ms. */
  clockSetBy: number;
}

export interface Cluster {
  readonly nodes: readonly Node[];
  start(node: Node): void;
  /** Ends the process abruptly. */
  kill(node: Node): void;
  /** Stops the instance as an operator does. It may be killed meanwhile. */
  stop(node: Node): void;
  /** Calls a running instance. Rejects with Silence if there is none, or if the answer does not come in time. */
  call<T>(what: string, run: (instance: Instance) => Promise<T>): Promise<T>;
}

/** Rejection of a call without an answer. The caller does not know its outcome. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

const RESTART_MS = 1_000;

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly weather: Weather;
  readonly data: Data;
  readonly world: World;
  /** Log of the instances. */
  readonly log: Log;
  /** Maximum time a caller waits for an answer, in ms. */
  readonly patienceMs: number;
  /** Returns the read models of an instance that starts now. */
  readonly current: () => readonly AnyProjection[];
}

export function cluster(
  { agenda, random, weather, data, world, log, patienceMs, current }: Parts,
  size: number,
): Cluster {
  const nodes = Array.from({ length: size }, (_, i): Node => {
    return { name: `n${i + 1}`, process: undefined, instance: undefined, lives: 0, startedAt: -1, clockSetBy: 0 };
  });

  function kill(node: Node): void {
    if (node.process !== undefined) node.process.alive = false;
    node.process = undefined;
    node.instance = undefined;
  }

  function start(node: Node): void {
    kill(node);
    node.lives += 1;
    node.startedAt = agenda.now;
    const life = process(`${node.name}.${node.lives}`);
    node.process = life;
    const engines = connect(agenda, weather, data, life);
    const options = { name: node.name, engines, shared: data.shared, world, log, projections: current() };
    const up = (instance: Instance): void => {
      if (node.process === life) node.instance = instance;
    };
    const failed = (): void => {
      if (node.process !== life) return;
      kill(node);
      agenda.add(RESTART_MS, OUTSIDE, `start ${node.name} again`, () => {
        if (node.process === undefined) start(node);
      });
    };
    agenda.add(0, life, 'start', () => void startInstance(options).then(up, failed));
  }

  function stop(node: Node): void {
    const { process: life, instance } = node;
    if (life === undefined || instance === undefined) return;
    node.instance = undefined;
    const ended = (): void => {
      if (node.process === life) kill(node);
    };
    agenda.add(0, life, 'stop', () => void instance.stop().then(ended, ended));
    // Process supervisors kill an instance that does not stop.
    agenda.add(30_000, OUTSIDE, `kill ${life.name}`, ended);
  }

  return {
    nodes,
    start,
    kill,
    stop,
    call(what, run) {
      const ready = nodes.filter(({ instance }) => instance !== undefined);
      return new Promise((resolve, reject) => {
        agenda.add(patienceMs, OUTSIDE, `${what} gives up`, () => reject(new Silence(what)));
        if (ready.length === 0) return;
        const { process: life, instance } = random.one(ready);
        const answer = (outcome: () => void): void =>
          void agenda.add(weather.latency(), OUTSIDE, `${what} answered`, () => {
            // Answers may be lost, too.
            if (weather.cutUntil(life!, 'clients') === 0) outcome();
          });
        const arrive = (): void =>
          void run(instance!).then(
            (value) => answer(() => resolve(value)),
            (error: unknown) => answer(() => reject(error)),
          );
        agenda.add(weather.latency(), life!, what, arrive);
      });
    },
  };
}
