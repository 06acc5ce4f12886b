/** Page for errors, such as not found or forbidden. */
import { problemKinds } from '../contract/problems.js';
import { escaped } from './escaped.js';
import { page } from './layout.js';

const sheet = (title: string, why: string, more: string): string =>
  page(
    `${title} · Suuq`,
    `<main class="narrow">\n<h1>${title}</h1>\n<p class="lead">${escaped(why)}</p>\n${more}</main>`,
  );

export const notFoundPage = (): string =>
  sheet(
    'Page not found',
    problemKinds.not_found.means,
    '<p><a href="/docs">Documentation</a> · <a href="/">Service overview</a></p>\n',
  );

export const foreignPage = (why: string): string => sheet('Unknown host name', why, '');
