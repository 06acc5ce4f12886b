/** Checks a document against OpenAPI 3.1 by hand. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { formats } from '../../../api/contract/formats.js';
import type { OpenApi } from '../../../api/openapi/document.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into as any tool without types would
type Any = any;

/** Resolves a `#/…` reference in the document. */
const resolve = (document: Any, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce((part, name) => part?.[name], document);

function references(part: unknown, found: string[] = []): string[] {
  if (typeof part !== 'object' || part === null) return found;
  const { $ref } = part as { $ref?: unknown };
  if (typeof $ref === 'string') found.push($ref);
  for (const value of Object.values(part)) references(value, found);
  return found;
}

const every = (document: OpenApi): [string, string, Any][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, entry]) => [path, method, entry] as [string, string, Any]),
  );

/** Checks a document against the parts of OpenAPI 3.1 that this service uses. */
export function isValidOpenApi(document: OpenApi): void {
  expect(document.openapi).to.match(/^3\.1\.\d+$/);
  expect(document.info).to.include.keys('title', 'version');
  for (const ref of references(document)) expect(resolve(document, ref), ref).to.be.an('object');
  const ids = new Set<string>();
  for (const [path, method, entry] of every(document)) {
    const name = `${method} ${path}`;
    expect(METHODS, name).to.include(method);
    expect(ids.has(entry.operationId), name).to.equal(false);
    ids.add(entry.operationId);
    const inPath = entry.parameters.filter((one: Any) => one.in === 'path').map((one: Any) => one.name);
    expect(inPath, name).to.have.members([...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]));
    for (const parameter of entry.parameters) {
      expect(parameter, name).to.include.keys('name', 'in', 'schema');
      if (parameter.in === 'path') expect(parameter.required, name).to.equal(true);
    }
    expect(Object.keys(entry.responses), name).to.include('default');
    for (const [status, response] of Object.entries<Any>(entry.responses)) {
      expect(status, name).to.match(/^(default|[2345]\d\d)$/);
      if (response.$ref === undefined) expect(response.description, name).to.be.a('string');
    }
    for (const one of entry.security) expect(document.components.securitySchemes).to.include.keys(Object.keys(one));
  }
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema({ $id: 'doc', ...document } as object);
  for (const name of Object.keys(document.components.schemas))
    expect(() => ajv.compile({ $ref: `doc#/components/schemas/${name}` }), name).not.to.throw();
}
