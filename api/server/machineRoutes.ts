/** Routes for machines outside of the API: the OpenAPI document, health and metrics. */
import type { IncomingMessage } from 'node:http';
import { API } from '../contract/routes.js';
import { etagOf, isKnown } from '../http/conditional.js';
import { JSON_TYPE, type Lifecycle } from '../http/exchange.js';
import type { Metrics } from '../http/metrics.js';
import { once } from '../http/once.js';
import type { OpenApi } from '../openapi/document.js';
import { compressed } from './compression.js';
import { type ReadinessCheck, readiness } from './health.js';

export interface MachineRoutesOptions {
  /** Returns the document of the operations; its code is loaded at first use. */
  document(): Promise<OpenApi>;
  readonly lifecycle: Pick<Lifecycle, 'phase'>;
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
}

export interface MachineAnswer {
  readonly status: number;
  readonly contentType: string;
  /** None of an answer that has no body. */
  readonly content?: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A public route of GET and HEAD. */
export interface MachineRoute {
  /** For metrics. */
  readonly id: string;
  readonly path: string;
  /** For the operator alone: not on the public port where there is another. */
  readonly operatorOnly?: true;
  answer(request: IncomingMessage): Promise<MachineAnswer> | MachineAnswer;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

const json = (status: number, body: object, headers: Record<string, string> = NO_STORE): MachineAnswer => ({
  status,
  contentType: JSON_TYPE,
  content: JSON.stringify(body),
  headers,
});

/** The document in the form that the client takes, or 304 where it has it. */
function openApiAnswer(document: () => Promise<OpenApi>): MachineRoute['answer'] {
  const made = once(async () => {
    const text = JSON.stringify(await document());
    // Weak: the same document, in whichever form.
    return { formOf: compressed(text), etag: `W/${etagOf(text)}` };
  });
  return async ({ headers: request }) => {
    const { formOf, etag } = await made();
    const headers = {
      'Cache-Control': 'public, max-age=60',
      Vary: 'Accept-Encoding',
      ETag: etag,
      'API-Version': 'v1',
    };
    if (isKnown(request['if-none-match'], etag)) return { status: 304, contentType: JSON_TYPE, headers };
    const { content, encoding } = await formOf(request['accept-encoding']);
    const form = encoding !== undefined && { 'Content-Encoding': encoding };
    return { status: 200, contentType: JSON_TYPE, content, headers: { ...headers, ...form } };
  };
}

export function machineRoutes({ document, lifecycle, metrics, checks }: MachineRoutesOptions): MachineRoute[] {
  return [
    { id: 'openapi', path: `${API}/openapi.json`, answer: openApiAnswer(document) },
    { id: 'healthz', path: '/healthz', answer: () => json(200, { status: 'alive' }) },
    {
      id: 'readyz',
      path: '/readyz',
      operatorOnly: true,
      answer: async () => {
        const state = await readiness(lifecycle.phase, checks);
        return json(state.status === 'ready' ? 200 : 503, state);
      },
    },
    {
      id: 'metrics',
      path: '/metrics',
      operatorOnly: true,
      answer: async () => {
        const { contentType, text } = await metrics.scraped();
        return { status: 200, contentType, content: text, headers: NO_STORE };
      },
    },
  ];
}
