/** The guides as pages, from the project's own. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { escaped } from '../api/pages/escaped.js';
import type { Model } from './document.js';
import { CODES } from './errorPages.js';
import type { SitePage } from './frame.js';
import { GUIDES, type GuideEntry } from './guides.js';
import { type GuideText, guideText, type Linking, shownPart } from './markdown.js';
import { type Link, pager } from './parts.js';

export interface GuidePage extends SitePage {
  readonly text: GuideText;
}

/** Addresses in a guide's source lead to pages of the documentation, where there is one. */
function placeFrom(file: string): Linking['place'] {
  return (href) => {
    if (/^(?:https?:|#|\/)/.test(href)) return href;
    const [path = '', anchor] = href.split('#') as [string, string?];
    const target = posix.normalize(posix.join(posix.dirname(file), path));
    const guide = GUIDES.find((one) => one.file === target);
    if (guide === undefined) return undefined;
    return `/docs/guides/${guide.slug}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

/** Operations, event types and error codes by their names; a guide's own subject needs no link in each line. */
function namedBy({ operations, events }: Model): Linking['named'] {
  const pages = new Map([
    ...operations.map(({ id }) => [id, `/docs/api/${id}`] as const),
    ...events.map(({ type }) => [type, `/docs/events/${type}`] as const),
    ...CODES.map((code) => [code as string, `/errors/${code}`] as const),
  ]);
  return (code) => pages.get(code);
}

function contents({ headings }: GuideText): string {
  const shown = headings.filter(({ depth }) => depth <= 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, text, depth }) => `<li${depth === 3 ? ' class="deeper"' : ''}><a href="#${id}">${escaped(text)}</a></li>`,
  );
  return `<nav class="stuck contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${items.join('')}</ul></nav>`;
}

const linkTo = (guide: GuideEntry | undefined): Link | undefined =>
  guide && { href: `/docs/guides/${guide.slug}`, label: escaped(guide.title) };

/** `root`: the project's folder. */
export function guidePage(guide: GuideEntry, model: Model, root: string): GuidePage {
  const source = readFileSync(join(root, guide.file), 'utf8');
  const text = guideText(source, { place: placeFrom(guide.file), named: namedBy(model) });
  const path = `/docs/guides/${guide.slug}`;
  const at = GUIDES.indexOf(guide);
  return {
    path,
    kind: 'guide',
    title: guide.title,
    description: guide.about,
    markdown: shownPart(source),
    text,
    main: `<p class="crumbs">${escaped(guide.group)}</p>
<article>
<h1>${escaped(text.title)}</h1>
${text.html}
</article>
<p class="also"><a href="${path}.md">This page as Markdown</a></p>
${pager(linkTo(GUIDES[at - 1]), linkTo(GUIDES[at + 1]))}`,
    aside: contents(text),
  };
}
