/** The OpenAPI document contains exactly the names in the specification's tables, which are copied by hand. */
import { expect } from 'chai';
import type { JsonObject } from '../../api/openapi/components.js';
import { type OpenApi, openApiDocument } from '../../api/openapi/document.js';
import { operations } from '../../api/operations/index.js';
import { schemas, specified } from '../support/conformance/table.js';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into as any tool without types would
type Any = any;

const fullPath = (route: string): string =>
  route.replace('{C}', '/api/v1/workspaces/{workspaceId}/commerce').replace('{W}', '/api/v1/workspaces/{workspaceId}');
const refOf = (content: Any): string | undefined =>
  content?.['application/json']?.schema.$ref?.replace('#/components/schemas/', '');

describe('the OpenAPI document and the specification', () => {
  const document: OpenApi = openApiDocument(operations, 'https://api.example.com');
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]): [string, Any] => [`${method.toUpperCase()} ${path}`, entry]),
  );
  const byRoute = new Map(entries);

  it('have the same operations; any additional one gives its reason', () => {
    const names = specified.map(({ id, route }) => `${id} ${fullPath(route)}`);
    expect(entries.map(([route, { operationId }]) => `${operationId} ${route}`)).to.include.members(names);
    const others = entries.filter(([route, { operationId }]) => !names.includes(`${operationId} ${route}`));
    for (const [route, entry] of others) {
      expect(entry['x-suuq-addition'], `${entry.operationId} ${route}: 'addition' in its declaration`).to.equal(true);
      expect(entry.description, entry.operationId).to.be.a('string').and.not.equal('');
    }
  });

  for (const { id, route, scope, feature, takes, answers, others, query = [] } of specified)
    it(`agree about ${id}`, () => {
      const entry: Any = byRoute.get(fullPath(route));
      expect([entry.operationId, entry['x-scope'], entry['x-feature']]).to.deep.equal([id, scope, feature]);
      expect(refOf(entry.requestBody?.content)).to.equal(takes);
      const successes = Object.entries<Any>(entry.responses).filter(([status]) => status.startsWith('2'));
      const reported = successes.map(([status, { content }]) => [status, refOf(content) ?? null]);
      expect(Object.fromEntries(reported)).to.deep.equal(answers);
      expect(Object.keys(entry.responses)).to.include.members([...others.map(String), 'default']);
      const requested = entry.parameters.filter((one: Any) => one.in === 'query').map((one: Any) => one.name);
      expect(requested).to.have.members(query);
    });

  for (const [name, text] of Object.entries(schemas))
    it(`agree about ${name}`, () => {
      const schema = document.components.schemas[name] as JsonObject & { properties: object; required?: string[] };
      expect(schema, 'is among the components').to.be.an('object');
      const properties = text.split(' ');
      const stated = Object.entries<Any>(schema.properties).filter(([, one]) => one['x-suuq-addition'] !== true);
      expect(stated.map(([property]) => property)).to.have.members(properties.map((one) => one.replace('?', '')));
      expect(schema.required ?? []).to.have.members(properties.filter((one) => !one.endsWith('?')));
    });

  it('differ only by fields that are marked as additions', () => {
    const marked = Object.entries<Any>(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries<Any>(properties).flatMap(([field, one]) =>
        one['x-suuq-addition'] === true ? [`${name}.${field}`] : [],
      ),
    );
    expect(marked).to.include.members(['DeliverySettingsBody.cashOnDelivery', 'DeliveryBody.cashOnDelivery']);
  });

  it('declare no additional properties in requests, at any depth', () => {
    const isOpen = (schema: Any): boolean => {
      if (typeof schema !== 'object' || schema === null) return false;
      if (typeof schema.$ref === 'string') return isOpen(document.components.schemas[schema.$ref.split('/').at(-1)]);
      const open = schema.properties !== undefined && schema.additionalProperties !== false;
      return open || Object.values(schema).some(isOpen);
    };
    for (const [route, entry] of entries) expect(isOpen(entry.requestBody?.content), route).to.equal(false);
  });
});
