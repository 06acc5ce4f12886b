/** Output of a start; the demo partner and store of the first start, and `demo.json` for scripts. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { ConsoleDemoBody } from '../../api/console/contract.js';
import { PARTNER_SCOPES, WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { DomainError } from '../../domain/decider.js';
import { partnerSlug } from '../../domain/partners/partner.js';
import { executeAdmin } from '../admin/adminCommands.js';
import { type AdminContext, runAdmin } from '../admin/context.js';
import { parsedFile } from '../folder/damagedFiles.js';
import type { DataFolder } from '../folder/dataFolder.js';
import type { DemoFile } from '../folder/demoFile.js';
import { writePrivateFile } from '../folder/privateFile.js';
import { noteUnseeded } from './demoSeeding.js';
import { type ServedLog, servedText } from './servedLog.js';

export type { DemoFile };

export interface Addresses {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
}

const FILE = 'demo.json';
/** The plan's key, and the partner's slug. */
const DEMO = 'demo';
const STORE_REF = 'demo-store';
const FEATURES = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'].map((key) => ({ key }));

const write = (folder: DataFolder, demo: DemoFile): void =>
  writePrivateFile(folder.file(FILE), `${JSON.stringify(demo, null, 2)}\n`);

const isWhole = ({ store, partner, channel }: DemoFile): boolean =>
  [store?.workspaceId, store?.secretKey, partner?.secretKey].every((value) => typeof value === 'string') &&
  typeof channel === 'object';

/** Exists until the demo is complete: the start after a crash continues to create it. */
const MARK = 'demo.unfinished';

/** Before the first event of a new folder. `empty`: it belongs to nobody yet. */
export function beginDemo(folder: DataFolder, empty: boolean): void {
  if (empty && !existsSync(folder.file(FILE))) writePrivateFile(folder.file(MARK), '');
}

/** Creates the demo by commands, each retried while an engine is unavailable. */
interface Maker {
  readonly folder: DataFolder;
  /** True if the new demo store is to be filled. */
  readonly filled: boolean;
  readonly admin: AdminContext;
  patient<T>(step: () => Promise<T>): Promise<T>;
}

/**
 * Makes the demo where it is begun; keeps its addresses right at every start. Undefined: this folder has no demo. Throws
 * FileDamaged.
 */
export async function demoStore(
  maker: Maker,
  { baseUrl, sandboxUrl }: Addresses,
): Promise<{ demo: DemoFile; isNew: boolean } | undefined> {
  const { folder, admin } = maker;
  const path = folder.file(FILE);
  const webhookUrl = admin.channel.webhookUrl;
  if (existsSync(path)) {
    const before = parsedFile<DemoFile>(FILE, readFileSync(path, 'utf8'), isWhole);
    const demo = { ...before, baseUrl, channel: { ...before.channel, webhookUrl }, sandbox: { baseUrl: sandboxUrl } };
    write(folder, demo);
    return { demo, isNew: false };
  }
  if (!existsSync(folder.file(MARK))) return undefined;
  const demo = await create(maker, { baseUrl, sandboxUrl });
  if (maker.filled) noteUnseeded(folder);
  write(folder, demo);
  rmSync(folder.file(MARK));
  return { demo, isNew: true };
}

/** Escapes a path within a script's text between double quotes of a shell. */
const scriptText = (path: string): string =>
  path.replace(/[^\p{L}\p{N}._/ -]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** Facts of the demo that the documentation's pages need. */
export const shownDemo = (demo: DemoFile | undefined): ConsoleDemoBody | undefined =>
  demo && {
    store: {
      workspaceId: demo.store.workspaceId,
      externalRef: demo.store.externalRef,
      secretKey: demo.store.secretKey,
    },
    partner: { secretKey: demo.partner.secretKey },
  };

/** The log was empty when the demo was begun: who has the slug was made by this start, or by one that was killed. */
async function partnerOfDemo(admin: AdminContext): Promise<{ readonly id: string }> {
  try {
    return (await executeAdmin(admin, 'partners.create', { name: 'Demo partner', slug: DEMO, plan: DEMO })) as {
      id: string;
    };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'name_taken') throw error;
    return runAdmin(admin, async (work) => ({
      id: await work.commands().query(partnerSlug, DEMO, (holder) => holder!.partnerId),
    }));
  }
}

