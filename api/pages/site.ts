/** The service's own pages. */

import type { Lifecycle } from '../http/exchange.js';
import { once } from '../http/machineRoutes.js';
import type { OpenApi } from '../openapi.js';
import type { Operation } from '../operation.js';
import { isProblemCode, Refusal } from '../problems.js';
import { errorPage, errorsPage } from './errors.js';
import { type About, homePage } from './home.js';
import type { PageAnswer, PageRoute } from './pageRoute.js';
import { referencePage } from './reference.js';

export interface SiteOptions {
  readonly operations: readonly Operation[];
  readonly lifecycle: Lifecycle;
  /** What the front page tells of this service. */
  about(): Promise<About>;
  document(): OpenApi;
  baseUrl(): string;
}

const shown = (text: string): PageAnswer => ({ status: 200, text });

export function siteRoutes({ operations, lifecycle, about, document, baseUrl }: SiteOptions): PageRoute[] {
  const reference = once(() => shown(referencePage(operations, document(), baseUrl())));
  return [
    { id: 'home', path: '/', answer: async () => shown(homePage(await about(), lifecycle.phase)) },
    { id: 'docs', path: '/docs', loads: { scripts: "'self'" }, answer: reference },
    { id: 'errors', path: '/errors', answer: () => shown(errorsPage()) },
    {
      id: 'error',
      path: '/errors/{code}',
      answer: ({ code = '' }) => {
        if (!isProblemCode(code)) throw new Refusal('not_found', 'There is no such error code.');
        return shown(errorPage(code, operations));
      },
    },
  ];
}
