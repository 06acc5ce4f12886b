/** The instances of a run: started, killed, frozen, stopped; and calls on whichever of them is there. */
import type { Log } from '../../../engine/ports/log.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { type Agenda, OUTSIDE, type Process, process } from './agenda.js';
import type { Chance } from './chance.js';
import { connect, type Data } from './engines.js';
import { type Instance, startInstance, type World } from './instance.js';
import type { Weather } from './wire.js';

export interface Node {
  readonly name: string;
  /** Of the life that it has now; undefined while it is down. */
  process: Process | undefined;
  /** Once it takes requests. */
  instance: Instance | undefined;
  lives: number;
  /** When that life began, in ms of the world; before all where it has none yet. */
  begunAt: number;
  /** The most that a wall clock of it was set by at once, in ms. */
  clockSetBy: number;
}

export interface Cluster {
  readonly nodes: readonly Node[];
  start(node: Node): void;
  /** It is no more, in the middle of whatever it did. */
  kill(node: Node): void;
  /** Ends it as an operator does; it may be killed meanwhile. */
  stop(node: Node): void;
  /** Calls one that is up. Rejects with Silence when none is, or it gives no answer in time. */
  call<T>(what: string, run: (instance: Instance) => Promise<T>): Promise<T>;
}

/** Whoever called does not know what became of it. */
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
  /** Where instances log. */
  readonly log: Log;
  /** How long a caller waits for an answer, in ms. */
  readonly patienceMs: number;
  /** Read models of an instance that starts now. */
  readonly current: () => readonly AnyProjection[];
}

export function cluster(
  { agenda, random, weather, data, world, log, patienceMs, current }: Parts,
  size: number,
): Cluster {
  const nodes = Array.from({ length: size }, (_, i): Node => {
    return { name: `n${i + 1}`, process: undefined, instance: undefined, lives: 0, begunAt: -1, clockSetBy: 0 };
  });

  function kill(node: Node): void {
    if (node.process !== undefined) node.process.alive = false;
    node.process = undefined;
    node.instance = undefined;
  }

  function start(node: Node): void {
    kill(node);
    node.lives += 1;
    node.begunAt = agenda.now;
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
    // As an operator's tools do with one that does not end.
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
            // An answer may be lost, too.
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
