/** A tenant that sends as many of the most expensive bodies as it may, concurrently with others. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { callService } from '../../service/admin/adminClient.js';
import { adminSocketPath } from '../../service/admin/protocol.js';

export interface Tenant {
  readonly workspaceId: string;
  readonly key: string;
}

/** A store of a partner of its own, on the service of this folder. */
export async function anotherTenant(folder: string): Promise<Tenant> {
  const run = <R>(command: string, input: object): Promise<R> =>
    callService(adminSocketPath(folder), command, input) as Promise<R>;
  await run('plans.put', { key: 'other', name: 'Other', features: [{ key: 'commerce.catalog' }] });
  const { id } = await run<{ id: string }>('partners.create', { name: 'Other', slug: 'other', plan: 'other' });
  const { workspaceId } = await run<{ workspaceId: string }>('stores.create', {
    partner: id,
    externalRef: 'other',
    name: 'Other store',
    ownerEmail: 'owner@example.com',
    ownerName: 'Owner',
    country: 'SO',
    timezone: 'Africa/Mogadishu',
  });
  const { key } = await run<{ key: string }>('keys.create', {
    workspace: workspaceId,
    mode: 'test',
    scopes: ['commerce:manage'],
  });
  return { workspaceId, key };
}

export interface FloodOptions extends Tenant {
  readonly baseUrl: string;
  readonly connections: number;
  /** Bodies that are refused, or the largest that are good. */
  readonly bodies: 'refused' | 'good';
}

/** How many requests were answered, by status. */
export type Answered = Readonly<Record<number, number>>;

export interface Flood {
  /** Resolves when what is under way has ended. */
  stop(): Promise<Answered>;
}

/** Sends the bodies one after another, from a thread of its own: sending them must not keep who measures waiting. */
export async function flood(options: FloodOptions): Promise<Flood> {
  const worker = new Worker(new URL('./floodThread.js', import.meta.url), { workerData: options });
  await once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      const [answered] = (await once(worker, 'message')) as [Answered];
      return answered;
    },
  };
}
