/** API clients of the stores. Each request has an Idempotency-Key and is retried until it is answered. */
import { routeOf } from '../../../api/contract/routes.js';
import { operations } from '../../../api/operations/index.js';
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';
import type { Cluster } from '../world/cluster.js';
import type { Answered } from '../world/request.js';
import type { Store } from './store.js';

export interface RequestOptions {
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
}

/** An answered request with all its attempts. */
export interface Exchange {
  readonly store: Store;
  readonly request: RequestOptions;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any answer
  readonly body: any;
  /** Id of each attempt. The events have it as their correlation id. */
  readonly requestIds: readonly string[];
  /** Time of the answer in simulated ms. */
  readonly at: number;
}

export interface Clients {
  /** Undefined: the client gave up, and the outcome is unknown. */
  send(store: Store, request: RequestOptions): Promise<Exchange | undefined>;
  readonly answered: readonly Exchange[];
  sleep(ms: number): Promise<void>;
}

const MOST_TRIES = 60;
/** Checks that the answer is final. Otherwise the request is retried. */
const isFinal = ({ status, text }: Answered): boolean =>
  status > 0 && status < 500 && status !== 429 && !/idempotency_in_flight|concurrent_change/.test(text);

const byId = new Map(operations.map((one) => [one.id, one]));

export function clients(agenda: Agenda, random: Chance, { call }: Pick<Cluster, 'call'>): Clients {
  const answered: Exchange[] = [];
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => void agenda.add(ms, OUTSIDE, 'a client goes on', resolve));
  const uuid = (): string => crypto.randomUUID();

  return {
    answered,
    sleep,
    async send(store, request) {
      const operation = byId.get(request.operation)!;
      const { method, path } = routeOf(operation);
      const params: Record<string, string> = { workspaceId: store.workspaceId, ...request.params };
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
      const key = uuid();
      const requestIds: string[] = [];
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const requestId = uuid();
        requestIds.push(requestId);
        const headers = { authorization: `Bearer ${store.key}`, 'x-request-id': requestId, 'idempotency-key': key };
        const requested = {
          method,
          url: filled + (request.query ?? ''),
          headers,
          ...(request.body && { body: request.body }),
        };
        const answer = await call(request.operation, (instance) =>
          instance.request(operation, params, requested),
        ).catch(() => undefined);
        if (answer !== undefined && isFinal(answer)) {
          const body: unknown = answer.text === '' ? undefined : JSON.parse(answer.text);
          const exchange = { store, request, status: answer.status, body, requestIds, at: agenda.now };
          answered.push(exchange);
          return exchange;
        }
        await sleep(random.between(200, 2_000));
      }
      return undefined;
    },
  };
}
