/** Builds a request of any operation from the document alone, and creates objects of each kind that a path can name. */
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../api/contract/operation.js';
import { routeOf } from '../../../api/contract/routes.js';
import { operations } from '../../../api/operations/index.js';
import { until } from '../doubles/fakeClock.js';
import { type Schema, sample } from '../samples/schemaSample.js';
import type { Body } from './answers.js';
import { filesMakers, formWith, PIXEL } from './areas/files.js';
import { inboxMakers } from './areas/inbox.js';
import { sendingFields } from './areas/inboxSending.js';
import { recordingsMakers } from './areas/recordings.js';
import { sessionsFields } from './areas/sessions.js';
import { templatesFields, templatesMakers } from './areas/templates.js';
import type { Made, Maker } from './rows.js';
import { type ConformanceStage, isPartners, operationNamed, product, type RequestChoice, type Store } from './stage.js';

let count = 0;

/** Returns a number list with a unique name. */
const uploaded = (): object => ({ name: `List ${++count}`, kind: 'uploaded', phones: ['+252611000001'] });
const flashSale = { kind: 'flash_sale', percentOff: 10 };

const sinceAnHour = (): object => ({ since: new Date(Date.now() - 3_600_000).toISOString() });

/** Request fields that a sample of the schema alone cannot provide. */
const FIELDS: Readonly<Record<string, object | ((stage: ConformanceStage) => object)>> = {
  ...templatesFields,
  ...sendingFields,
  ...sessionsFields,
  // An order that nobody has checked out can only be cancelled.
  setOrderStatus: { status: 'cancelled', note: 'sold out' },
  cancelOrder: { reason: 'sold out' },
  createConsoleLink: { minutes: 30 },
  createMemberLink: { minutes: 30 },
  updateConversation: { pinned: true },
  savePaymentSettings: { merchantId: 'M0912269', apiKey: '1000297:API-1901083745AHX' },
  savePaymentWallets: { wallets: ['evc_plus', 'zaad'] },
  createNumberList: uploaded,
  updateNumberList: uploaded,
  createPromotion: flashSale,
  updatePromotion: flashSale,
  createWebhookEndpoint: { events: ['order.created', 'order.status_changed'], description: 'our shop' },
  createPartnerWebhookEndpoint: { events: ['order.created'], description: 'all our shops' },
  replayWebhookEndpoint: sinceAnHour,
  replayPartnerWebhookEndpoint: sinceAnHour,
  updateWebhookEndpoint: { events: ['order.created'], description: 'our shop', status: 'active' },
  updatePartnerWebhookEndpoint: { events: ['order.created'], description: 'all our shops', status: 'active' },
};

/** Returns a body that the operation accepts: a form if it takes a file, undefined if it has no body. */
export function bodyOf(stage: ConformanceStage, operation: Operation): Body {
  const { document, hooks } = stage;
  const { method, path } = routeOf(operation);
  const entry = document.paths[path]![method.toLowerCase()] as Body;
  if (operation.upload !== undefined) return formWith(PIXEL, 'pixel.png', 'image/png', operation.upload.field);
  const schema: Schema | undefined = entry.requestBody?.content['application/json'].schema;
  if (schema === undefined) return undefined;
  const body = sample(schema, document.components.schemas) as Body;
  // Avoids DNS lookups and requests outside this machine.
  if ('url' in body) body.url = hooks.url;
  const own = FIELDS[operation.id];
  return { ...body, ...(typeof own === 'function' ? own(stage) : own) };
}

/** Returns the names of the path's parameters, without the workspace. */
export const pathNames = (operation: Operation): string[] =>
  routeOf(operation).params.filter((name) => name !== 'workspaceId');

/** Returns values for the path's parameters that name nothing yet. */
export const newParams = (operation: Operation): Record<string, string> =>
  Object.fromEntries(
    pathNames(operation).map((name) => {
      const { format } = (operation.params?.[name] ?? {}) as { format?: string };
      return [name, format === 'uuid' ? randomUUID() : `new-${++count}`];
    }),
  );

/** Calls an operation on webhook endpoints of the kind of owner that `like` has, as the owner of this store. */
async function hooksCall(
  stage: ConformanceStage,
  store: Store,
  like: Operation,
  id: string,
  requested: RequestChoice = {},
) {
  const { main, rival } = stage;
  const name = isPartners(like) ? id.replace('Webhook', 'PartnerWebhook') : id;
  const called = operationNamed(operations, name);
  const body = bodyOf(stage, called);
  const key = isPartners(like) ? { key: (store === rival.store ? rival : main).key } : {};
  return stage.call(called, { ...key, ...(body === undefined ? {} : { body }), ...requested }, store);
}

/** Creates an object with this operation and returns its id. */
const made =
  (id: string): Maker =>
  async (stage, store) => {
    const create = operationNamed(operations, id);
    return (await stage.call(create, { body: bodyOf(stage, create) }, store)).body.id;
  };

