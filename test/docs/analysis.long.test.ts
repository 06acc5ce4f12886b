/** docs/guides/analysis.md: each command that it shows is run on a small shop, and its projection is folded. */
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { type Given, minute, recorded } from '../support/spec/givenEvents.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

const ORDER = 'e0000000-0000-4000-8000-000000000001';
const totals = { subtotalCents: 5_50, discountCents: 0, deliveryFeeCents: 0, totalCents: 5_50 };
const line = { productExternalId: 'P', retailerId: 'P', name: 'Scarf', quantity: 1, unitPriceCents: 5_50 };
const placed = { number: 1, lines: [line], totals, currency: 'USD', customerPhone: '+252615550101' };
const scarf = { name: 'Scarf', description: '', imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 5_50 };
const product = { ...scarf, availability: 'in_stock', active: true, variants: [] };
const pickup = { deliveryEnabled: false, pickupEnabled: true, pickupAddress: 'Via Roma 1', areas: [] };
const delivery = { ...pickup, requestLocation: false, notifyStatuses: [] };

const story = (workspaceId: string): Given[] =>
  [
    { stream: `order-${ORDER}`, type: 'OrderPlaced', data: placed },
    { stream: `order-${ORDER}`, type: 'OrderStatusChanged', data: { from: 'new', to: 'cancelled' } },
    { stream: `catalog-${workspaceId}`, type: 'ProductAdded', data: { externalId: 'P', product, retailerIds: ['P'] } },
    { stream: `delivery-${workspaceId}`, type: 'DeliverySettingsSaved', data: delivery },
  ].map((event) => ({ ...event, meta: { workspaceId } }));

const page = readFileSync(join(projectFolder, 'docs/guides/analysis.md'), 'utf8');

/** The words of a line as a shell reads them. */
const wordsOf = (typed: string): string[] =>
  [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);

describe('the page about SQL queries', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-analysis-');
  const data = join(folder.path, 'data');
  const { suuq, json } = commandLine(data, { cwd: folder.path });
  let ids: Readonly<Record<string, string>>;

  before(async () => {
    await foundInstallation(data);
    json('admin', 'plans', 'put', '--key', 'p', '--name', 'P', '--feature', 'commerce.catalog');
    const { id } = json('admin', 'partners', 'create', '--name', 'Acme', '--slug', 'acme', '--plan', 'p');
    const owner = ['--owner-email', 'a@example.com', '--owner-name', 'Asha', '--country', 'SO'];
    const place = ['--external-ref', 's', '--timezone', 'Africa/Mogadishu'];
    const made = json('admin', 'stores', 'create', '--partner', id, '--name', 'Shop', ...place, ...owner);
    const WORKSPACE: string = made.workspaceId;
    const KEY = json(
      'admin',
      'keys',
      'create',
      '--workspace',
      WORKSPACE,
      '--mode',
      'live',
      '--scope',
      'history:view',
    ).id;
    const person = ['--email', 'b@example.com', '--name', 'Bile', '--role', 'viewer'];
    const MEMBER = json('admin', 'members', 'add', '--workspace', WORKSPACE, ...person).id;
    const log = await openEmbeddedEventStore(data);
    for (const { stream, revision: _, position: __, ...event } of recorded(['order'], story(WORKSPACE), {}))
      await log.append(stream, 'any', [event]);
    await log.close();
    json('projections', 'rebuild', 'orders');
    const [first] = json('history', 'store', WORKSPACE).events;
    const ACCOUNT = first.actor.name.slice('The operator ('.length, -1);
    expect([userInfo().username, process.env.SUDO_USER]).to.include(ACCOUNT);
    const [TIME, LATER, REQUEST, DAY] = [minute(0), minute(1), first.correlationId, minute(0).slice(0, 10)];
    ids = { WORKSPACE, ORDER, MEMBER, KEY, PRODUCT: 'P', TIME, LATER, REQUEST, ACCOUNT, DAY };
    const [, source] = /```js\n([\s\S]*?)```/.exec(page)!;
    writeFileSync(join(folder.path, 'revenue.mjs'), source!);
  });
  after(() => folder.remove());

  const commands = [...page.matchAll(/^ {4}\$ suuq (.*)$/gm)].map(([, typed]) => typed!);

  it('shows commands for each kind of query', () => {
    expect(commands.length).to.be.at.least(15);
  });

  for (const typed of commands)
    it(`suuq ${typed}`, () => {
      const ran = suuq(...wordsOf(typed).map((word) => word.replace(/[A-Z]{3,}/g, (name) => ids[name] ?? name)));
      expect(ran.status, ran.stderr + ran.stdout).to.equal(0);
      expect(ran.stdout.trim()).to.not.equal('');
    });

  it('has a projection that counts sales', () => {
    const { samples } = json('projections', 'try', 'revenue.mjs');
    expect(samples).to.deep.equal([
      {
        id: `${ids.WORKSPACE} ${ids.DAY}`,
        keys: { workspaceId: ids.WORKSPACE, day: ids.DAY, cents: 5_50 },
        body: { orders: 1, cents: 5_50 },
      },
    ]);
  });
});