async function create({ admin, patient }: Maker, { baseUrl, sandboxUrl }: Addresses): Promise<DemoFile> {
  const run = <R>(command: string, input: object): Promise<R> =>
    patient(() => executeAdmin(admin, command, input) as Promise<R>);
  const secret = (owner: object, scopes: readonly string[]): Promise<{ key: string }> =>
    run('keys.create', { ...owner, kind: 'secret', mode: 'test', scopes });
  const publishable = (owner: object): Promise<{ key: string }> =>
    run('keys.create', { ...owner, kind: 'publishable', mode: 'test', scopes: [] });

  await run('plans.put', { key: DEMO, name: 'Demo', features: FEATURES });
  const { id } = await patient(() => partnerOfDemo(admin));
  const { workspaceId } = await run<{ workspaceId: string }>('stores.create', {
    partner: id,
    externalRef: STORE_REF,
    name: 'Demo store',
    ownerEmail: 'owner@example.com',
    ownerName: 'Demo owner',
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'en',
  });
  const number = await run<DemoFile['channel']>('numbers.connect', { workspace: workspaceId });
  const [partnerSecret, partnerPublishable, storeSecret, storePublishable] = await Promise.all([
    secret({ partner: id }, [...PARTNER_SCOPES, ...WORKSPACE_SCOPES]),
    publishable({ partner: id }),
    secret({ workspace: workspaceId }, WORKSPACE_SCOPES),
    publishable({ workspace: workspaceId }),
  ]);
  const { webhookUrl, verifyToken, appSecret, phoneNumberId, displayPhoneNumber, catalogId } = number;
  return {
    baseUrl,
    partner: { id, secretKey: partnerSecret.key, publishableKey: partnerPublishable.key },
    store: {
      workspaceId,
      externalRef: STORE_REF,
      secretKey: storeSecret.key,
      publishableKey: storePublishable.key,
    },
    channel: { webhookUrl, verifyToken, appSecret, phoneNumberId, displayPhoneNumber, catalogId },
    sandbox: { baseUrl: sandboxUrl },
  };
}

const FILLING = 'The demo store gets products, customers and orders within a minute; SUUQ_DEMO=empty leaves them out.';

/** Output of a start: addresses, and for a demo three commands to try. The keys are in demo.json. */
export function banner(options: {
  readonly baseUrl: string;
  readonly sandboxUrl?: string;
  readonly data: string;
  /** Engines that store the data outside the folder. */
  readonly engines?: readonly string[];
  readonly endpoint?: ServedLog;
  /** A link into the console, which works once. */
  readonly consoleLink?: string;
  readonly demo?: DemoFile;
  readonly isNew: boolean;
  /** True while the demo store is being filled. */
  readonly isUnseeded?: boolean;
}): string {
  const { baseUrl, sandboxUrl, demo, isNew, engines = [], endpoint, consoleLink } = options;
  // `require` in the commands below takes a relative path only with its dot.
  const data = /^[./]/.test(options.data) ? options.data : `./${options.data}`;
  const place = engines.length === 0 ? `with its data in ${data}` : `on ${engines.join(' and ')}`;
  const lines = [`Suuq runs at ${baseUrl} (open it in a browser), ${place}.`];
  if (endpoint !== undefined) lines.push(servedText(endpoint, data));
  if (sandboxUrl !== undefined) lines.push(`The sandbox, where you act as a customer, is at ${sandboxUrl}.`);
  if (consoleLink !== undefined)
    lines.push(
      `The console is at ${consoleLink}`,
      'This link works once, within ten minutes; `npx suuq console` makes another.',
    );
  if (demo !== undefined) {
    const key = `$(node -p "require('${scriptText(data)}/demo.json').store.secretKey")`;
    const store = `${baseUrl}/api/v1/workspaces/${demo.store.workspaceId}/commerce`;
    const auth = `-H "Authorization: Bearer ${key}"`;
    lines.push(
      '',
      ...(options.isUnseeded === true ? [FILLING, ''] : []),
      isNew ? `A demo partner and store were made; their keys are in ${data}/demo.json. Try:` : 'Try:',
      '',
      `  curl -X PUT ${store}/products/shirt-1 ${auth} \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '{"name":"Cotton shirt","imageUrls":["https://images.example.com/shirt.jpg"],"priceCents":1500}'`,
      '',
      `  curl ${store}/products ${auth}`,
      '',
      `  curl ${store}/orders ${auth}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
