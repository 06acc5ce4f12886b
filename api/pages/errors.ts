/** The pages behind each problem's `type`. */
import { STATUS_CODES } from 'node:http';
import { problemCodes } from '../http/openapiProblems.js';
import { routeOf } from '../http/routes.js';
import type { Operation } from '../operation.js';
import { type ProblemCode, problemKinds } from '../problems.js';
import { escaped, page, prose, table } from './layout.js';

const codes = Object.keys(problemKinds) as ProblemCode[];
const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`;

const ONE_PROBLEM = { message: 'must be at least 0', location: 'body.priceCents', value: -1 };

export function errorsPage(): string {
  const rows = codes.map((code) => {
    const { status, means } = problemKinds[code];
    return [
      `<a href="/errors/${code}"><code>${code.replaceAll('_', '_<wbr>')}</code></a>`,
      String(status),
      prose(means),
    ];
  });
  return page(
    'Errors · Suuq',
    `<main class="narrow">
<p class="top"><a href="/">Suuq</a> · <a href="/docs">Reference</a></p>
<h1>Errors</h1>
<p class="lead">Every error answer is a problem (<code>application/problem+json</code>) with one of these codes. Codes are stable; texts may change.</p>
${table(['Code', 'Status', 'Meaning'], rows)}
</main>`,
  );
}

export function errorPage(code: ProblemCode, operations: readonly Operation[]): string {
  const { status, means, todo } = problemKinds[code];
  const example = {
    type: `/errors/${code}`,
    title: STATUS_CODES[status],
    status,
    code,
    detail: means,
    requestId: '…',
    ...(code === 'validation_failed' ? { errors: [ONE_PROBLEM] } : {}),
  };
  const answering = operations.filter((one) => problemCodes(one, routeOf(one)).includes(code)).map(({ id }) => id);
  const links = answering.map((id) => `<a href="/docs#${escaped(id)}"><code>${escaped(id)}</code></a>`);
  const everywhere = operations.length > 0 && answering.length === operations.length;
  const where = everywhere
    ? 'Any operation may answer it.'
    : links.length === 0
      ? ''
      : `Answered by ${links.join(', ')}.`;
  return page(
    `${code} · Suuq`,
    `<main class="narrow">
<p class="top"><a href="/">Suuq</a> · <a href="/errors">Errors</a></p>
<h1><code>${code}</code></h1>
<p class="lead">${statusText(status)}</p>
<h4>What happened</h4><p>${prose(means)}</p>
<h4>What to do</h4><p>${prose(todo)}</p>
${where === '' ? '' : `<h4>Where</h4><p>${where}</p>`}
<h4>Such as</h4><pre><code>${escaped(JSON.stringify(example, undefined, 2))}</code></pre>
</main>`,
  );
}

/** Instead of a page that is not for whoever asks. */
export const foreignPage = (why: string): string =>
  page('Not here · Suuq', `<main class="narrow">\n<h1>Not here</h1>\n<p class="lead">${escaped(why)}</p>\n</main>`);
