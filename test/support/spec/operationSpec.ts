/**
 * Tests the response and the events of a request, over HTTP and the whole pipeline, on embedded engines in this process:
 *
 *     await spec(setOrderStatus).given(placed).when({ params: { orderId }, body: { status: 'preparing' } }).then({
 *       status: 200,
 *       body: { status: 'preparing' },
 *       events: [{ stream: `order-${orderId}`, type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing' } }],
 *     });
 *
 * The response must match the served OpenAPI document. The new events must be exactly the named ones, with the calling
 * key as their actor. An operation that takes an Idempotency-Key is called once more with the same key, and must give the
 * same response and no further event.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Operation } from '../../../api/contract/operation.js';
import { routeOf } from '../../../api/contract/routes.js';
import type { OpenApi } from '../../../api/openapi/document.js';
import { operations } from '../../../api/operations/index.js';
import { WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { categoryOf, type RecordedEvent } from '../../../engine/ports/eventStore.js';
import { temporaryFolder } from '../../../harness/service/serviceProcess.js';
import type { Instance } from '../../../service/composition/instance.js';
import { type Body, type Checked, checkAnswers } from '../conformance/answers.js';
import { FEATURES, headersOf, type RequestChoice, urlOf } from '../conformance/stage.js';
import { servedInstance } from '../stages/servedInstance.js';
import { specMeta } from './given.js';
import type { Given } from './givenEvents.js';

interface Expected {
  readonly status: number;
  /** Body with at least these members. Not checked when absent. */
  readonly body?: object;
  /**
   * Exactly these new events, in order, each with at least these members of its data. Default: none. `stream`: full
   * name, or its category if the id is new.
   */
  readonly events?: readonly { readonly stream: string; readonly type: string; readonly data?: object }[];
}

interface Answered {
  then(expected: Expected): Promise<Checked>;
  /** Expects a refusal with this status and code at these places of the request, and no events. */
  thenRefused(status: number, code: string, ...locations: readonly string[]): Promise<Checked>;
}

interface Request {
  /** Sends the request to the stage's store with its key, unless `requested` names another. */
  when(requested?: RequestChoice): Answered;
}

export interface OperationStage {
  /** Store whose key has all scopes. */
  readonly workspaceId: string;
  readonly keyId: string;
  /** Data folder, for commands that run next to the service. */
  readonly folder: string;
  /** Runs a command of the operator, such as `keys.create`. */
  operator(command: string, input: object): Promise<Body>;
  /** `given`: events appended beforehand to streams that no command has touched. Each names its own stream. */
  spec(operation: Operation): Request & { given(...events: readonly Given[]): Request };
  close(): Promise<void>;
}

