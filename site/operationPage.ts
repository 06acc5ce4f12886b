/** Page of one operation: its description next to a sample request. */
import { STATUS_CODES } from 'node:http';
import { type ProblemCode, problemKinds } from '../api/contract/problems.js';
import { escaped, prose } from '../api/pages/escaped.js';
import type { AnswerModel, Model, OperationModel, Parameter } from './document.js';
import { answeredFields, fieldList } from './fieldList.js';
import { breakable, methodTag, type SitePage } from './frame.js';
import { codeBlock } from './highlight.js';
import { operationMarkdown } from './operationMarkdown.js';
import { type Link, pager, relatedList, section, sideColumn, statusTag } from './parts.js';
import { samplesOf } from './samples/index.js';
import { type Field, fieldsOf, parameterField, type Schemas } from './schema.js';
import { tryForm } from './tryForm.js';

const CREDENTIALS = {
  store: 'Secret key of the store, or of its partner; or a session token',
  partner: 'Secret key of the partner',
  session: 'Session token',
  none: 'None: the body identifies the caller',
} as const;

const parameterFields = (parameters: readonly Parameter[], place: Parameter['in'], schemas: Schemas): Field[] =>
  parameters.filter((parameter) => parameter.in === place).map((parameter) => parameterField(parameter, schemas));

/** In a place of its own, since every operation has it. */
const USUAL = ['X-Request-Id'];

const status = (code: number): string => `${statusTag(code)} ${STATUS_CODES[code] ?? ''}`;

function facts({ operation, credential, bodyLimit, body }: OperationModel): string {
  const { scope, feature, idempotent, upload, addition, deprecated } = operation;
  const rows: (readonly [string, string])[] = [
    ['Credential', escaped(CREDENTIALS[credential])],
    ...(scope === null ? [] : [['Scope', `<code>${breakable(scope)}</code>`] as const]),
    ...(feature === null ? [] : [['Plan feature', `<code>${breakable(feature)}</code>`] as const]),
    ...(body === undefined ? [] : [['Body', `JSON, at most ${bodyLimit.toLocaleString('en')} bytes`] as const]),
    ...(upload === undefined
      ? []
      : [['Body', `multipart/form-data, a file of at most ${upload.mostBytes.toLocaleString('en')} bytes`] as const]),
    ...(idempotent === true
      ? [['Idempotency', 'accepts an <a href="/docs/guides/retries"><code>Idempotency-Key</code></a>'] as const]
      : []),
    ...(addition === undefined ? [] : [['Specification', 'not included: an addition'] as const]),
    ...(deprecated === undefined ? [] : [['Deprecated', `ends at ${escaped(deprecated.sunset)}`] as const]),
  ];
  return `<dl class="facts">${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

function answer({ status: code, schema, isFile }: AnswerModel, schemas: Schemas): string {
  const text = isFile
    ? '<p>The bytes of the file, whole or the requested range.</p>'
    : schema === undefined
      ? '<p>No body.</p>'
      : fieldList(answeredFields(fieldsOf(schema, schemas)));
  return `<h3>${status(code)}</h3>\n${text}`;
}

function problems(codes: readonly ProblemCode[]): string {
  const rows = codes.map((code) => {
    const { status: answered, means } = problemKinds[code];
    return `<li><a href="/errors/${code}">${statusTag(answered)} <code>${breakable(code)}</code></a> <span>${prose(means)}</span></li>`;
  });
  return `<ul class="problems">${rows.join('\n')}</ul>`;
}

function samples(model: OperationModel): string {
  const all = samplesOf(model);
  const tabs = all.map(
    ({ language, name }) =>
      `<button type="button" data-tab="${language}" aria-pressed="${language === 'bash'}">${name}</button>`,
  );
  const blocks = all.map(({ language, name, code }) => codeBlock(code, language, name, ` data-language="${language}"`));
  return `<div class="samples" id="samples"><div class="languages" role="group" aria-label="Language of the samples">${tabs.join('')}</div>
${blocks.join('\n')}</div>`;
}

const answers = ({ answers: all }: OperationModel): string =>
  all
    .map(({ status: code, example, isFile }) =>
      example === undefined
        ? `<p class="plain-answer">${status(code)}${isFile ? ', with the bytes' : ', without a body'}</p>`
        : codeBlock(JSON.stringify(example, undefined, 2), 'json', `Response ${code}`),
    )
    .join('\n');

const linkTo = (to: OperationModel | undefined): Link | undefined =>
  to && { href: `/docs/api/${to.id}`, label: escaped(to.title) };

function related({ next }: OperationModel, { operations }: Model): string {
  return relatedList(next.flatMap((id) => linkTo(operations.find((one) => one.id === id)) ?? []));
}

function neighbours({ id }: OperationModel, { operations }: Model): string {
  const at = operations.findIndex((one) => one.id === id);
  return pager(linkTo(operations[at - 1]), linkTo(operations[at + 1]));
}

export function operationPage(model: OperationModel, site: Model): SitePage {
  const { id, title, method, path, summary, description, parameters, body, tag, operation } = model;
  const { schemas } = site;
  const path_ = `/docs/api/${id}`;
  const headers = parameterFields(
    parameters.filter(({ name }) => !USUAL.includes(name)),
    'header',
    schemas,
  );
  const sent =
    body !== undefined
      ? `${body.isRequired ? '' : '<p>Optional.</p>'}${fieldList(fieldsOf(body.schema, schemas))}`
      : operation.upload === undefined
        ? ''
        : `<ul class="fields"><li><p class="field"><code>${operation.upload.field}</code> <span class="type">file</span> <span class="required">required</span></p><p>The one part of the form, with its filename.</p></li></ul>`;
  return {
    path: path_,
    kind: 'operation',
    title,
    description: summary,
    markdown: operationMarkdown(model, site),
    main: `<p class="crumbs"><a href="/docs/api">API</a> <span aria-hidden="true">›</span> <a href="/docs/api#${tagId(tag)}">${escaped(tag)}</a></p>
<h1>${escaped(title)}</h1>
<p class="endpoint">${methodTag(method)}<code>${breakable(path)}</code></p>
<p class="lead">${prose(summary)}</p>
${description === '' ? '' : `<p>${prose(description)}</p>`}
${facts(model)}
<p class="also"><code>${escaped(id)}</code> · <a href="${path_}.md">This page as Markdown</a><span class="narrow-only"> · <a href="#samples">Samples, to try</a></span></p>
${section('path', 'Path', fieldList(parameterFields(parameters, 'path', schemas)))}
${section('query', 'Query', fieldList(parameterFields(parameters, 'query', schemas)))}
${section('headers', 'Header fields', fieldList(headers))}
${section('body', 'Body', sent)}
${section('answer', 'Response', model.answers.map((one) => answer(one, schemas)).join('\n'))}
${section('errors', 'Errors', problems(model.problems))}
${section('related', 'Related operations', related(model, site))}
${neighbours(model, site)}`,
    aside: sideColumn(samples(model), tryForm(model), answers(model)),
  };
}

/** The id of an area on the page of all operations. */
export const tagId = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-');
