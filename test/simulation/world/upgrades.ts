/** Instances that join late, and a release with newer read models that reaches the instances one after another. */
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { projections } from '../../../projections/index.js';
import { type Agenda, OUTSIDE } from './agenda.js';
import type { Chance } from './chance.js';
import type { Cluster, Node } from './cluster.js';

const JOIN_SHARE = 0.2;
const RELEASE_SHARE = 0.15;
/** Maximum number of read models with a new version in a release. */
const MOST_CHANGED = 3;
const LOOK_MS = 2_000;

export interface Upgrades {
  /** Returns the read models of an instance that starts now. */
  readonly current: () => readonly AnyProjection[];
  /** Starts the instances, some at once and some later, and restarts all of them for a release. */
  start(cluster: Cluster): void;
}

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  /** Period in which anything changes, in ms. */
  readonly forMs: number;
  /** All instances start at once, without a release. */
  readonly isCalm: boolean;
}

export function upgrades({ agenda, random, forMs, isCalm }: Parts): Upgrades {
  const isReleased = !isCalm && random.happens(RELEASE_SHARE);
  const releasedAt = random.between(0, forMs);
  const changed = new Set(Array.from({ length: 1 + random.below(MOST_CHANGED) }, () => random.one(projections)));
  const released = projections.map((one) => (changed.has(one) ? { ...one, version: one.version + 1 } : one));

  /** Restarts the node until it runs the release. */
  function upgrade(cluster: Cluster, node: Node): void {
    if (node.startedAt >= releasedAt && node.process !== undefined) return;
    if (node.process === undefined) cluster.start(node);
    else cluster.stop(node);
    agenda.add(LOOK_MS, OUTSIDE, `look whether ${node.name} is upgraded`, () => upgrade(cluster, node));
  }

  return {
    current: () => (isReleased && agenda.now >= releasedAt ? released : projections),
    start(cluster) {
      const [first, ...others] = cluster.nodes;
      cluster.start(first!);
      for (const node of others) {
        const join = (): void => {
          if (node.process === undefined) cluster.start(node);
        };
        if (!isCalm && random.happens(JOIN_SHARE))
          agenda.add(random.between(0, forMs), OUTSIDE, `${node.name} joins`, join);
        else join();
      }
      if (!isReleased) return;
      let at = releasedAt;
      for (const node of cluster.nodes) {
        agenda.add(at, OUTSIDE, `upgrade ${node.name}`, () => upgrade(cluster, node));
        at += random.between(0, 5_000);
      }
    },
  };
}
