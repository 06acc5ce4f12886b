/** The provider's own endpoints, as far as the service uses them. (shared reference: 'Outbound', 'Product catalog'.) */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../engine/messageOf.js';
import { WrongBody } from './bodyText.js';
import type { SandboxCatalogs } from './catalogs.js';
import { GraphError } from './graphError.js';
import type { GraphGate } from './graphGate.js';
import type { Journal } from './journal.js';
import type { SandboxMediaStore } from './media.js';
import { locateMedia, unknownObject } from './mediaApi.js';
import { reviewPage } from './reviewPage.js';
import { Reply, type SandboxRoutes, WrongRequest } from './routes.js';
import type { SendMessage } from './sentMessages.js';
import { shownTemplate } from './templateApi.js';
import type { SandboxTemplates } from './templates.js';

export interface GraphDependencies {
  readonly catalogs: SandboxCatalogs;
  readonly media: SandboxMediaStore;
  readonly templates: SandboxTemplates;
  readonly gate: GraphGate;
  readonly journal: Journal;
  readonly sendMessage: SendMessage;
}

const MOST_REQUESTS = 5_000;
const MOST_BYTES = 28 * 1024 * 1024;

export function graphApi(app: SandboxRoutes, dependencies: GraphDependencies): void {
  const { catalogs, gate, journal, sendMessage, templates } = dependencies;

  app.post('/:version/:id/messages', async (request) => {
    const found = await gate.fault(request, 'messages');
    return sendMessage(request.params.id!, request.body, found);
  });

  app.post('/:version/:id/items_batch', { limit: MOST_BYTES }, async (request) => {
    const found = await gate.fault(request, 'items_batch');
    const { requests, item_type } = (request.body ?? {}) as { requests?: unknown; item_type?: unknown };
    if (item_type !== 'PRODUCT_ITEM') throw new GraphError(100, 'item_type must be PRODUCT_ITEM');
    if (!Array.isArray(requests) || requests.length === 0 || requests.length > MOST_REQUESTS)
      throw new GraphError(100, `requests must have 1 to ${MOST_REQUESTS} entries`);
    if (found?.kind === 'empty_handles') return { handles: [], validation_status: [] };
    const { handle, refused, entry } = catalogs.submit(request.params.id!, requests);
    await journal.append(entry);
    return { handles: [handle], validation_status: refused.map((one) => ({ ...one, warnings: [] })) };
  });

  app.get('/:version/:id/check_batch_request_status', async (request) => {
    const found = await gate.fault(request, 'batch_status');
    const id = request.params.id!;
    const handle = request.query.handle ?? '';
    const undone = found?.kind === 'finished_with_errors' ? catalogs.undo(id, handle) : undefined;
    if (undone !== undefined) await journal.append(undone.entry);
    const batch = catalogs.batch(id, handle);
    if (batch === undefined) return { data: [] };
    if (!batch.done && undone === undefined)
      return { data: [{ handle, status: 'started', errors_total_count: 0, errors: [] }] };
    const errors = batch.invalid.map(({ retailer_id, errors: [first] }) => ({
      line: 0,
      id: retailer_id,
      message: first?.message ?? '',
    }));
    const ids = batch.invalid.map((one) => one.retailer_id);
    return {
      data: [{ handle, status: 'finished', errors_total_count: errors.length, errors, ids_of_invalid_requests: ids }],
    };
  });

  app.get('/:version/:id/products', async (request) => {
    await gate.fault(request, 'reviews');
    return reviewPage(catalogs, request.params.id!, request.query);
  });

  /** An object by its id, of whatever kind. */
  app.get('/:version/:id', async (request) => {
    gate.authorise(request);
    const id = request.params.id!;
    const template = templates.find(id);
    if (template !== undefined) {
      await gate.fault(request, 'template_list');
      return shownTemplate(template, request.query.fields);
    }
    const file = await locateMedia(request, dependencies);
    if (file === undefined) throw unknownObject(id);
    return file;
  });
}

const graphAnswer = ({ status, message, code, forPerson }: GraphError): Reply =>
  new Reply(status, {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(forPerson && { error_user_title: forPerson.title, error_user_msg: forPerson.detail }),
      error_data: { messaging_product: 'whatsapp', details: forPerson?.detail ?? message },
      fbtrace_id: randomUUID(),
    },
  });

/** Any error, in the provider's own shape; a mistake at the sandbox's own endpoints in a sentence. */
export function graphRefusal(error: unknown): Reply {
  if (error instanceof GraphError) return graphAnswer(error);
  if (error instanceof WrongBody) return new Reply(422, { error: error.message });
  if (error instanceof WrongRequest)
    return graphAnswer(new GraphError(error.status === 404 ? 2500 : 100, error.message, error.status));
  return graphAnswer(new GraphError(2, messageOf(error), 500));
}
