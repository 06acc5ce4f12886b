/** A request of any operation, from the document alone; and things of each kind that a path can name. */
import { randomUUID } from 'node:crypto';
import { routeOf } from '../../api/http/routes.js';
import type { Operation } from '../../api/operation.js';
import { operations } from '../../api/operations.js';
import { type Schema, sample } from '../../api/pages/schemaTables.js';
import type { Body } from './conformanceAnswers.js';
import { type ConformanceWorld, operationNamed, product, type Store } from './conformanceWorld.js';

/** What an example of the schema alone does not know. */
const FIELDS: Readonly<Record<string, object>> = {
  // An order that nobody has checked out can only be cancelled.
  setOrderStatus: { status: 'cancelled', note: 'sold out' },
  cancelOrder: { reason: 'sold out' },
  createWebhookEndpoint: { events: ['order.created', 'order.status_changed'], description: 'our shop' },
};

/** A body that the operation accepts; undefined where it has none. */
export function bodyOf({ document, hooks }: ConformanceWorld, operation: Operation): Body {
  const { method, path } = routeOf(operation);
  const entry = document.paths[path]![method.toLowerCase()] as Body;
  const schema: Schema | undefined = entry.requestBody?.content['application/json'].schema;
  if (schema === undefined) return undefined;
  const body = sample(schema, document.components.schemas) as Body;
  // Nothing outside this machine is asked for a name or sent anything.
  if ('url' in body) body.url = hooks.url;
  return { ...body, ...FIELDS[operation.id] };
}

/** Names of the path's parameters beside the workspace. */
export const pathNames = (operation: Operation): string[] =>
  routeOf(operation).params.filter((name) => name !== 'workspaceId');

let count = 0;

/** Values for the path's parameters that name nothing yet. */
export const newParams = (operation: Operation): Record<string, string> =>
  Object.fromEntries(
    pathNames(operation).map((name) => {
      const { format } = (operation.params?.[name] ?? {}) as { format?: string };
      return [name, format === 'uuid' ? randomUUID() : `new-${++count}`];
    }),
  );

type Maker = (world: ConformanceWorld, store: Store) => Promise<string>;

const makers: Readonly<Record<string, Maker>> = {
  orderId: (world, store) => world.order(store),
  async endpointId(world, store) {
    const create = operationNamed(operations, 'createWebhookEndpoint');
    const { body } = await world.call(create, { body: bodyOf(world, create) }, store);
    return body.endpoint.id;
  },
  async externalId(world, store) {
    const externalId = `made-${++count}`;
    const upsert = operationNamed(operations, 'upsertProduct');
    await world.call(upsert, { params: { externalId }, body: product() }, store);
    return externalId;
  },
  async externalRef(world, store) {
    const owner = [world.main, world.rival].find((partner) => partner.store === store) ?? world.main;
    return (await world.addStore(owner, `made-${++count}`)).externalRef;
  },
};

/** Values for the path's parameters that name something of this store, or a store of its partner, made just now. */
export async function madeParams(
  world: ConformanceWorld,
  operation: Operation,
  store: Store = world.main.store,
): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const name of pathNames(operation)) {
    const maker = makers[name];
    if (maker === undefined) throw new Error(`tell conformanceSamples.ts how to make a ${name}`);
    made[name] = await maker(world, store);
  }
  return made;
}
