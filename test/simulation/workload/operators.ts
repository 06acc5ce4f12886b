/** An operator: has read models built again, teams made and customers forgotten, at moments that nobody has chosen. */

import { projections } from '../../../projections/index.js';
import { executeAdmin } from '../../../service/admin/adminCommands.js';
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';
import type { Cluster } from '../world/cluster.js';
import type { Store } from './store.js';

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly cluster: Pick<Cluster, 'call'>;
  readonly stores: readonly Store[];
  /** Of customers who may be forgotten. */
  readonly phones: readonly string[];
  /** For how long there is anything to do, in ms. */
  readonly forMs: number;
  /** Whether customers are forgotten, too. */
  readonly isHarsh: boolean;
}

const REBUILD_SHARE = 0.4;
const FORGET_SHARE = 0.3;
const TEAMS_SHARE = 0.04;
/** The customer is asked which one they want. */
const TEAMS = ['Sales', 'Support'];
const QUEUE = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 };

/** Answers whom it has forgotten, by number. */
export function operators({ agenda, random, cluster, stores, phones, forMs, isHarsh }: Parts): readonly string[] {
  /** What comes of it is looked at in the end. */
  const order = (command: string, input: () => object): void =>
    void agenda.add(random.between(0, forMs), OUTSIDE, command, () => {
      cluster.call(command, ({ admin }) => executeAdmin(admin, command, input())).catch(() => undefined);
    });
  const rebuilds = random.happens(REBUILD_SHARE) ? 1 + random.below(3) : 0;
  for (let i = 0; i < rebuilds; i++) order('projections.rebuild', () => ({ name: random.one(projections).name }));
  const more = random.fork('teams');
  if (more.happens(TEAMS_SHARE)) {
    const { workspaceId: workspace, memberId } = more.one(stores);
    for (const name of TEAMS) {
      const team = { name, color: 'chart-1', members: [{ memberId }], queue: QUEUE, workingHours: null };
      order('teams.put', () => ({ workspace, team }));
    }
  }
  const forgotten = isHarsh && random.happens(FORGET_SHARE) ? [random.one(phones)] : [];
  for (const phone of forgotten) order('forget', () => ({ phone }));
  return forgotten;
}
