/** `suuq seed`: whether a store may be filled with goods and customers that do not exist. Used by the command line alone. */
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { REFUSED, stores } from '../../projections/stores.js';
import type { AdminReads } from './context.js';
import { type AdminCommand, adminQuery } from './declaration.js';
import { id } from './options.js';
import { facts } from './text.js';

/** A store that may be filled. */
export interface SeedTarget {
  readonly workspaceId: string;
  readonly partnerId?: string;
  /** The channel's id of the store's number. */
  readonly phoneNumberId: string;
}

/** Most keys of a store that are read. */
const MOST_KEYS = 1000;

/** A live store has real customers, who would find goods that nobody sells. */
async function requireTestStore({ reads }: AdminReads, workspaceId: string, testKeys: unknown): Promise<void> {
  if (testKeys === REFUSED) refuse('live_store', `Store ${workspaceId} is live: it refuses the test mode.`);
  const keys = await reads.find(apiKeys, { where: { ownerId: workspaceId }, sort: ['createdAt'], limit: MOST_KEYS });
  if (keys.some(({ body: { mode, revokedAt } }) => mode === 'live' && revokedAt === undefined))
    refuse('live_store', `Store ${workspaceId} is live: it has an active key of the live mode.`);
}

async function numberOf({ reads }: AdminReads, workspaceId: string): Promise<string> {
  const [number] = await reads.find(channelNumbers, { where: { workspaceId }, limit: 1 });
  return (
    number?.body.phoneNumberId ??
    refuse(
      'number_not_connected',
      `The store has no number. Run 'suuq admin numbers connect --workspace ${workspaceId}' to connect one.`,
    )
  );
}

const target = adminQuery({
  name: 'seed.target',
  about: 'Check that a store may be seeded.',
  options: { workspace: id("The store's workspace id.") },
  /** Refuses `not_found`, `store_closed`, `live_store` and `number_not_connected`. */
  async run(work, { workspace: workspaceId }): Promise<SeedTarget> {
    const found = await work.reads.get(stores, workspaceId);
    if (found === undefined) return refuse('not_found', `There is no store ${workspaceId}.`);
    const { status } = found.body;
    if (status !== 'active') refuse('store_closed', `Store ${workspaceId} is ${status}, so it accepts no orders.`);
    const { partnerId, testKeys } = found.keys;
    await requireTestStore(work, workspaceId, testKeys);
    const phoneNumberId = await numberOf(work, workspaceId);
    return {
      workspaceId,
      phoneNumberId,
      ...defined({ partnerId: typeof partnerId === 'string' ? partnerId : undefined }),
    };
  },
  text: (result) => facts({ ...result }),
});

export const seedTargetCommands: readonly AdminCommand[] = [target];
