/** Files for tools: llms.txt, the whole as one text, and a collection of requests. */
import { type Model, type OperationModel, titleOf } from './document.js';
import type { SitePage } from './frame.js';
import { GROUPS, GUIDES } from './guides.js';
import { SAMPLE_FILE, sampleRequest } from './samples/request.js';

const line = (path: string, name: string, about: string): string => `- [${name}](${path}.md): ${about}`;

/** An index in the form of llmstxt.org. */
export function llmsText({ tags, operations, events }: Model): string {
  const guides = GROUPS.map((group) => {
    const own = GUIDES.filter((guide) => guide.group === group);
    return `## ${group}\n\n${own.map(({ slug, title, about }) => line(`/docs/guides/${slug}`, title, about)).join('\n')}`;
  });
  const areas = tags.map(({ name }) => {
    const own = operations.filter(({ tag }) => tag === name);
    return `## API: ${name}\n\n${own.map(({ id, method, path, summary }) => line(`/docs/api/${id}`, `${method} ${path}`, summary)).join('\n')}`;
  });
  const types = events.map(({ type, description }) => line(`/docs/events/${type}`, type, description));
  return `# Suuq

> A backend for selling in chat: partners run many stores over one REST API (v1), with signed webhooks. Requests are JSON with
> Authorization: Bearer; money is a whole number of US cents; errors are problems with stable codes.

The whole as one text: /docs/llms-full.txt. OpenAPI 3.1: /api/v1/openapi.json.

${guides.join('\n\n')}

${areas.join('\n\n')}

## Webhook events

${types.join('\n')}
`;
}

/** Every page that has a text, one after the other. */
export const fullText = (pages: readonly SitePage[]): string =>
  pages
    .filter(({ markdown }) => markdown !== undefined)
    .map(({ path, markdown }) => `<!-- ${path} -->\n\n${markdown}`)
    .join('\n');

const SECRETS = { store: '{{storeKey}}', partner: '{{partnerKey}}', session: '{{sessionToken}}' } as const;

function postmanItem(model: OperationModel): object {
  const { id, method, path, parameters, credential, operation, body, summary, description } = model;
  const { params } = sampleRequest(model);
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description = '', required = false }) => ({
      key: name,
      value: '',
      description: description,
      disabled: !required,
    }));
  const parts = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const sent =
    operation.upload !== undefined
      ? { mode: 'formdata', formdata: [{ key: operation.upload.field, type: 'file', src: SAMPLE_FILE }] }
      : body === undefined
        ? undefined
        : {
            mode: 'raw',
            raw: JSON.stringify(body.example, undefined, 2),
            options: { raw: { language: 'json' } },
          };
  return {
    name: titleOf(id),
    request: {
      method,
      description: [summary, description].filter(Boolean).join('\n\n'),
      auth:
        credential === 'none'
          ? { type: 'noauth' }
          : { type: 'bearer', bearer: [{ key: 'token', value: SECRETS[credential], type: 'string' }] },
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(operation.idempotent === true ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      ...(sent !== undefined && { body: sent }),
      url: {
        raw: `{{baseUrl}}/${parts.join('/')}`,
        host: ['{{baseUrl}}'],
        path: parts,
        ...(query.length > 0 && { query }),
        variable: Object.entries(params).map(([key, value]) => ({
          key,
          value: key === 'workspaceId' ? '{{workspaceId}}' : value,
        })),
      },
    },
  };
}

/** A collection in Postman's format 2.1, which Bruno and Insomnia read too. Its secrets are variables, and empty. */
export function postmanCollection({ tags, operations }: Model): object {
  const variable = ['baseUrl', 'workspaceId', 'storeKey', 'partnerKey', 'sessionToken'].map((key) => ({
    key,
    value: key === 'baseUrl' ? 'http://127.0.0.1:3000' : '',
  }));
  return {
    info: {
      name: 'Suuq v1',
      description: 'Every operation with its example.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable,
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tag }) => tag === name).map(postmanItem),
    })),
  };
}
