/** The sandbox's own endpoints: acting as a customer, looking at what arrived, faults. Never part of the provider's protocol. */
import { randomUUID } from 'node:crypto';
import type { SandboxCatalogs } from './catalogs.js';
import { type CustomerControlDependencies, customerControl } from './customerControl.js';
import type { Faults } from './faults.js';
import { mediaControl } from './mediaControl.js';
import { Reply, type SandboxRoutes } from './routes.js';
import { changeSettings, type SandboxSettings } from './settings.js';
import { templateControl } from './templateControl.js';
import type { SandboxTemplates } from './templates.js';

/** A business number that the page offers. */
export interface SandboxNumber {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly catalogId: string;
  /** Whose templates the number sends; those of all when absent. */
  readonly businessAccountId?: string;
  readonly name?: string;
}

export interface ControlDependencies extends Omit<CustomerControlDependencies, 'catalogOf' | 'priceIn'> {
  readonly catalogs: SandboxCatalogs;
  readonly templates: SandboxTemplates;
  readonly faults: Faults;
  readonly numbers: () => Promise<readonly SandboxNumber[]>;
  readonly settings: SandboxSettings;
}

const MOST_ITEMS = 1_000;

export function controlApi(app: SandboxRoutes, dependencies: ControlDependencies): void {
  const { catalogs, chats, faults, webhook, numbers, settings } = dependencies;

  customerControl(app, {
    ...dependencies,
    async catalogOf(phoneNumberId) {
      const number = (await numbers()).find((one) => one.phoneNumberId === phoneNumberId);
      return number?.catalogId ?? catalogs.ids()[0] ?? '0';
    },
    priceIn: (catalogId) => (retailerId) => {
      const price = catalogs.item(catalogId, retailerId)?.data.price;
      return typeof price === 'string' ? Number(price.split(' ')[0]!.replace('.', '')) : undefined;
    },
  });
  mediaControl(app, dependencies);
  templateControl(app, dependencies);

  app.get('/sandbox/numbers', async () => {
    const known = await numbers();
    const others = chats.numbers().filter((id) => !known.some(({ phoneNumberId }) => phoneNumberId === id));
    const unnamed = others.map((id) => ({
      phoneNumberId: id,
      displayPhoneNumber: id,
      catalogId: catalogs.ids()[0] ?? '0',
    }));
    return { numbers: [...known, ...unnamed] };
  });

  app.get('/sandbox/catalogs/:catalog/items', async (request) => {
    const items: object[] = [];
    let total = 0;
    for (const item of catalogs.items(request.params.catalog!)) if (++total <= MOST_ITEMS) items.push(item);
    return { total, items };
  });

  app.get('/sandbox/faults', async () => ({ faults: faults.list() }));
  app.post('/sandbox/faults', async (request) => {
    const fault = faults.add(request.body);
    return typeof fault === 'string' ? new Reply(422, { error: fault }) : new Reply(201, fault);
  });
  app.delete('/sandbox/faults', async () => {
    faults.clear();
    return new Reply(204);
  });

  app.get('/sandbox/settings', async () => settings);
  app.post('/sandbox/settings', async (request) => {
    changeSettings(settings, request.body);
    return settings;
  });

  /** The handshake with the service's webhook. */
  app.post('/sandbox/webhook/verify', async () => ({ verified: await webhook.verify(randomUUID()) }));
}
