/** `suuq seed`: fills a test store with goods, customers, orders and chats, as the first start fills the demo store. */
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { DomainError, refuse } from '../../domain/decider.js';
import type { SeedTarget } from '../../service/admin/seedTargets.js';
import { facts } from '../../service/admin/text.js';
import { type DemoFile, isUnseeded, readDemoFile } from '../../service/folder/demoFile.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import { dataFolderOf } from '../../service/settings/settings.js';
import { type CliCommand, type CliHost, directCommand, type Execute, type Typed } from '../command.js';
import type { Seeded } from '../seed/seed.js';
import { untilStopped } from '../untilStopped.js';

const CONTINUE = 'Stopped. Run the same command again to continue.';

/** Returns the store's workspace id: the named one, or that of the demo. Refuses `no_demo`. */
function storeOf(typed: Typed, folder: string, demo: DemoFile | undefined): string {
  return (
    typed.one('workspace') ??
    demo?.store.workspaceId ??
    refuse('no_demo', `The installation in ${folder} has no demo store. Name a store with --workspace ID.`)
  );
}

/** Runs work with the demo partner's key, or with a new key that is revoked afterwards. */
async function withKey<R>(
  execute: Execute,
  target: SeedTarget,
  demo: DemoFile | undefined,
  work: (key: string) => Promise<R>,
): Promise<R> {
  const { partnerId, workspaceId } = target;
  if (demo !== undefined && partnerId === demo.partner.id) return work(demo.partner.secretKey);
  const keyOptions = { workspace: workspaceId, mode: 'test', kind: 'secret', scopes: WORKSPACE_SCOPES };
  const { id, key } = (await execute('keys.create', keyOptions)) as { readonly id: string; readonly key: string };
  try {
    return await work(key);
  } finally {
    await execute('keys.revoke', { id });
  }
}

async function seeded(typed: Typed, { env = {}, inService }: CliHost): Promise<Seeded> {
  const folder = dataFolderOf(env);
  const execute = inService ?? refuse('not_running', `No service runs on ${folder}.`);
  const demo = readDemoFile(folder);
  const workspace = storeOf(typed, folder, demo);
  const target = (await execute('seed.target', { workspace })) as SeedTarget;
  const { baseUrl = '', sandboxUrl } = readServiceCard(folder) ?? {};
  if (sandboxUrl === undefined)
    return refuse('no_sandbox', 'The service has no sandbox (SUUQ_SANDBOX is off), so no customers can be simulated.');
  const { workspaceId, phoneNumberId } = target;
  if (workspaceId === demo?.store.workspaceId && isUnseeded(folder))
    return refuse('already_seeding', 'The service is still filling the demo store. See its log.');
  const [{ withClient }, { seedStore }] = await Promise.all([
    import('../remote/apiCalls.js'),
    import('../seed/seed.js'),
  ]);
  const stopping = new AbortController();
  const { signal } = stopping;
  // The key is revoked before the command ends.
  void untilStopped().then(() => stopping.abort(new DomainError('stopped', CONTINUE)));
  return withKey(execute, target, demo, (key) =>
    withClient({ baseUrl, key }, (client) =>
      seedStore({ client, workspaceId, sandboxUrl, phoneNumberId, signal, execute }),
    ),
  );
}

export const seedCommands: readonly CliCommand[] = [
  directCommand<Seeded>({
    words: ['seed'],
    about: 'Fill a test store with products, customers, orders and chats.',
    options: { workspace: { value: 'ID', about: "The store's workspace id. Default: that of the demo." } },
    direct: seeded,
    text: (result) => facts({ ...result }),
  }),
];
