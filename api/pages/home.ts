/** The front page: what is running. */
import type { Lifecycle } from '../http/exchange.js';
import { escaped } from './escaped.js';
import { page } from './layout.js';

export interface About {
  readonly name: string;
  readonly version: string;
  /** Such as `Event store` → `SQLite, ./data/events.db`. Without credentials. */
  readonly engines: Readonly<Record<string, string>>;
  /** ms since 1970. */
  readonly startedAt: number;
  readonly now: number;
  /** Such as `Events` → 12345. */
  readonly counts: Readonly<Record<string, number>>;
  readonly sandboxUrl?: string;
}

const PHASES: Readonly<Record<Lifecycle['phase'], string>> = {
  starting: 'Starting',
  ready: 'Running',
  stopping: 'Stopping',
};

/** Such as `2 d 3 h` or `45 s`: the two largest units. */
export function duration(ms: number): string {
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ];
  let rest = Math.max(0, ms);
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { count, text: `${count} ${unit}` };
  });
  const from = parts.findIndex(({ count }) => count > 0);
  return from === -1
    ? '0 s'
    : parts
        .slice(from, from + 2)
        .map(({ text }) => text)
        .join(' ');
}

const LINKS: readonly (readonly [string, string, string])[] = [
  ['/docs', 'Documentation', 'guides, and every operation and event with samples, to try from the page'],
  ['/api/v1/openapi.json', 'OpenAPI', 'the API as an OpenAPI 3.1 document, for tools'],
  ['/errors', 'Errors', 'what each code means and what to do'],
  ['/readyz', 'Readiness', 'whether every component is ready'],
  ['/healthz', 'Health', 'whether the process is alive'],
  ['/metrics', 'Metrics', 'for Prometheus'],
];

export function homePage(about: About, phase: Lifecycle['phase']): string {
  const facts = [
    ...Object.entries(about.engines),
    ...Object.entries(about.counts).map(([name, count]) => [name, count.toLocaleString('en')] as const),
    ['Uptime', duration(about.now - about.startedAt)] as const,
  ].map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  const sandbox: typeof LINKS =
    about.sandboxUrl === undefined
      ? []
      : [[about.sandboxUrl, 'Sandbox', 'act as a customer, and see what the channel received']];
  const links = [...LINKS.slice(0, 3), ...sandbox, ...LINKS.slice(3)].map(
    ([href, name, what]) => `<li><a href="${escaped(href)}">${name}</a> <span class="soft">${what}</span></li>`,
  );
  return page(
    about.name,
    `<main class="narrow">
<h1>${escaped(about.name)}</h1>
<p class="lead">Selling in chat, for many stores. Version ${escaped(about.version)}.</p>
<p><span class="state ${phase}">${PHASES[phase]}</span></p>
<dl>${facts.join('\n')}</dl>
<ul class="links">
${links.join('\n')}
</ul>
</main>`,
  );
}
