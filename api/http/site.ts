/** What is served beside the API: pages for people, the OpenAPI document, health and metrics. */
import type { IncomingMessage } from 'node:http';
import type { Metrics } from '../metrics.js';
import { openApiDocument } from '../openapi.js';
import type { Operation } from '../operation.js';
import { errorPage, errorsPage } from '../pages/errors.js';
import { type About, homePage } from '../pages/home.js';
import type { Page } from '../pages/layout.js';
import { referencePage } from '../pages/reference.js';
import { stylesheet } from '../pages/style.js';
import { isProblemCode, Refusal } from '../problems.js';
import { JSON_TYPE, type Lifecycle } from './exchange.js';
import { type ReadinessCheck, readiness } from './health.js';
import { API } from './routes.js';

export interface SiteOptions {
  readonly operations: readonly Operation[];
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
  /** What the front page tells of this service. */
  about(): Promise<About>;
  baseUrl(): string;
}

export interface SiteAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SiteRoute {
  /** For metrics. */
  readonly id: string;
  readonly path: string;
  answer(request: IncomingMessage, params: Readonly<Record<string, string>>): Promise<SiteAnswer> | SiteAnswer;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

const json = (status: number, body: object, headers: Record<string, string> = NO_STORE): SiteAnswer => ({
  status,
  contentType: JSON_TYPE,
  text: JSON.stringify(body),
  headers,
});

/** Pages load nothing but their own stylesheet and run nothing but the script whose hash is named. */
const pageHeaders = (scriptHash: string | undefined): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    ...(scriptHash === undefined ? [] : [`script-src '${scriptHash}'`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

/** A page as an answer. */
export const html = ({ text, scriptHash }: Page, status = 200): SiteAnswer => ({
  status,
  contentType: 'text/html; charset=utf-8',
  text,
  headers: pageHeaders(scriptHash),
});

/** Made at the first call: the base address is known only when the server listens. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function siteRoutes({ operations, lifecycle, metrics, checks, about, baseUrl }: SiteOptions): SiteRoute[] {
  const document = once(() => openApiDocument(operations, baseUrl()));
  const openApi = once(() => json(200, document(), { 'Cache-Control': 'public, max-age=60', 'API-Version': 'v1' }));
  const reference = once(() => html(referencePage(operations, document(), baseUrl())));
  return [
    { id: 'home', path: '/', answer: async () => html(homePage(await about(), lifecycle.phase)) },
    { id: 'openapi', path: `${API}/openapi.json`, answer: openApi },
    { id: 'docs', path: '/docs', answer: reference },
    { id: 'errors', path: '/errors', answer: () => html(errorsPage()) },
    {
      id: 'error',
      path: '/errors/{code}',
      answer: (_, { code = '' }) => {
        if (!isProblemCode(code)) throw new Refusal('not_found', 'There is no such error code.');
        return html(errorPage(code, operations));
      },
    },
    {
      id: 'stylesheet',
      path: stylesheet.path,
      answer: () => ({
        status: 200,
        contentType: 'text/css; charset=utf-8',
        text: stylesheet.text,
        headers: { 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' },
      }),
    },
    { id: 'healthz', path: '/healthz', answer: () => json(200, { status: 'alive' }) },
    {
      id: 'readyz',
      path: '/readyz',
      answer: async () => {
        const state = await readiness(lifecycle.phase, checks);
        return json(state.status === 'ready' ? 200 : 503, state);
      },
    },
    {
      id: 'metrics',
      path: '/metrics',
      answer: async () => {
        const text = await metrics.text();
        return { status: 200, contentType: metrics.contentType(), text, headers: NO_STORE };
      },
    },
  ];
}
