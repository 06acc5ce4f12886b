/** A stopped service's data folder, for tests of deliveries: stores with an endpoint each, orders with pending deliveries, the log. */
import { join } from 'node:path';
import { DELIVERIES, type DeliveryBody, deliveriesDefinition, EITHER } from '../../application/webhooks/deliveryLog.js';
import { createEndpoint } from '../../application/webhooks/endpoints.js';
import { derivedId } from '../../domain/ids.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { systemClock } from '../../engine/ports/clock.js';
import type { DocumentStore, Query, Scalar, StoredDocument } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { checkpointName, tasksCollection, tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { noteOrigin } from '../../engine/processors/tasks/workOrigin.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { processorNames } from './processorNames.js';

export interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

/** The other processors, which have no pending work for these orders. */
const OTHER_PROCESSORS = processorNames.filter((name) => name !== 'webhooks');

async function withLog<R>(folder: string, use: (log: EventStore) => Promise<R>): Promise<R> {
  const log = await openEmbeddedEventStore(folder, { writesHere: true });
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

async function withWork<R>(folder: string, use: (work: DocumentStore) => Promise<R>): Promise<R> {
  const work = openEmbeddedReadModels(join(folder, 'work.db'));
  try {
    return await use(work);
  } finally {
    await work.close();
  }
}

export const storeOf = (index: number): string => derivedId('store', index);

/** Creates an endpoint for each URL, in a store each (`storeOf`), that receives new orders. */
export async function makeEndpoints(folder: string, urls: readonly string[]): Promise<Endpoint[]> {
  // The key and the work first: they are not created for a folder with events.
  const secretBox = createSecretBox(...loadMasterKeys(folder));
  await withWork(folder, (work) => noteOrigin(work, { kind: 'begun' }));
  return withLog(folder, async (eventStore) => {
    const snapshots = { load: async () => undefined, save: async () => undefined };
    const handler = createCommandHandler({ eventStore, snapshots, clock: systemClock });
    const endpoints: Endpoint[] = [];
    for (const [index, url] of urls.entries()) {
      const id = derivedId('endpoint', index);
      const actor = { type: 'system' } as const;
      const commands = bindCommands(handler, { commandId: id, actor, correlationId: 'test' });
      const requested = {
        endpointId: id,
        owner: { workspaceId: storeOf(index) },
        url,
        description: '',
        createdBy: 'test',
      };
      const secret = await createEndpoint(
        { commands, secretBox, urls: { check: async () => undefined } },
        { ...requested, events: ['order.created'], now: systemClock.now() },
      );
      endpoints.push({ id, secret });
    }
    return endpoints;
  });
}

function placed(index: number): OrderEvent {
  const totals = { subtotalCents: 3100, discountCents: 0, deliveryFeeCents: 0, totalCents: 3100 };
  return {
    type: 'OrderPlaced',
    data: {
      number: index + 1,
      lines: [{ productExternalId: 'P1', retailerId: 'P1', name: 'Cotton shirt', quantity: 2, unitPriceCents: 1550 }],
      totals,
      currency: 'USD',
      customerPhone: `+25261${1_000_000 + index}`,
    },
  };
}

/** Id of the event about the order with this number. */
export const placedId = (index: number): string => derivedId('placed', index);

/** Appends orders `from` to `from + count`, each in the named store. The webhooks of all are pending. */
export async function appendOrders(
  folder: string,
  { from, count, workspaceOf }: { from: number; count: number; workspaceOf: (index: number) => string },
): Promise<void> {
  const position = await withLog(folder, async (log) => {
    const append = (index: number) => {
      const at = new Date().toISOString();
      const meta = { at, actor: { type: 'system' }, correlationId: 'test', workspaceId: workspaceOf(index) } as const;
      const event = { ...placed(index), id: placedId(index), meta };
      return log.append(`order-${derivedId('order', index)}`, 'noStream', [event]);
    };
    for (let index = from; index < from + count; index += 500) {
      const size = Math.min(500, from + count - index);
      await Promise.all(Array.from({ length: size }, (_, i) => append(index + i)));
    }
    return log.head();
  });
  await withWork(folder, (work) =>
    work.write({}, ...OTHER_PROCESSORS.map((name) => ({ name: checkpointName(name), position }))),
  );
}

const PAGE = 1000;

/** All that a query finds; `key`: what it is sorted by. */
async function* pages(work: DocumentStore, collection: string, query: Omit<Query, 'limit'>, key: string) {
  for (let after: readonly Scalar[] | undefined; ; ) {
    const rows: readonly StoredDocument[] = await work.find(collection, {
      ...query,
      limit: PAGE,
      ...(after && { after }),
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = [last.keys[key]!, last.id];
  }
}

/** Every attempt that is recorded, endpoint by endpoint. */
export const readDeliveries = (folder: string, endpoints: readonly Endpoint[]): Promise<DeliveryBody[]> =>
  withWork(folder, async (work) => {
    await work.open(deliveriesDefinition);
    const all: DeliveryBody[] = [];
    for (const { id: endpointId } of endpoints)
      for await (const { body } of pages(
        work,
        DELIVERIES,
        { where: { endpointId, status: EITHER }, sort: ['-attemptedAt'] },
        'attemptedAt',
      ))
        all.push(body as DeliveryBody);
    return all;
  });

/** Number of stored pending deliveries. */
export const countPending = (folder: string): Promise<number> =>
  withWork(folder, async (work) => {
    await work.open(tasksDefinition('webhooks'));
    let count = 0;
    for await (const { body } of pages(work, tasksCollection('webhooks'), { sort: ['dueAt'] }, 'dueAt'))
      if ((body as { kind: string }).kind === 'deliver') count++;
    return count;
  });
