/** Uses of the OpenAPI document by tools: reference pages, generated clients and links between operations. */
import { expect } from 'chai';
import { encodeCursor } from '../../api/contract/cursor.js';
import { compileInput } from '../../api/http/input/validation.js';
import { openApiDocument } from '../../api/openapi/document.js';
import { WORDS } from '../../api/openapi/reference/describe.js';
import { sampled } from '../../api/openapi/reference/examples.js';
import { PARAMETERS } from '../../api/openapi/reference/words/common.js';
import { describedOperations } from '../../api/openapi/reference/words/operations.js';
import { TAGS } from '../../api/openapi/reference/words/tags.js';
import { operations } from '../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';
import { HTTPS_URL_PATTERN } from '../../domain/urls.js';
import { createAuthenticator } from '../../infrastructure/secrets/authenticator.js';
import { strictSchemas } from '../support/conformance/answers.js';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into as any tool without types would
type Any = any;

const document = openApiDocument(operations, 'https://api.example.com', EVENT_SCHEMAS) as Any;
const schemas: Record<string, Any> = document.components.schemas;
const entries: readonly Any[] = Object.values(document.paths as object).flatMap((methods) => Object.values(methods));
const entryOf = (id: string): Any => entries.find(({ operationId }) => operationId === id);
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Lists the fields of a schema by path, without those of named schemas. `[]` denotes list items. */
function fieldsOf(schema: Any, path = ''): [string, Any][] {
  const inner = Object.entries<Any>(schema.properties ?? {}).flatMap(([name, one]): [string, Any][] => {
    const at = path === '' ? name : `${path}.${name}`;
    return [[at, one], ...fieldsOf(one, at)];
  });
  const items: [string, Any][] = schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[]`);
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => fieldsOf(one, path));
  return [...inner, ...items, ...either];
}

describe('the descriptions of the OpenAPI document', () => {
  it('exist for every tag, operation and parameter', () => {
    for (const { name, description } of document.tags) expect(description, name).to.be.a('string').and.not.equal('');
    for (const { operationId, description, parameters } of entries) {
      expect(description, operationId).to.be.a('string').and.not.equal('');
      for (const { name, description } of parameters)
        expect(description, `${operationId} ${name}`).to.be.a('string').and.not.equal('');
    }
  });

  it('exist for every schema and each of its fields', () => {
    const missing = Object.entries(schemas).flatMap(([name, schema]) => [
      ...(schema.description ? [] : [name]),
      ...fieldsOf(schema)
        .filter(([, { $ref, description }]) => $ref === undefined && !description)
        .map(([path]) => `${name}.${path}`),
    ]);
    expect(missing).to.deep.equal([]);
  });

  it('refer only to existing schemas and fields', () => {
    const forgotten = Object.entries(WORDS).flatMap(([name, words]) => {
      const fields = new Map(fieldsOf(schemas[name] ?? {}));
      return Object.keys(words)
        .filter((path) => (path === '' ? schemas[name] === undefined : !fields.has(path)))
        .map((path) => `${name}.${path}`);
    });
    expect(forgotten).to.deep.equal([]);
    expect(operations.map(({ id }) => id)).to.include.members([...describedOperations]);
    expect(document.tags.map(({ name }: Any) => name)).to.have.members(Object.keys(TAGS));
    const named = entries.flatMap(({ operationId, parameters }) =>
      parameters.flatMap(({ name }: Any) => [name, `${operationId}.${name}`]),
    );
    expect(named).to.include.members(Object.keys(PARAMETERS));
  });
});

/** Lists every pattern below a part of the document, with its location. */
function patternsOf(part: Any, at = ''): [string, string][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries<Any>(part).flatMap(([name, inner]): [string, string][] =>
    name === 'pattern' && typeof inner === 'string' ? [[at, inner]] : patternsOf(inner, `${at}/${name}`),
  );
}

describe('the patterns of the OpenAPI document', () => {
  const patterns = patternsOf({ paths: document.paths, webhooks: document.webhooks, schemas });

  it('work in RE2, Rust and Python too: no lookaround, no references, no engine-specific escapes', () => {
    expect(patterns.length).to.be.above(50);
    const escapes = /\\[1-9kpPucGQEZzAhHRXK]/;
    const groups = /\(\?(?!:)|[*+?}][+]/;
    const withoutClasses = (pattern: string): string => pattern.replace(/\[(?:\\.|[^\]\\])*\]/g, 'x');
    const found = patterns.filter(([, pattern]) => escapes.test(pattern) || groups.test(withoutClasses(pattern)));
    expect(found).to.deep.equal([]);
  });

  it('repeat nothing more often than RE2 supports', () => {
    const counts = patterns.flatMap(([, pattern]) => [...pattern.matchAll(/\{(\d+),?(\d*)\}/g)]);
    const most = counts.flatMap(([, least, most]) => [Number(least), Number(most)]);
    expect(Math.max(...most)).to.be.at.most(1000);
  });
});

/** Every non-binary body of the document: requests, responses and webhooks. */
const bodies: readonly [string, Any][] = [
  ...entries.flatMap(({ operationId, requestBody, responses }): [string, Any][] => [
    [operationId, requestBody?.content['application/json']],
    [operationId, requestBody?.content['multipart/form-data']],
    ...Object.entries<Any>(responses).flatMap(([status, { content }]): [string, Any][] => [
      [`${operationId} ${status}`, content?.['application/json']],
      [`${operationId} ${status}`, content?.['application/problem+json']],
    ]),
  ]),
  ...Object.entries<Any>(document.webhooks).map(([type, { post }]): [string, Any] => [
    type,
    post.requestBody.content['application/json'],
  ]),
  ['any problem', document.components.responses.AnyProblem.content['application/problem+json']] as [string, Any],
].filter(([, content]) => content !== undefined);

const exampleOf = (content: Any): Any => {
  const [{ $ref }] = Object.values<Any>(content.examples) as [Any];
  return document.components.examples[nameOf($ref)].value;
};

describe('the examples of the OpenAPI document', () => {
  it('exist for every body, and match its schema in every field', () => {
    const valid = strictSchemas(document);
    for (const [name, content] of bodies) {
      expect(content.examples, name).to.be.an('object');
      valid(name, content.schema, exampleOf(content));
    }
  });

  it('are requests that the service accepts', () => {
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      const value = exampleOf(entryOf(operation.id).requestBody.content['application/json']);
      const params = Object.fromEntries(
        entryOf(operation.id).parameters.map(({ name, schema }: Any) => [
          name,
          schema.format === 'uuid' ? '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70' : 'one',
        ]),
      );
      expect(() => compileInput(operation)(params, '/', { value, problems: [] } as never), operation.id).not.to.throw();
    }
  });

  it('are all used, each once among the components', () => {
    const used = bodies.flatMap(([, { examples }]) => Object.keys(examples));
    expect(Object.keys(document.components.examples)).to.have.members([...new Set(used)]);
    expect(used).to.include.members([...sampled]);
  });

  it('have totals that add up', () => {
    const orders = Object.values<Any>(document.components.examples).flatMap(({ value }) => [
      ...(value.totalCents === undefined ? [] : [value]),
      ...(value.orders ?? []),
      ...(value.data?.order === undefined ? [] : [value.data.order]),
    ]);
    expect(orders.length).to.be.above(5);
    for (const { subtotalCents, discountCents, deliveryFeeCents, totalCents, items, itemCount } of orders) {
      expect(subtotalCents - discountCents + deliveryFeeCents).to.equal(totalCents);
      if (items === undefined) continue;
      const sum = (of: (item: Any) => number) => items.reduce((all: number, item: Any) => all + of(item), 0);
      expect(sum(({ quantity }) => quantity)).to.equal(itemCount);
      expect(sum(({ quantity, unitPriceCents }) => quantity * unitPriceCents)).to.equal(subtotalCents);
    }
  });
});

describe('the links of the OpenAPI document', () => {
  const links: readonly [string, Any, Any, Any][] = entries.flatMap((entry) =>
    Object.values<Any>(entry.responses).flatMap((response) =>
      Object.entries<Any>(response.links ?? {}).map(([name, link]): [string, Any, Any, Any] => [
        `${entry.operationId} → ${name}`,
        link,
        entry,
        response,
      ]),
    ),
  );

  it('lead from an order to its operations, from a page to the next, from a new store into it', () => {
    const from = (id: string, status = 200) => Object.keys(entryOf(id).responses[status].links ?? {});
    expect(from('getOrder')).to.have.members([
      'cancelOrder',
      'setOrderStatus',
      'getConversation',
      'listMessages',
      'sendMessage',
      'updateConversation',
      'listOrderHistory',
      'compareOrderHistory',
      'listConversationHistory',
      'compareConversationHistory',
    ]);
    expect(from('listOrders')).to.have.members([
      'nextPage',
      'getOrder',
      'cancelOrder',
      'setOrderStatus',
      'listOrderHistory',
      'compareOrderHistory',
    ]);
    expect(from('createPartnerStore', 201)).to.include.members([
      'getPartnerStore',
      'closePartnerStore',
      'listProducts',
    ]);
    expect(from('createPartnerStore', 201)).to.not.include.members(['upsertProducts', 'listPartnerWebhookEndpoints']);
    expect(from('createWebhookEndpoint', 201)).to.include('sendWebhookTest').and.not.include('sendPartnerWebhookTest');
  });

  it('pass the named operation every parameter of its path', () => {
    expect(links.length).to.be.above(50);
    for (const [name, { operationId, parameters, description }] of links) {
      const target = entryOf(operationId);
      expect(target, name).to.be.an('object');
      expect(description, name).to.be.a('string');
      const known = target.parameters.filter((one: Any) => one.in === 'path' || one.in === 'query');
      const needed = known.filter(({ required }: Any) => required).map((one: Any) => one.name);
      expect(Object.keys(parameters), name).to.include.members(needed);
      expect(
        known.map((one: Any) => one.name),
        name,
      ).to.include.members(Object.keys(parameters));
    }
  });

  it('refer to values that exist in the path or in the example response', () => {
    const optional = ['/numberListId', '/media/fileId'];
    for (const [name, { parameters }, entry, { content }] of links)
      for (const expression of Object.values<string>(parameters)) {
        const [where, pointer] = expression.split('#') as [string, string | undefined];
        if (where !== '$response.body') {
          const requested = where.replace(/^\$request\.(?:path|query)\./, '');
          expect(
            entry.parameters.map((one: Any) => one.name),
            name,
          ).to.include(requested);
        } else if (!optional.includes(pointer!)) {
          const found = pointer!
            .split('/')
            .slice(1)
            .reduce((part, key) => part?.[key], exampleOf(content['application/json']));
          expect(found, `${name} ${pointer}`).to.be.a('string');
        }
      }
  });
});

describe('the rules of the OpenAPI document', () => {
  it("name nothing twice after a generator's conversion of names", () => {
    const { schemas, responses, headers, securitySchemes } = document.components;
    const named = [schemas, responses, headers, securitySchemes].flatMap((part) => Object.keys(part));
    const plain = named.map((name) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase());
    expect(plain.filter((name, at) => plain.indexOf(name) !== at)).to.deep.equal([]);
    // The Go generator creates NewStoreBody for StoreBody.
    expect(plain.filter((name) => plain.includes(`new${name}`))).to.deep.equal([]);
  });

  it("declare the service's limits for URLs, lists and cursors", () => {
    const https = { format: 'uri', pattern: HTTPS_URL_PATTERN };
    expect(schemas.CreateWebhookEndpointInputBody.properties.url).to.include(https);
    expect(schemas.ProductFields.properties.imageUrls.items).to.include({ ...https, maxLength: 2048 });
    expect(schemas.PaymentWalletsInputBody.properties.wallets.uniqueItems).to.equal(true);
    const cursor = entryOf('listOrders').parameters.find(({ name }: Any) => name === 'cursor');
    const scope = { operation: 'listOrders', owner: 'o', params: {}, sort: ['createdAt'] };
    const made = encodeCursor(createAuthenticator([Buffer.alloc(32, 7)], 'cursors'), scope, [
      '2026-11-21T08:30:00Z',
      'ÿ?>',
    ]);
    expect(made).to.match(new RegExp(cursor.schema.pattern, 'u'));
  });

  it('give constants a type, and enumerations a name, for generators that need them', () => {
    const untyped = Object.entries(schemas).flatMap(([name, schema]) =>
      fieldsOf(schema)
        .filter(([, one]) => 'const' in one && one.type === undefined)
        .map(([path]) => `${name}.${path}`),
    );
    expect(untyped).to.deep.equal([]);
    const sets = Object.entries(schemas).flatMap(([name, schema]) =>
      fieldsOf(schema)
        .filter(([, { uniqueItems, items }]) => uniqueItems && items.enum !== undefined)
        .map(([path]) => `${name}.${path}`),
    );
    expect(sets).to.deep.equal([]);
  });

  it('keep webhooks apart from the operations, whose tags are files of generated clients', () => {
    const posted = Object.values<Any>(document.webhooks).flatMap(({ post }) => post.tags);
    const called = entries.flatMap(({ tags }) => tags);
    expect(posted.filter((tag) => called.includes(tag))).to.deep.equal([]);
  });

  it('limit every integer to what the service accepts', () => {
    const unbounded = Object.entries(schemas).flatMap(([name, schema]) =>
      fieldsOf(schema)
        .filter(([, { format }]) => format === 'int64' || format === 'int32')
        .filter(([, { minimum, maximum }]) => minimum === undefined || maximum === undefined)
        .map(([path]) => `${name}.${path}`),
    );
    expect(unbounded).to.deep.equal([]);
    const number = entryOf('listOrders').parameters.find(({ name }: Any) => name === 'number');
    expect(number.schema).to.include({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
  });

  it('do not require what the service replaces', () => {
    const id = entryOf('getOrder').parameters.find(({ name }: Any) => name === 'X-Request-Id');
    expect(id.schema).to.deep.equal({ type: 'string' });
  });

  it('declare binary content as binary', () => {
    const { content } = entryOf('getFile').responses[200];
    expect(Object.keys(content)[0]).to.equal('application/octet-stream');
    expect(content['application/octet-stream'].schema).to.deep.equal({ type: 'string', format: 'binary' });
  });
});
