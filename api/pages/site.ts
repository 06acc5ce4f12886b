/** The home page, with the documentation. */

import type { Lifecycle } from '../http/exchange.js';
import { type About, homePage } from './home.js';
import type { PageRoute } from './pageRoute.js';

export interface SiteOptions {
  readonly lifecycle: Lifecycle;
  /** Returns the facts for the home page. */
  about(): Promise<About>;
}

export const siteRoutes = ({ lifecycle, about }: SiteOptions): PageRoute[] => [
  { id: 'home', path: '/', answer: async () => ({ status: 200, text: homePage(await about(), lifecycle.phase) }) },
];
