import type { Holder, Lease } from '../../../engine/ownership/lease.js';
import type { Leases } from '../../../engine/ownership/leases.js';

export interface HandLeases extends Pick<Leases, 'hold' | 'ownerOf'> {
  /** Number of times that each lease was reported to have a newer owner. */
  readonly fenced: Map<string, number>;
  take(name: string): Promise<void>;
  lose(name: string): Promise<void>;
  handOver(name: string): Promise<void>;
}

/** Leases that a test grants and revokes. `first`: fence of the first lease. */
export function handLeases(first = 1): HandLeases {
  const holders = new Map<string, Holder>();
  const owned = new Map<string, Lease>();
  const fenced = new Map<string, number>();
  let fence = first;
  return {
    fenced,
    hold: (name, holder) => void holders.set(name, holder),
    ownerOf: (name) => (owned.has(name) ? 'here' : undefined),
    async take(name) {
      const isOwned = (): boolean => owned.get(name) === lease;
      const lease: Lease = {
        name,
        fence: fence++,
        valid: isOwned,
        isOwned: isOwned,
        fenced: () => void fenced.set(name, (fenced.get(name) ?? 0) + 1),
      };
      owned.set(name, lease);
      await holders.get(name)!.acquired(lease);
    },
    async lose(name) {
      owned.delete(name);
      await holders.get(name)!.lost('lost');
    },
    async handOver(name) {
      await holders.get(name)!.lost('handover');
      owned.delete(name);
    },
  };
}
