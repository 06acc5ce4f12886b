/** The provider's own endpoints, as far as the service uses them. (shared reference: 'Outbound', 'Product catalog'.) */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sameText } from '../channel/signature.js';
import type { SandboxCatalogs } from './catalogs.js';
import type { Fault, Faults, FaultTarget } from './faults.js';
import { GraphError } from './graphError.js';
import type { Journal } from './journal.js';
import { reviewPage } from './reviewPage.js';
import type { SendMessage } from './sentMessages.js';

export interface GraphDependencies {
  readonly accessToken: string;
  readonly catalogs: SandboxCatalogs;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly sendMessage: SendMessage;
  /** Aborted when the sandbox closes: calls that hang end then. */
  readonly closing: AbortSignal;
}

interface Params {
  readonly version: string;
  readonly id: string;
}
type Query = Readonly<Record<string, string | undefined>>;

const MOST_REQUESTS = 5_000;
const MOST_BYTES = 28 * 1024 * 1024;
const LONGEST_HANG_MS = 60_000;

/** Waits until the caller gives up, the sandbox closes, or a minute has passed. */
function hang(request: FastifyRequest, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_HANG_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.raw.socket.once('close', end);
    closing.addEventListener('abort', end, { once: true });
    if (closing.aborted) end();
  });
}

export function graphApi(app: FastifyInstance, dependencies: GraphDependencies): void {
  const { accessToken, catalogs, faults, journal, sendMessage, closing } = dependencies;

  function authorise(request: FastifyRequest): void {
    if (!/^v\d+\.\d+$/.test((request.params as Params).version))
      throw new GraphError(2500, 'Unknown path components', 404);
    if (!sameText(request.headers.authorization ?? '', `Bearer ${accessToken}`))
      throw new GraphError(190, 'Invalid OAuth access token.', 401);
  }

  /** The fault that meets this call; errors and hangs are played here. */
  async function fault(request: FastifyRequest, target: FaultTarget): Promise<Fault | undefined> {
    authorise(request);
    const found = faults.take(target);
    if (found?.kind === 'error') throw new GraphError(found.code, `(#${found.code}) A fault on demand`);
    if (found?.kind === 'hang') {
      await hang(request, closing);
      throw new GraphError(2, 'Service temporarily unavailable', 503);
    }
    return found;
  }

  app.post('/:version/:id/messages', async (request) => {
    const found = await fault(request, 'messages');
    return sendMessage((request.params as Params).id, request.body, found?.kind);
  });

  app.post('/:version/:id/items_batch', { bodyLimit: MOST_BYTES }, async (request) => {
    const found = await fault(request, 'items_batch');
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
    const found = await fault(request, 'batch_status');
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
    await fault(request, 'reviews');
    return reviewPage(catalogs, (request.params as Params).id, request.query as Query);
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
        error_data: { messaging_product: 'whatsapp', details: error.message },
        fbtrace_id: randomUUID(),
      },
    });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof GraphError) return answer(reply, error);
    const status = error.statusCode ?? 500;
    return answer(reply, new GraphError(status < 500 ? 100 : 2, error.message, status));
  });
  app.setNotFoundHandler((_request, reply) => answer(reply, new GraphError(2500, 'Unknown path components', 404)));
}
