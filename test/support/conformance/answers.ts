/** Checks each response against the served OpenAPI document and the general rules of the specification. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { formats } from '../../../api/contract/formats.js';
import type { Operation } from '../../../api/contract/operation.js';
import { routeOf } from '../../../api/contract/routes.js';
import type { OpenApi } from '../../../api/openapi/document.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
export type Body = any;

export interface Checked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** Closes the schemas, as a strict reader does: a response may have documented properties only. */
const closed = (schemas: unknown): object =>
  JSON.parse(
    JSON.stringify(schemas, (_, value) =>
      typeof value === 'object' && value?.properties !== undefined && value.additionalProperties === undefined
        ? { ...value, additionalProperties: false }
        : value,
    ),
  );

type Check = (operation: Operation, answer: Response, text: string) => Checked;

/** Returns whether `code` is one of the codes that the document lists for this status. */
function isDocumented(responses: Body, status: number, code: string): boolean {
  return String(responses[status]?.description ?? '').includes(`\`${code}\``);
}

/** Header fields of HTTP itself and of every response. */
const GENERAL =
  /^(?:access-control-.*|cache-control|connection|content-(?:type|length|security-policy)|date|keep-alive|transfer-encoding|vary|x-content-type-options)$/;

function headersAreDeclared(name: string, responses: Body, anyProblem: Body, { status, headers }: Response): void {
  // A status that the operation does not declare has the headers of any problem.
  const declared = (responses[status] ?? anyProblem).headers ?? {};
  const names = new Set(Object.keys(declared).map((one) => one.toLowerCase()));
  for (const [field] of headers) if (!GENERAL.test(field)) expect([...names], `${name} declares`).to.include(field);
}

function headersAreThere(name: string, { headers }: Response): void {
  expect(headers.get('x-request-id'), `${name}: X-Request-Id`).to.match(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('api-version'), `${name}: API-Version`).to.equal('v1');
  for (const field of ['ratelimit', 'ratelimit-policy'])
    expect(headers.get(field), `${name}: ${field}`).to.match(/^"\w+";/);
}

/** Returns a function that checks a value against a schema of the document, with no extra properties. */
export function strictSchemas(document: OpenApi): (name: string, schema: Body, value: Body) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema({ $id: 'doc', components: closed(document.components) });
  const validators = new Map<string, ValidateFunction>();
  return (name, schema, value) => {
    const key = JSON.stringify(schema);
    const pointed = JSON.parse(key.replaceAll('"#/components', '"doc#/components'));
    const validate = validators.get(key) ?? ajv.compile(pointed);
    validators.set(key, validate);
    expect(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
  };
}

/**
 * Checks every response. It has X-Request-Id, API-Version and RateLimit fields. A success has a declared status and a
 * body that matches its schema, with no extra properties. Anything else is a Problem whose code the document lists for
 * the operation.
 */
export function checkAnswers(document: OpenApi): Check {
  const valid = strictSchemas(document);
  const { AnyProblem: anyProblem } = document.components.responses as Body;
  return (operation, answer, text) => {
    const { method, path } = routeOf(operation);
    const name = `${operation.id} ${answer.status}`;
    const { responses } = document.paths[path]![method.toLowerCase()] as Body;
    headersAreThere(name, answer);
    headersAreDeclared(name, responses, anyProblem, answer);
    const type = answer.headers.get('content-type');
    const content = answer.status < 300 ? responses[answer.status]?.content : undefined;
    // The response is the bytes of a file.
    if (content?.['*/*'] !== undefined)
      return { status: answer.status, headers: answer.headers, text, body: undefined };
    const body: Body = text === '' ? undefined : JSON.parse(text);
    if (answer.status < 300) {
      expect(responses, name).to.include.keys(String(answer.status));
      const schema = content?.['application/json']?.schema;
      if (schema === undefined) expect(text, name).to.equal('');
      else {
        expect(type, name).to.equal('application/json');
        valid(name, schema, body);
      }
    } else {
      expect(type, name).to.equal('application/problem+json');
      valid(name, { $ref: '#/components/schemas/Problem' }, body);
      expect(body.status, name).to.equal(answer.status);
      expect(body.requestId, name).to.equal(answer.headers.get('x-request-id'));
      expect(isDocumented(responses, answer.status, body.code), `${name} ${body.code} is documented`).to.equal(true);
    }
    return { status: answer.status, headers: answer.headers, text, body };
  };
}

/** Returns the locations of a problem's errors, such as `body.name` or `query.limit`. */
export const locations = ({ body }: Checked): string[] =>
  (body.errors ?? []).map((error: { location: string }) => error.location);

export function isProblem(answer: Checked, status: number, code: string, what = ''): void {
  expect([answer.status, answer.body?.code], `${what} ${answer.text}`).to.deep.equal([status, code]);
}
