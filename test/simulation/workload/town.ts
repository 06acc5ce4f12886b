/**
 * Two stores that every run starts with. The service creates them once without faults, and each run starts with their
 * events.
 */
import { phoneReader } from '../../../application/phones.js';
import { PARTNER_SCOPES, WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { silentLog } from '../../../engine/ports/log.js';
import { projections } from '../../../projections/index.js';
import { executeAdmin } from '../../../service/admin/adminCommands.js';
import { type CatalogContent, catalogs } from '../outside/catalogs.js';
import { channel } from '../outside/channel.js';
import { receivers } from '../outside/receivers.js';
import { remote } from '../outside/remote.js';
import { wallets } from '../outside/wallets.js';
import { agenda as newAgenda } from '../world/agenda.js';
import { chance } from '../world/chance.js';
import { BEGINNING, takeOver } from '../world/clocks.js';
import { cluster } from '../world/cluster.js';
import { type Data, data } from '../world/engines.js';
import { pending } from '../world/pendingWork.js';
import { storm } from '../world/storm.js';
import { trace } from '../world/trace.js';
import { type Clients, clients } from './clients.js';
import type { Store } from './store.js';
import { AREA, COUPON, MOST_USES } from './wares.js';

export interface Town {
  readonly stores: readonly Store[];
  /** Data of the stores on engines of this kind. */
  readonly data: Data;
  readonly catalogs: readonly CatalogContent[];
}

const QUIET = { refused: 0, lost: 0, unanswered: 0, late: 0, partly: 0, failed: 0, slow: 0, slowMs: 1, quickMs: 1 };
const FEATURES = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];
const HOUR_MS = 3_600_000;
const STILL_MS = 5_000;
/** Maximum steps until the town comes to rest. It needs a tenth of that. */
const MOST_STEPS = 100_000;

const product = (name: string, priceCents: number) => ({
  name,
  imageUrls: ['https://cdn.example.com/1.jpg'],
  priceCents,
});

const TOLD = [
  ...['order.created', 'order.checked_out', 'order.paid', 'order.payment_failed', 'order.status_changed'],
  ...['order.refunded', 'message.received', 'message.updated', 'product.sync_changed'],
];

/** Sets up a store before its first customer. */
async function furnish({ send }: Clients, store: Store, isMain: boolean): Promise<void> {
  const made = async (operation: string, body: object, params = {}): Promise<void> => {
    const answer = await send(store, { operation, body, params });
    if (answer === undefined || answer.status > 299) throw new Error(`${operation}: ${JSON.stringify(answer?.body)}`);
  };
  for (const [id, name, cents] of [
    ['shirt', 'Linen shirt', 1_200],
    ['scarf', 'Scarf', 550],
    ['cap', 'Cap', 300],
  ] as const)
    await made('upsertProduct', product(name, cents), { externalId: id });
  const delivery = { deliveryEnabled: true, pickupEnabled: true, pickupAddress: 'Market', requestLocation: false };
  const areas = [{ name: AREA, feeCents: 100, active: true }];
  const notifyStatuses = ['paid', 'preparing', 'cancelled', 'refunded'];
  await made('saveDeliverySettings', { ...delivery, notifyStatuses, areas });
  const coupon = { kind: 'coupon', code: COUPON, name: 'Eid', percentOff: 10, maxRedemptions: MOST_USES };
  await made('createPromotion', { ...coupon, maxPerCustomer: 1 });
  if (isMain)
    await made('createPromotion', {
      kind: 'flash_sale',
      name: 'Scarves',
      percentOff: 20,
      scope: 'products',
      productExternalIds: ['scarf'],
    });
  if (store.takesPayments) {
    await made('savePaymentSettings', { merchantId: 'M0912269', apiKey: '1000297:API-1901083745AHX' });
    await made('savePaymentWallets', { wallets: ['evc_plus'] });
  }
  await made('createWebhookEndpoint', { url: `https://hooks.example.com/${store.workspaceId}`, events: TOLD });
  if (isMain)
    await made('createWebhookEndpoint', { url: 'https://books.example.com/orders', events: TOLD.slice(0, 6) });
}

