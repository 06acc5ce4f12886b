/** Metrics of the proofs: progress of the tree, and age of the signed heads. */
import type { Registry } from 'prom-client';
import type { Clock } from '../../../engine/ports/clock.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import type { TreeMaintainer } from '../../proofs/treeMaintainer.js';
import { gauge } from './metrics.js';

export interface WatchedProofs {
  readonly maintainer: Pick<TreeMaintainer, 'state'>;
  readonly eventStore: Pick<EventStore, 'head'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Adds the gauges of the instance that updates the tree; other instances have none. */
export function proofGauges(registry: Registry, { maintainer, eventStore, clock }: WatchedProofs): void {
  if (maintainer.state() === undefined) return;
  const since = (at: number | undefined): number => (at === undefined ? 0 : Math.max(0, clock.now() - at) / 1000);
  const size = 'Events in the proof tree. 0 until the first check.';
  gauge(registry, 'suuq_proofs_events', size, undefined, (set) => set(maintainer.state()!.events));
  const behind = 'Lag of the proof tree behind the log, in seconds. 0 when it is up to date.';
  gauge(registry, 'suuq_proofs_behind_seconds', behind, undefined, async (set) => {
    const head = await eventStore.head();
    const { position, checkedAt } = maintainer.state()!;
    set(head > position ? since(checkedAt) : 0);
  });
  const unsigned =
    'Age of the oldest event of the tree without a signed head, in seconds. 0 when all events are covered.';
  gauge(registry, 'suuq_proofs_unsigned_seconds', unsigned, undefined, (set) =>
    set(since(maintainer.state()!.unsignedSince)),
  );
}