const makers: Readonly<Record<string, Maker>> = {
  ...filesMakers,
  ...inboxMakers,
  ...recordingsMakers,
  ...templatesMakers,
  orderId: (stage, store) => stage.order(store),
  async endpointId(stage, store, operation) {
    const call = (id: string, requested?: RequestChoice) => hooksCall(stage, store, operation, id, requested);
    const first = await call('createWebhookEndpoint');
    if (first.status === 201) return first.body.endpoint.id;
    // An owner may have 20 endpoints, so those of earlier tests are deleted.
    const { body } = await call('listWebhookEndpoints');
    for (const { id } of body.endpoints) await call('deleteWebhookEndpoint', { params: { endpointId: id } });
    return (await call('createWebhookEndpoint')).body.endpoint.id;
  },
  async eventId(stage, store, operation, { endpointId }) {
    const params = { endpointId: endpointId! };
    const { body } = await hooksCall(stage, store, operation, 'sendWebhookTest', { params });
    await until('the test is in the log', async () => {
      const log = await hooksCall(stage, store, operation, 'listWebhookDeliveries', { params });
      return log.body.deliveries.length > 0;
    });
    return body.eventId;
  },
  async externalId(stage, store) {
    const externalId = `made-${++count}`;
    const upsert = operationNamed(operations, 'upsertProduct');
    await stage.call(upsert, { params: { externalId }, body: product() }, store);
    return externalId;
  },
  memberId: async (stage, { workspaceId: workspace }) =>
    (await stage.operator('members.add', { workspace, email: `told-${++count}@example.com`, role: 'viewer' })).id,
  async keyId(stage, { workspaceId: workspace }) {
    const { id } = await stage.operator('keys.create', { workspace, mode: 'test', scopes: ['orders:view'] });
    // Revoked at once, since an owner may have 100 keys.
    await stage.operator('keys.revoke', { id });
    return id;
  },
  listId: made('createNumberList'),
  promotionId: made('createPromotion'),
  async partnerUserId(stage, store, _, { externalRef }) {
    const owner = store === stage.rival.store ? stage.rival : stage.main;
    const read = operationNamed(operations, 'getPartnerStore');
    const { workspaceId } = (await stage.call(read, { key: owner.key, params: { externalRef: externalRef! } })).body;
    const partnerUser = `user|${++count}`;
    const email = `user-${count}@example.com`;
    await stage.operator('members.add', { workspace: workspaceId, email, role: 'agent', partnerUser });
    return partnerUser;
  },
  async teamId(stage, { workspaceId: workspace }) {
    const { id: memberId } = await stage.operator('members.add', {
      workspace,
      email: `ring-${++count}@example.com`,
      role: 'viewer',
    });
    const team = {
      name: 'Sales',
      color: 'chart-1',
      members: [{ memberId, lead: true }],
      queue: { strategy: 'priority', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 },
      workingHours: [{ day: 'sat', opens: '08:00', closes: '24:00' }],
    };
    return (await stage.operator('teams.put', { workspace, team })).id;
  },
  async externalRef(stage, store) {
    const owner = [stage.main, stage.rival].find((partner) => partner.store === store) ?? stage.main;
    return (await stage.addStore(owner, `made-${++count}`)).externalRef;
  },
};

/** Returns the operation that creates the object at `path`: by POST, or by PUT with the client's own id. */
const makerAt = (method: 'POST' | 'PUT', path: string): Operation | undefined =>
  operations.find((one) => {
    const route = routeOf(one);
    return route.method === method && route.path === path;
  });

/** Creates the object of a path parameter with a declared operation: `POST /things` creates `/things/{thingId}`. */
async function madeAsDeclared(
  stage: ConformanceStage,
  store: Store,
  operation: Operation,
  name: string,
  made: Made,
): Promise<string> {
  const [at] = routeOf(operation).path.split(`/{${name}}`);
  const own = makerAt('PUT', `${at}/{${name}}`);
  const create = makerAt('POST', at!) ?? own;
  if (create === undefined)
    throw new Error(`no operation makes a ${name}: neither POST nor PUT; tell conformanceSamples.ts how to`);
  const id = `made-${++count}`;
  const params = create === own ? { ...made, [name]: id } : made;
  const key = isPartners(create) && store === stage.rival.store ? { key: stage.rival.key } : {};
  const answer = await stage.call(create, { ...key, params, body: bodyOf(stage, create) }, store);
  return create === own ? id : answer.body.id;
}

/** Makes another change of the same object, for its history. */
const CHANGES: Readonly<Record<string, (stage: ConformanceStage, params: Readonly<Record<string, string>>) => object>> =
  {
    listPromotionHistory(stage, params) {
      const update = operationNamed(operations, 'updatePromotion');
      return stage.call(update, { params, body: { ...bodyOf(stage, update), name: `Sale ${++count}` } });
    },
    listMemberHistory: (stage, { memberId: id }) =>
      stage.operator('members.role', { workspace: stage.main.store.workspaceId, id, role: 'agent' }),
    listDeliveryHistory(stage) {
      const save = operationNamed(operations, 'saveDeliverySettings');
      return stage.call(save, { body: { ...bodyOf(stage, save), pickupAddress: `Street ${++count}` } });
    },
  };

/** Adds one more row to a list, if an operation can do that. */
export async function oneMoreRow(
  stage: ConformanceStage,
  list: Operation,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  await CHANGES[list.id]?.(stage, params);
  const create = makerAt('POST', routeOf(list).path);
  if (create !== undefined) await stage.call(create, { params, body: bodyOf(stage, create) });
}

/** Creates objects of this store, or a store of its partner, and returns their ids as path parameters. */
export async function madeParams(
  stage: ConformanceStage,
  operation: Operation,
  store: Store = stage.main.store,
): Promise<Record<string, string>> {
  const made: Made = {};
  for (const name of pathNames(operation)) {
    const maker = makers[name];
    made[name] = await (maker === undefined
      ? madeAsDeclared(stage, store, operation, name, made)
      : maker(stage, store, operation, made));
  }
  return made;
}