/** Opens the service without its processors, so that a specification sees only the effects of its request. */
export async function operationStage(): Promise<OperationStage> {
  const folder = temporaryFolder('suuq-operations-');
  // Too high to be reached, but set, so that responses have the header fields of limits.
  const rates = { ip: 1_000_000, user: 1_000_000, key: 1_000_000 };
  const served = await servedInstance(folder.path, { operations, rates });
  const { instance, operator, url } = served;
  await operator('plans.put', { key: 'all', name: 'All', features: FEATURES.map((key) => ({ key })) });
  const { id: partner } = await operator('partners.create', { name: 'Partner', slug: 'partner', plan: 'all' });
  const owner = { ownerEmail: 'hodan@example.com', ownerName: 'Hodan' };
  const place = { country: 'SO', timezone: 'Africa/Mogadishu' };
  const shop = { partner, externalRef: 'shop', name: 'Shop', ...owner, ...place };
  const { workspaceId } = await operator('stores.create', shop);
  const { id: keyId, key } = await operator('keys.create', {
    ...{ workspace: workspaceId, mode: 'test', scopes: WORKSPACE_SCOPES },
  });
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as OpenApi;
  const check = checkAnswers(document);

  async function call(operation: Operation, requested: RequestChoice): Promise<Checked> {
    const { body, raw } = requested;
    const sent = raw ?? (body === undefined || body instanceof FormData ? body : JSON.stringify(body));
    const answer = await fetch(urlOf(url, operation, { workspaceId }, requested), {
      method: routeOf(operation).method,
      headers: headersOf(requested, requested.key === undefined ? key : requested.key),
      ...(sent !== undefined && { body: sent as string }),
    });
    return check(operation, answer, await answer.text());
  }

  const requests = (operation: Operation, events: readonly Given[]): Request => ({
    when(request = {}) {
      const run = () => pendingRequest(instance, { events, workspaceId, operation, request, call });
      return {
        // biome-ignore lint/suspicious/noThenProperty: given, when, then is how specs read; nothing awaits this
        async then({ status, body = {}, events: expected = [] }) {
          const { answer, happened } = await run();
          expect(answer.status, answer.text).to.equal(status);
          if (Object.keys(body).length > 0) expect(answer.body).to.deep.include(body);
          expect(reportedLike(happened, expected), 'the new events').to.deep.equal(expected);
          for (const { type, meta } of happened) {
            expect(meta, type).to.deep.include({ actor: { type: 'api_key', id: keyId }, workspaceId });
          }
          return answer;
        },
        async thenRefused(status, code, ...locations) {
          const { answer, happened } = await run();
          expect([answer.status, answer.body.code], answer.text).to.deep.equal([status, code]);
          const places = (answer.body.errors ?? []).map(({ location }: { location: string }) => location);
          expect([...new Set(places)], 'the places').to.deep.equal(locations);
          expect(happened, 'the new events').to.deep.equal([]);
          return answer;
        },
      };
    },
  });
  return {
    workspaceId,
    keyId,
    folder: folder.path,
    operator,
    spec: (operation) => ({ ...requests(operation, []), given: (...events) => requests(operation, events) }),
    async close() {
      await served.close();
      folder.remove();
    },
  };
}

interface RequestOptions {
  readonly events: readonly Given[];
  readonly workspaceId: string;
  readonly operation: Operation;
  readonly request: RequestChoice;
  call(operation: Operation, requested: RequestChoice): Promise<Checked>;
}

/** Appends the given events, sends the request, and returns its response and the new events. */
async function pendingRequest(
  { services: { eventStore }, progress }: Instance,
  { events, workspaceId, operation, request, call }: RequestOptions,
): Promise<{ answer: Checked; happened: readonly RecordedEvent[] }> {
  for (const { stream, type, data, meta } of events) {
    const event = { id: randomUUID(), type, data, meta: { ...specMeta, workspaceId, ...meta } };
    const { position } = await eventStore.append(stream!, 'any', [event]);
    expect(await progress.waitFor([categoryOf(stream!)], position, 5000), 'the views come to it').to.equal(true);
  }
  const before = await eventStore.head();
  const since = async () => (await eventStore.readAll(before)).events;
  const repeats = operation.idempotent === true && request.headers?.['Idempotency-Key'] === undefined;
  const keyed: RequestChoice = repeats
    ? { ...request, headers: { ...request.headers, 'Idempotency-Key': randomUUID() } }
    : request;
  const answer = await call(operation, keyed);
  const happened = await since();
  if (repeats && answer.status < 300) {
    const again = await call(operation, keyed);
    expect([again.status, again.body], 'asked once more').to.deep.equal([answer.status, answer.body]);
    expect(await since(), 'the new events, asked once more').to.deep.equal(happened);
  }
  return { answer, happened };
}

/** Returns the events with only the expected members of their data. */
const reportedLike = (happened: readonly RecordedEvent[], expected: NonNullable<Expected['events']>): object[] =>
  happened.map(({ stream, type, data }, i) => {
    const { data: requested, stream: named } = expected[i] ?? {};
    const reported = { stream: named === categoryOf(stream) ? named : stream, type };
    if (requested === undefined) return reported;
    return { ...reported, data: Object.fromEntries(Object.entries(data).filter(([name]) => name in requested)) };
  });
