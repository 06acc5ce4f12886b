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
  readonly cluster: Pick<Cluster, 'call' | 'start' | 'nodes'>;
  readonly stores: readonly Store[];
  /** Phones of customers who may be forgotten. */
  readonly phones: readonly string[];
  /** Period in which the operator acts, in ms. */
  readonly forMs: number;
  /** A customer may be forgotten, also in worlds whose kind forgets none. */
  readonly mayForget: boolean;
  readonly variation: Pick<Variation, 'rebuilds' | 'teams' | 'teamsWithinMs' | 'forgotten' | 'restartsFirst'>;
}

const REBUILD_SHARE = 0.4;
const FORGET_SHARE = 0.3;
/** Maximum time from the start of an instance to the command that forgets a customer, in ms. */
const FORGET_WITHIN_MS = 3_000;
const LOOK_MS = 20;
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
  mayForget,
  variation,
}: Parts): readonly string[] {
  /** Schedules a command. Invariants check the results at the end. */
  const order = (command: string, input: () => object, withinMs = forMs): void =>
    void agenda.add(random.between(0, withinMs), OUTSIDE, command, () => {
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
      order('teams.put', () => ({ workspace, team }), variation.teamsWithinMs);
    }
  }
  const one = (): string[] => (mayForget && random.happens(FORGET_SHARE) ? [random.one(phones)] : []);
  const forgotten = variation.forgotten === undefined ? one() : phones.slice(0, variation.forgotten);
  /** Starts an instance again, and forgets the customer shortly after it is ready. */
  const forgetAfterStart = (phone: string): void => {
    const later = (ms: number, what: string, run: () => void): void => void agenda.add(ms, OUTSIDE, what, run);
    const node = random.one(cluster.nodes);
    const forget = (): void => {
      if (node.instance === undefined) later(LOOK_MS, 'the instance is not ready', forget);
      else
        later(random.between(0, FORGET_WITHIN_MS), 'forget', () => {
          cluster.call('forget', ({ admin }) => executeAdmin(admin, 'forget', { phone })).catch(() => undefined);
        });
    };
    later(random.between(forMs / 3, forMs), 'start again', () => {
      cluster.start(node);
      forget();
    });
  };
  for (const phone of forgotten)
    if (variation.restartsFirst) forgetAfterStart(phone);
    else order('forget', () => ({ phone }));
  return forgotten;
}
