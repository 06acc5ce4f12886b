/** The provider's own endpoints, as far as the service uses them. (shared reference: 'Outbound', 'Product catalog'.) */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxCatalogs } from './catalogs.js';
import { GraphError } from './graphError.js';
import type { GraphGate } from './graphGate.js';
import type { Journal } from './journal.js';
import { WrongBody } from './loose.js';
import type { SandboxMediaStore } from './media.js';
import { locateMedia, unknownObject } from './mediaApi.js';
import { reviewPage } from './reviewPage.js';
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

interface Params {
  readonly version: string;
  readonly id: string;
}
type Query = Readonly<Record<string, string | undefined>>;

const MOST_REQUESTS = 5_000;
const MOST_BYTES = 28 * 1024 * 1024;

export function graphApi(app: FastifyInstance, dependencies: GraphDependencies): void {
  const { catalogs, gate, journal, sendMessage, templates } = dependencies;

  app.post('/:version/:id/messages', async (request) => {
    const found = await gate.fault(request, 'messages');
    return sendMessage((request.params as Params).id, request.body, found);
  });

  app.post('/:version/:id/items_batch', { bodyLimit: MOST_BYTES }, async (request) => {
    const found = await gate.fault(request, 'items_batch');
    const { requests, item_type } = (request.body ?? {}) as { requests?: unknown; item_type?: unknown };
    if (item_type !== 'PRODUCT_ITEM') throw new GraphError(100, 'item_type must be PRODUCT_ITEM');
    if (!Array.isArray(requests) || requests.length === 0 || requests.length > MOST_REQUESTS)
      throw new GraphError(100, `requests must have 1 to ${MOST_REQUESTS} entries`);
    if (found?.kind === 'empty_handles') return { handles: [], validation_status: [] };
    const { handle, refused, entry } = catalogs.submit((request.params as Params).id, requests);
    await journal.append(entry);
    return { handles: [handle], validation_status: refused.map((one) => ({ ...one, warnings: [] })) };
  });

  app.get('/:version/:id/check_batch_request_status', async (request) => {
    const found = await gate.fault(request, 'batch_status');
    const { id } = request.params as Params;
    const handle = (request.query as Query).handle ?? '';
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
    return reviewPage(catalogs, (request.params as Params).id, request.query as Query);
  });

  /** An object by its id, of whatever kind. */
  app.get('/:version/:id', async (request) => {
    gate.authorise(request);
    const { id } = request.params as Params;
    const template = templates.find(id);
    if (template !== undefined) {
      await gate.fault(request, 'template_list');
      return shownTemplate(template, (request.query as Query).fields);
    }
    const file = await locateMedia(request, dependencies);
    if (file === undefined) throw unknownObject(id);
    return file;
  });
}

/** Errors in the provider's own shape. */
export function graphErrors(app: FastifyInstance): void {
  const answer = (reply: FastifyReply, error: GraphError): FastifyReply =>
    reply.status(error.status).send({
      error: {
        message: error.message,
        type: 'OAuthException',
        code: error.code,
        ...(error.forPerson && {
          error_user_title: error.forPerson.title,
          error_user_msg: error.forPerson.detail,
        }),
        error_data: { messaging_product: 'whatsapp', details: error.forPerson?.detail ?? error.message },
        fbtrace_id: randomUUID(),
      },
    });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof GraphError) return answer(reply, error);
    // A mistake of whoever uses the sandbox's own endpoints.
    if (error instanceof WrongBody) return reply.status(422).send({ error: error.message });
    const status = error.statusCode ?? 500;
    return answer(reply, new GraphError(status < 500 ? 100 : 2, error.message, status));
  });
  app.setNotFoundHandler((_request, reply) => answer(reply, new GraphError(2500, 'Unknown path components', 404)));
}
