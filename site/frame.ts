/** Frame of every page: its head, the top bar, the navigation. */
import { escaped } from '../api/pages/escaped.js';
import type { Model } from './document.js';
import { GROUPS, GUIDES } from './guides.js';

/** A page of the documentation, before its frame. */
export interface SitePage {
  /** Such as `/docs/api/createPromotion`. */
  readonly path: string;
  readonly title: string;
  /** In a sentence, for those who see only a link. */
  readonly description: string;
  readonly kind: 'home' | 'guide' | 'operation' | 'event' | 'error' | 'index';
  /** HTML of what is in the middle. */
  readonly main: string;
  /** HTML of the side column on wide screens: code, or a table of contents. */
  readonly aside?: string;
  /** The same as Markdown, served at `{path}.md`. */
  readonly markdown?: string;
}

/** Scripts and styles, whose address changes with their content. */
export interface SiteAssets {
  readonly path: string;
}

const METHODS: Readonly<Record<string, string>> = { DELETE: 'DEL' };

/** The method as a small coloured word. */
export const methodTag = (method: string): string =>
  `<span class="method ${method.toLowerCase()}">${METHODS[method] ?? method}</span>`;

/** Inside a name that may be longer than its column. */
export const breakable = (name: string): string => escaped(name).replace(/(?<=[a-z])(?=[A-Z])|(?<=[_./])/g, '<wbr>');

const item = (path: string, label: string, current: string): string =>
  `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${label}</a></li>`;

const group = (title: string, items: readonly string[], isOpen: boolean): string =>
  `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${items.join('')}</ul></details>`;

function navigation({ tags, operations, events }: Model, current: string): string {
  const guides = GROUPS.map((name) => {
    const own = GUIDES.filter((guide) => guide.group === name);
    const items = own.map(({ slug, title }) => item(`/docs/guides/${slug}`, escaped(title), current));
    return `<h2>${escaped(name)}</h2><ul>${items.join('')}</ul>`;
  });
  const areas = tags.map(({ name }) => {
    const own = operations.filter(({ tag }) => tag === name);
    const items = own.map(({ id, method, title }) =>
      item(`/docs/api/${id}`, `${methodTag(method)}<span>${escaped(title)}</span>`, current),
    );
    return group(
      name,
      items,
      own.some(({ id }) => `/docs/api/${id}` === current),
    );
  });
  const types = events.map(({ type }) => item(`/docs/events/${type}`, `<code>${breakable(type)}</code>`, current));
  return `<nav class="side" id="side" aria-label="Pages">
${guides.join('\n')}
<h2>API</h2><ul>${item('/docs/api', 'All operations', current)}</ul>
<div class="areas">${areas.join('\n')}</div>
<h2>Events</h2><ul>${item('/docs/events', 'All event types', current)}${types.join('')}</ul>
<h2>More</h2><ul>${item('/errors', 'Error codes', current)}${item('/docs/downloads', 'Downloads', current)}</ul>
</nav>`;
}

const SEARCH_ICON =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="m10.6 10.6 3.6 3.6" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>';
const MENU_ICON =
  '<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>';
const THEME_ICON =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M8 2a6 6 0 0 1 0 12Z" fill="currentColor"/></svg>';

const TABS: readonly (readonly [string, string, (path: string) => boolean])[] = [
  ['/docs/guides/first-order', 'Guides', (path) => path.startsWith('/docs/guides')],
  ['/docs/api', 'API', (path) => path.startsWith('/docs/api')],
  ['/docs/events', 'Events', (path) => path.startsWith('/docs/events')],
  ['/errors', 'Errors', (path) => path.startsWith('/errors')],
];

function topBar(current: string): string {
  const tabs = TABS.map(
    ([path, label, isIn]) => `<a href="${path}"${isIn(current) ? ' class="here"' : ''}>${label}</a>`,
  );
  return `<a class="skip" href="#main">Skip to content</a>
<header class="top">
<button type="button" class="icon menu" data-menu aria-controls="side" aria-expanded="false" aria-label="Menu">${MENU_ICON}</button>
<a class="brand" href="/docs"><span class="mark" aria-hidden="true"></span>Suuq <span class="soft">Docs</span></a>
<nav class="tabs" aria-label="Sections">${tabs.join('')}</nav>
<button type="button" class="find" data-search>${SEARCH_ICON}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon" data-theme-next aria-label="Theme: system">${THEME_ICON}</button>
</header>`;
}

/** The whole page as HTML. */
export function framed(page: SitePage, model: Model, assets: SiteAssets): string {
  const { path, title, description, kind, main, aside, markdown } = page;
  const alternate = markdown === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${path}.md">\n`;
  return `<!doctype html>
<html lang="en" data-language="bash">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Suuq</title>
<meta name="description" content="${escaped(description)}">
<meta name="color-scheme" content="light dark">
${alternate}<link rel="icon" href="${assets.path}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets.path}/docs.css">
<script src="${assets.path}/begin.js"></script>
<script type="module" src="${assets.path}/docs.js"></script>
</head>
<body class="${kind}">
${topBar(path)}
<div class="shell">
${navigation(model, path)}
<main id="main" tabindex="-1">
${main}
</main>
${aside === undefined ? '' : `<aside class="beside" aria-label="${kind === 'guide' ? 'On this page' : 'Samples'}">\n${aside}\n</aside>`}
</div>
</body>
</html>
`;
}
