/** The pages behind each problem's `type`. */
import { STATUS_CODES } from 'node:http';
import { type ProblemCode, problemKinds } from '../api/contract/problems.js';
import { escaped, prose } from '../api/pages/escaped.js';
import type { Model } from './document.js';
import { breakable, type SitePage } from './frame.js';
import { codeBlock } from './highlight.js';
import { indexPage, relatedList, rows, section, sideColumn, statusTag } from './parts.js';

/** Codes by status. */
export const CODES = (Object.keys(problemKinds) as ProblemCode[]).sort(
  (a, b) => problemKinds[a].status - problemKinds[b].status,
);
const ONE_PROBLEM = { message: 'must be at least 0', location: 'body.priceCents', value: -1 };

export function errorPage(code: ProblemCode, { operations }: Model): SitePage {
  const { status, means, todo } = problemKinds[code];
  const example = {
    type: `/errors/${code}`,
    title: STATUS_CODES[status],
    status,
    code,
    detail: means,
    requestId: 'req-1042-7',
    ...(code === 'validation_failed' && { errors: [ONE_PROBLEM] }),
  };
  const answering = operations.filter(({ problems }) => problems.includes(code));
  const where =
    answering.length === operations.length
      ? '<p>Any operation can return this error.</p>'
      : relatedList(answering.map(({ id, title }) => ({ href: `/docs/api/${id}`, label: escaped(title) }))) ||
        '<p>No operation of the reference returns this error. The service returns it before routing, or on its own pages.</p>';
  return {
    path: `/errors/${code}`,
    kind: 'error',
    title: code,
    description: means,
    main: `<p class="crumbs"><a href="/errors">Errors</a></p>
<h1><code>${breakable(code)}</code></h1>
<p class="lead">${statusTag(status)} ${STATUS_CODES[status] ?? ''}</p>
${section('happened', 'What happened', `<p>${prose(means)}</p>`)}
${section('todo', 'What to do', `<p>${prose(todo)}</p>`)}
${section('where', 'Where', where)}`,
    aside: sideColumn(codeBlock(JSON.stringify(example, undefined, 2), 'json', 'Example')),
  };
}

export function errorsPage(): SitePage {
  const codes = CODES.map((code) => {
    const { status, means } = problemKinds[code];
    return `<li><a href="/errors/${code}">${statusTag(status)} <code>${breakable(code)}</code></a><p>${prose(means)}</p></li>`;
  });
  return indexPage({
    path: '/errors',
    title: 'Error codes',
    description: 'Every code that an error can have, and what to do about it.',
    lead: 'Every error response is a problem (<code>application/problem+json</code>) with one of these codes. Codes are stable; texts may change.',
    main: `<p><a href="/docs/guides/errors">Errors</a> explains how to handle them.</p>
${rows(codes)}`,
  });
}
