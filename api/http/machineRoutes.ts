/** What machines ask for beside the operations: the OpenAPI document, health and metrics. */
import type { Metrics } from '../metrics.js';
import type { OpenApi } from '../openapi.js';
import { JSON_TYPE, type Lifecycle } from './exchange.js';
import { type ReadinessCheck, readiness } from './health.js';
import { API } from './routes.js';

export interface MachineRoutesOptions {
  /** The document of the operations; made when it is first asked for. */
  document(): OpenApi;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
}

export interface MachineAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of GET and HEAD, for anybody. */
export interface MachineRoute {
  /** For metrics. */
  readonly id: string;
  readonly path: string;
  /** For the operator alone: not on the public port where there is another. */
  readonly kept?: true;
  answer(): Promise<MachineAnswer> | MachineAnswer;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

const json = (status: number, body: object, headers: Record<string, string> = NO_STORE): MachineAnswer => ({
  status,
  contentType: JSON_TYPE,
  text: JSON.stringify(body),
  headers,
});

/** Made at the first call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function machineRoutes({ document, lifecycle, metrics, checks }: MachineRoutesOptions): MachineRoute[] {
  const openApi = once(() => json(200, document(), { 'Cache-Control': 'public, max-age=60', 'API-Version': 'v1' }));
  return [
    { id: 'openapi', path: `${API}/openapi.json`, answer: openApi },
    { id: 'healthz', path: '/healthz', answer: () => json(200, { status: 'alive' }) },
    {
      id: 'readyz',
      path: '/readyz',
      kept: true,
      answer: async () => {
        const state = await readiness(lifecycle.phase, checks);
        return json(state.status === 'ready' ? 200 : 503, state);
      },
    },
    {
      id: 'metrics',
      path: '/metrics',
      kept: true,
      answer: async () => {
        const text = await metrics.text();
        return { status: 200, contentType: metrics.contentType(), text, headers: NO_STORE };
      },
    },
  ];
}
