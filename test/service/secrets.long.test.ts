/** Rotation of the master key: the running service seals every stored secret with the new key. */
import { expect } from 'chai';
import { keyContext } from '../../application/access/keys.js';
import { accessTokens } from '../../application/channel/storeNumbers.js';
import { paymentAccount, saveAccount } from '../../application/payments/paymentAccounts.js';
import { secretHolders } from '../../application/secrets/sealedSecrets.js';
import { createEndpoint, rotateEndpointSecret, secretContext } from '../../application/webhooks/endpoints.js';
import { runCli } from '../../cli/run.js';
import { derivedId } from '../../domain/ids.js';
import { partner } from '../../domain/partners/partner.js';
import { deletePaymentSettings, payments } from '../../domain/payments/payments.js';
import { store } from '../../domain/stores/store.js';
import { isOpen, signingSecrets, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { executeAdmin } from '../../service/admin/adminCommands.js';
import { type Instance, openInstance } from '../../service/composition/instance.js';
import { createLog } from '../../service/log.js';
import { readSettings } from '../../service/settings/settings.js';

const OLD = '11'.repeat(32);
const NEW = '22'.repeat(32);
const THIRD = '33'.repeat(32);
const API_KEY = '1000297:API-before';
const TOKEN = 'channel-token-of-the-shop';
const ENDPOINT = '5f0c7a9e-1111-4000-8000-0000000000e1';

describe('the master key', () => {
  const folder = temporaryFolder('suuq-master-keys-');
  let instance: Instance;
  let keys: string;
  let shop: { workspaceId: string; key: { id: string; key: string }; publishable: { id: string } };
  let acme: { id: string; key: { id: string; key: string } };
  let secrets: readonly [string, string];
  let count = 0;

  async function open(masterKeys: string): Promise<void> {
    keys = masterKeys;
    instance = await openInstance(
      readSettings({ SUUQ_DATA: folder.path, SUUQ_MASTER_KEY: masterKeys }),
      createLog('silent'),
    );
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
  const operator = (command: string, input: object): Promise<any> =>
    executeAdmin(instance.admin('http://127.0.0.1/channel/webhook'), command, input);
  /** Runs the rotation command and returns its output. */
  async function rotate(): Promise<string> {
    let message = '';
    const status = await runCli(['admin', 'secrets', 'rotate'], {
      out: (text) => {
        message += text;
      },
      err: (text) => {
        message += text;
      },
      watched: false,
      version: '0',
      withExecute: (work) => work((command, input) => operator(command, input as object)),
      start: async () => 0,
      settle: async () => ({}),
      upkeep: () => Promise.reject(new Error('nothing may be copied')),
      sandbox: async () => 0,
      move: async () => ({}) as never,
    });
    expect(status, message).to.equal(0);
    return message;
  }
  const commands = () =>
    bindCommands(instance.services.commandHandler, () => ({
      commandId: derivedId('test', count++),
      actor: { type: 'system' },
      correlationId: 'test',
      workspaceId: shop.workspaceId,
    }));
  const caughtUp = async () =>
    instance.progress.waitFor(['store', 'partner'], await instance.services.eventStore.head(), 5_000);
  const resealings = async (): Promise<number> => {
    const { events } = await instance.services.eventStore.readAll(-1, { filter: { types: ['SecretsResealed'] } });
    return events.length;
  };

  /** Opens every secret in the way its users do. */
  async function opened() {
    const { commandHandler, secretBox, reads } = instance.services;
    await caughtUp();
    const endpoint = await commandHandler.query(webhookEndpoint, ENDPOINT, (state) => state);
    if (!isOpen(endpoint)) throw new Error('the endpoint is gone');
    const ofStore = await commandHandler.query(store, shop.workspaceId, (state) => state);
    const ofPartner = await commandHandler.query(partner, acme.id, (state) => state);
    if (ofStore.status === 'absent' || ofPartner.status === 'absent') throw new Error('the store is gone');
    const { id } = shop.key;
    const [number] = await reads.find(channelNumbers, { where: { workspaceId: shop.workspaceId }, limit: 1 });
    return {
      webhooks: signingSecrets(endpoint, Date.now()).map((one) => secretBox.open(one, secretContext(ENDPOINT))),
      key: secretBox.open(ofStore.keys.get(id)!.sealed, keyContext(id)),
      partners: secretBox.open(ofPartner.keys.get(acme.key.id)!.sealed, keyContext(acme.key.id)),
      // The key is no longer in use, but refunds still need it.
      payments: (await paymentAccount({ commands: commands(), secretBox }, shop.workspaceId, 'M1'))?.apiKey,
      token: accessTokens(secretBox)(number!.body),
    };
  }
  const all = () => ({
    webhooks: [secrets[1], secrets[0]],
    key: shop.key.key,
    partners: acme.key.key,
    payments: API_KEY,
    token: TOKEN,
  });

  before(async () => {
    await open(OLD);
    await operator('plans.put', { key: 'all', name: 'All', features: [{ key: 'workspace.core' }] });
    const { id } = await operator('partners.create', { name: 'Acme', slug: 'acme', plan: 'all' });
    const key = (owner: object, more: object) => operator('keys.create', { ...owner, mode: 'live', ...more });
    acme = { id, key: await key({ partner: id }, { scopes: ['partner.stores:view'] }) };
    const owner = { ownerEmail: 'a@example.com', ownerName: 'A', country: 'SO', timezone: 'UTC' };
    const { workspaceId } = await operator('stores.create', { ...owner, name: 'Shop', plan: 'all' });
    shop = {
      workspaceId,
      key: await key({ workspace: workspaceId }, { scopes: ['orders:view'] }),
      publishable: await key({ workspace: workspaceId }, { kind: 'publishable' }),
    };
    await operator('numbers.connect', { workspace: workspaceId, accessToken: TOKEN });
    const { secretBox } = instance.services;
    const means = { commands: commands(), secretBox, urls: { check: async () => undefined } };
    const expected = {
      endpointId: ENDPOINT,
      owner: { workspaceId },
      url: 'https://hooks.example.com/',
      description: '',
    };
    const first = await createEndpoint(means, {
      ...expected,
      events: ['order.paid'],
      createdBy: 'test',
      now: Date.now(),
    });
    const rotation = { owner: { workspaceId }, endpointId: ENDPOINT, rotationId: 'r1', keepPreviousHours: 24 };
    secrets = [first, await rotateEndpointSecret(means, { ...rotation, now: Date.now() })];
    await saveAccount(means, workspaceId, { merchantId: 'M1', apiKey: API_KEY });
    await commands().decide(payments, workspaceId, deletePaymentSettings());
  });
  after(async () => {
    await instance.close();
    folder.remove();
  });

  it('opens nothing that another key encrypted, and reports which key did', async () => {
    expect(await opened()).to.deep.equal(all());
    const sealing = instance.admin('').sealingKeys.current;
    await instance.close();
    await open(NEW);
    expect(await opened().catch((error: Error) => error.message)).to.include(`with the master key ${sealing}`);
    const text = await rotate();
    expect(text).to.include('4 streams hold secrets that none of the configured keys decrypts');
    expect(text, 'the store’s owner, as its stream and as its first member').to.include('the keys of 2 data subjects');
    for (const stream of [`store-${shop.workspaceId}`, `partner-${acme.id}`, `webhookEndpoint-${ENDPOINT}`])
      expect(text).to.include(stream);
    expect(await resealings()).to.equal(0);
  });

  it('is replaced by another: everything stored is re-encrypted, and only then may the old one be removed', async () => {
    await instance.close();
    await open(`${NEW},${OLD}`);
    expect(await opened(), 'both open').to.deep.equal(all());
    const { current, others } = instance.admin('').sealingKeys;
    const text = await rotate();
    expect(text).to.include(`8 secrets re-encrypted with the master key ${current}`);
    expect(text).to.include(`${others[0]} is no longer needed`);
    expect(await opened()).to.deep.equal(all());
    const after = await resealings();
    expect(after, 'one event a stream').to.equal(4);
    expect(await rotate(), 'again, nothing changes').to.include('0 secrets re-encrypted');
    expect(await resealings()).to.equal(after);
    await instance.close();
    await open(NEW);
    expect(await opened(), 'without the old one').to.deep.equal(all());
  });

  it('continues an interrupted replacement', async () => {
    await instance.close();
    await open(`${THIRD},${NEW}`);
    const { eventStore } = instance.services;
    const page = await eventStore.readAll(-1, { filter: { types: ['KeyCreated'] }, limit: 1 });
    const [first] = page.events;
    // Simulates the work of one step before the process ended.
    await operator('secrets.rotate', { after: (await eventStore.head()) - 1 });
    await operator('secrets.rotate', { after: first!.position });
    await instance.close();
    await open(`${THIRD},${NEW}`);
    await rotate();
    await instance.close();
    await open(THIRD);
    expect(await opened()).to.deep.equal(all());
  });

  it('neither encrypts nor opens a publishable key', async () => {
    const events = await instance.services.eventStore.readStream(`store-${shop.workspaceId}`);
    const made = events.find(({ data }) => (data as { keyId?: string }).keyId === shop.publishable.id);
    expect((made!.data as { sealed: string }).sealed).to.equal('');
    expect(keys).to.equal(THIRD);
    const [holder] = secretHolders;
    const current = await holder!.secretsOf(commands(), shop.workspaceId);
    expect(current.map(({ context }) => context)).to.not.include(keyContext(shop.publishable.id));
  });
});
