/** An operator who rebuilds read models, creates teams and forgets customers at random times. */

import { projections } from '../../../projections/index.js';
import { executeAdmin } from '../../../service/admin/adminCommands.js';
import type { Variation } from '../kinds.js';
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';
import type { Cluster } from '../world/cluster.js';
import type { Store } from './store.js';

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly cluster: Pick<Cluster, 'call'>;
  readonly stores: readonly Store[];
  /** Phones of customers who may be forgotten. */
  readonly phones: readonly string[];
  /** Period in which the operator acts, in ms. */
  readonly forMs: number;
  /** Customers may be forgotten, too. */
  readonly isHarsh: boolean;
  readonly variation: Pick<Variation, 'rebuilds' | 'teams' | 'forgotten'>;
}

const REBUILD_SHARE = 0.4;
const FORGET_SHARE = 0.3;
const TEAMS_SHARE = 0.04;
/** Teams that the customer can choose from. */
const TEAMS = ['Sales', 'Support'];
const QUEUE = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 };

/** Returns the numbers of the forgotten customers. */
export function operators({
  agenda,
  random,
  cluster,
  stores,
  phones,
  forMs,
  isHarsh,
  variation,
}: Parts): readonly string[] {
  /** Schedules a command. Invariants check the results at the end. */
  const order = (command: string, input: () => object): void =>
    void agenda.add(random.between(0, forMs), OUTSIDE, command, () => {
      cluster.call(command, ({ admin }) => executeAdmin(admin, command, input())).catch(() => undefined);
    });
  const rebuilds = variation.rebuilds ?? (random.happens(REBUILD_SHARE) ? 1 + random.below(3) : 0);
  // In a world of many rebuilds, the same few models are rebuilt again and again.
  const few = variation.rebuilds && Array.from({ length: 3 }, () => random.one(projections));
  for (let i = 0; i < rebuilds; i++)
    order('projections.rebuild', () => ({ name: random.one(few || projections).name }));
  const more = random.fork('teams');
  if (more.happens(variation.teams ?? TEAMS_SHARE)) {
    const { workspaceId: workspace, memberId } = more.one(stores);
    for (const name of TEAMS) {
      const team = { name, color: 'chart-1', members: [{ memberId }], queue: QUEUE, workingHours: null };
      order('teams.put', () => ({ workspace, team }));
    }
  }
  const once = (): string[] => (random.happens(FORGET_SHARE) ? [random.one(phones)] : []);
  const several = (count: number): string[] => phones.slice(0, count);
  const forgotten = !isHarsh ? [] : variation.forgotten === undefined ? once() : several(variation.forgotten);
  for (const phone of forgotten) order('forget', () => ({ phone }));
  return forgotten;
}