async function built(shared: boolean): Promise<Town> {
  await phoneReader();
  const real = setImmediate;
  const agenda = newAgenda(trace(), () => new Promise((resolve) => void real(resolve)));
  const random = chance('town');
  const giveBack = takeOver(agenda, random.fork('platform'), BEGINNING - HOUR_MS);
  try {
    const weather = storm(agenda, random, QUIET);
    const fine = remote(agenda, random, () => true);
    const provider = catalogs(fine, 'town');
    const world = { provider, messages: channel(fine), sender: receivers(fine), payments: wallets(fine) };
    const ground = data(shared);
    const current = (): typeof projections => projections;
    const only = cluster(
      { agenda, random, weather, data: ground, world, log: silentLog, patienceMs: 12_000, current },
      1,
    );
    const [node] = only.nodes;
    only.start(node!);
    await agenda.until(() => node!.instance !== undefined);
    const api = clients(agenda, random, only);
    const operator = (command: string, input: object) =>
      only.call(command, ({ admin }) => executeAdmin(admin, command, input)) as Promise<Record<string, string>>;
    const stores: Store[] = [];
    let isBuilt = false;
    let failure: unknown;
    const build = async (): Promise<void> => {
      await operator('plans.put', { key: 'all', name: 'All', features: FEATURES.map((key) => ({ key })) });
      const { id: partner } = await operator('partners.create', { name: 'Acme', slug: 'acme', plan: 'all' });
      await operator('keys.create', { partner, mode: 'test', scopes: [...PARTNER_SCOPES, ...WORKSPACE_SCOPES] });
      for (const externalRef of ['main', 'side']) {
        const owner = { ownerEmail: 'hodan@example.com', ownerName: 'Hodan' };
        const place = { country: 'SO', timezone: 'Africa/Mogadishu' };
        const made = { partner, externalRef, name: `Shop ${externalRef}`, ...owner, ...place };
        const { workspaceId = '' } = await operator('stores.create', made);
        const {
          phoneNumberId = '',
          numberId = '',
          catalogId = '',
        } = await operator('numbers.connect', {
          workspace: workspaceId,
        });
        const staff = { workspace: workspaceId, email: 'ayan@example.com', name: 'Ayan', role: 'admin' };
        const { id: memberId = '' } = await operator('members.add', staff);
        const scopes = WORKSPACE_SCOPES;
        const { key = '' } = await operator('keys.create', { workspace: workspaceId, mode: 'test', scopes });
        const takesPayments = externalRef === 'main';
        const store = { workspaceId, key, phoneNumberId, numberId, catalogId, memberId, takesPayments };
        stores.push(store);
        await furnish(api, store, takesPayments);
      }
    };
    build().then(
      () => {
        isBuilt = true;
      },
      (error: unknown) => {
        failure = error;
        isBuilt = true;
      },
    );
    await agenda.until(() => isBuilt);
    if (failure !== undefined) throw failure;
    const started = agenda.now;
    const isQuiet = (): boolean => agenda.now > started + STILL_MS && pending(ground, Date.now()).length === 0;
    await agenda.until(isQuiet, MOST_STEPS);
    const ended = node!.process;
    only.stop(node!);
    await agenda.until(() => node!.process !== ended);
    return { stores, data: ground, catalogs: stores.map(({ catalogId }) => provider.content(catalogId)) };
  } finally {
    giveBack();
  }
}

const towns = new Map<boolean, Promise<Town>>();

/**
 * Returns the town on shared engines, or on those of one instance. It is the same in every process, because it has a
 * fixed seed.
 */
export function townOf(shared: boolean): Promise<Town> {
  const known = towns.get(shared) ?? built(shared);
  towns.set(shared, known);
  return known;
}
