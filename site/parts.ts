/** Pieces of HTML that pages of several kinds are made of, and what all lists of pages have in common. */
import type { SitePage } from './frame.js';

export const statusTag = (code: number): string => `<span class="status s${Math.floor(code / 100)}">${code}</span>`;

/** Nothing where it would be empty. */
export const section = (id: string, title: string, html: string): string =>
  html === '' ? '' : `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${html}</section>`;

/** `label`: HTML. */
export interface Link {
  readonly href: string;
  readonly label: string;
}

/** Pages that this one leads to; nothing where there are none. */
export const relatedList = (links: readonly Link[]): string =>
  links.length === 0
    ? ''
    : `<ul class="related">${links.map(({ href, label }) => `<li><a href="${href}">${label}</a></li>`).join('')}</ul>`;

/** To the page before and to the next. */
export function pager(before: Link | undefined, next: Link | undefined): string {
  const link = (to: Link | undefined, rel: string, label: string): string =>
    to === undefined ? '<span></span>' : `<a rel="${rel}" href="${to.href}"><small>${label}</small>${to.label}</a>`;
  return `<nav class="pager" aria-label="Previous and next page">${link(before, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}

/** Returns the side column, which does not scroll. */
export const sideColumn = (...blocks: readonly string[]): string => `<div class="stuck">\n${blocks.join('\n')}\n</div>`;

export const rows = (items: readonly string[]): string => `<ul class="rows">${items.join('\n')}</ul>`;

interface Index {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** HTML; these and `main` are below the title. */
  readonly lead: string;
  readonly main: string;
}

export const indexPage = ({ path, title, description, lead, main }: Index): SitePage => ({
  ...{ path, kind: 'index', title, description },
  main: `<h1>${title}</h1>\n<p class="lead">${lead}</p>\n${main}`,
});
