/** The last requests of each key. A store's people see those that reached their store, or were made with a key of it. */
import { map, type Observable } from 'rxjs';
import type { Viewer } from '../../application/console/access.js';
import { requesterNames } from '../../application/console/actorNames.js';
import { liveRequests, type RequestBatch } from '../../application/console/liveRequests.js';
import {
  type LoggedRequest,
  placeOf,
  type RequestLog,
  type RequestQuestion,
  statusIn,
} from '../../application/console/requestLog.js';
import { defined } from '../../domain/defined.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { Services } from '../contract/services.js';
import type { ConsoleLiveRequestsBody, ConsoleRequestBody } from './contract.js';
import { type ConsoleOperation, consoleRead, onlyStoreOf, textOf, timeOf, wholeOf, wrong } from './request.js';
import { batchOnce, type TailBatch } from './tail.js';

const DEFAULT_LIMIT = 100;
const MOST = 200;

/** `4xx`, or one status. */
function statusOf(query: URLSearchParams): number | undefined {
  const text = textOf(query, 'status');
  if (text === undefined) return undefined;
  return statusIn(text) ?? wrong('status', 'must be a status such as 404, or a class such as 4xx');
}

const questionOf = (query: URLSearchParams, viewer: Viewer): RequestQuestion =>
  defined({
    keyId: textOf(query, 'key'),
    operation: textOf(query, 'operation'),
    status: statusOf(query),
    code: textOf(query, 'code'),
    requestId: textOf(query, 'request'),
    from: timeOf(query, 'from'),
    to: timeOf(query, 'to'),
    workspaceId: onlyStoreOf(viewer) ?? textOf(query, 'workspace'),
  });

async function bodiesOf(reads: Reads, requests: readonly LoggedRequest[]): Promise<readonly ConsoleRequestBody[]> {
  const nameOf = await requesterNames(reads, requests);
  return requests.map((request) => {
    const { key, member } = nameOf(request);
    const { number, at, keyId, workspaceId, operation, status, code, ms, requestId, events } = request;
    return {
      ...{ number, at: new Date(at).toISOString(), key: { id: keyId, name: key } },
      ...{ operation, status, ms: Math.round(ms * 1000) / 1000, requestId, events },
      ...defined({ workspaceId, code, member }),
    };
  });
}

export const requestOperations = (services: Services, log: RequestLog): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.listRequests',
    path: '/requests',
    async answer({ query, viewer }) {
      const limit = wholeOf(query, 'limit', MOST) || DEFAULT_LIMIT;
      const { requests, next } = log.find(questionOf(query, viewer), { limit, before: wholeOf(query, 'before') });
      return {
        requests: await bodiesOf(services.reads, requests),
        since: placeOf(log, requests[0]?.number ?? 0),
        ...defined({ next }),
      };
    },
  }),
];

/** Requests as they are answered, or since the place that a browser was at. */
export function requestTail(
  { reads }: Pick<Services, 'reads'>,
  log: RequestLog,
): (query: URLSearchParams, viewer: Viewer, since: string) => Observable<TailBatch> {
  const live = liveRequests(log);
  const batchOf = batchOnce(({ requests, left, through, missed }: RequestBatch) => ({
    ...{ id: through, count: requests.length, left },
    body: async (all: number): Promise<ConsoleLiveRequestsBody> => ({
      requests: await bodiesOf(reads, requests),
      left: all,
      ...defined({ missed }),
    }),
  }));
  return (query, viewer, since) => live(questionOf(query, viewer), since === '' ? undefined : since).pipe(map(batchOf));
}
