/** Operations and events as Markdown, for readers without a browser. */
import { problemKinds } from '../api/contract/problems.js';
import type { EventModel, Model, OperationModel, Parameter } from './document.js';
import { curlSample } from './samples/curl.js';
import { sampleRequest } from './samples/request.js';
import { type Field, fieldsOf, parameterField } from './schema.js';

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

function fieldLines(fields: readonly Field[], indent = ''): string[] {
  return fields.flatMap(({ name, type, isRequired, description, rules, values, inner }) => {
    const limits = [
      ...(values.length === 0 ? [] : [`one of ${values.map((value) => `\`${String(value)}\``).join(', ')}`]),
      ...rules,
    ];
    const text = [description, ...(limits.length === 0 ? [] : [`(${limits.join('; ')})`])].filter(Boolean).join(' ');
    return [
      `${indent}- \`${name}\` (${type}${isRequired ? ', required' : ''})${text === '' ? '' : `: ${text}`}`,
      ...fieldLines(inner, `${indent}  `),
    ];
  });
}

const parameterLines = (parameters: readonly Parameter[], { schemas }: Model): string[] =>
  fieldLines(
    parameters.map((parameter) => {
      const field = parameterField(parameter, schemas);
      return { ...field, type: `${parameter.in}, ${field.type}` };
    }),
  );

const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];

export function operationMarkdown(model: OperationModel, site: Model): string {
  const { id, title, method, path, summary, description, parameters, body, answers, problems } = model;
  const { schemas } = site;
  const parts = [
    `# ${title}`,
    `\`${method} ${path}\` (${id})`,
    [summary, description].filter(Boolean).join(' '),
    ...part('Parameters', parameterLines(parameters, site)),
    ...part('Body', body === undefined ? [] : fieldLines(fieldsOf(body.schema, schemas))),
    '## Request',
    fence('bash', curlSample(sampleRequest(model))),
    ...answers.flatMap(({ status, schema, example }) => [
      `## Response ${status}`,
      ...(schema === undefined ? [] : [fieldLines(fieldsOf(schema, schemas)).join('\n')]),
      ...(example === undefined ? [] : [fence('json', JSON.stringify(example, undefined, 2))]),
    ]),
    '## Errors',
    problems.map((code) => `- ${problemKinds[code].status} \`${code}\`: ${problemKinds[code].means}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function eventMarkdown({ type, description, schema, example }: EventModel, { schemas }: Model): string {
  const parts = [
    `# ${type}`,
    description,
    ...part('Payload', fieldLines(fieldsOf(schema, schemas))),
    fence('json', JSON.stringify(example, undefined, 2)),
  ];
  return `${parts.join('\n\n')}\n`;
}
