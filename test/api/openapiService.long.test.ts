import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { problemKinds } from '../../api/contract/problems.js';
import { compileInput, plain } from '../../api/http/input/validation.js';
import { openApiDocument } from '../../api/openapi/document.js';
import { operations } from '../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';
import { EVENT_TYPES } from '../../domain/webhooks/eventTypes.js';
import { isValidOpenApi } from '../support/conformance/openApi.js';

interface Entry {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, object>>;
}

describe('the OpenAPI document of the service', () => {
  it('is valid', () => isValidOpenApi(openApiDocument(operations, 'https://api.example.com', EVENT_SCHEMAS)));

  it('declares what is posted for each event type, with its type as a constant', () => {
    const { webhooks, components } = openApiDocument(operations, 'https://api.example.com', EVENT_SCHEMAS);
    expect(Object.keys(webhooks as object)).to.have.members(Object.keys(EVENT_TYPES));
    const { mapping } = components.schemas.WebhookEvent!.discriminator as { mapping: Record<string, string> };
    for (const [type, ref] of Object.entries(mapping)) {
      const { properties } = components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] as { properties: object };
      expect(properties).to.have.nested.property('type.const', type);
    }
    expect(mapping).to.have.all.keys(Object.keys(EVENT_TYPES));
  });

  it('uses valid schemas that compile', () => {
    const draft = new Ajv2020();
    for (const operation of operations) {
      const { params, query, body } = operation;
      for (const schema of Object.values({ ...params, ...query, ...(body && { body }) }))
        expect(draft.validateSchema(plain(schema)), `${operation.id}: ${draft.errorsText()}`).to.equal(true);
      expect(() => compileInput(operation), operation.id).not.to.throw();
    }
  });

  it('declares partial and conditional reads of files', () => {
    const { paths } = openApiDocument(operations, 'https://api.example.com');
    const { parameters, responses } = paths['/api/v1/workspaces/{workspaceId}/files/{fileId}']!.get as unknown as {
      parameters: { name: string; in: string }[];
      responses: Record<string, { headers: object }>;
    };
    const fields = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
    expect(fields).to.include.members(['Range', 'If-Range', 'If-None-Match']);
    expect(responses['206']!.headers).to.include.keys('Content-Range', 'ETag', 'Content-Disposition');
    expect(responses['304']!.headers).to.include.keys('ETag');
  });

  it('declares Idempotency-Key wherever something is created', () => {
    const document = openApiDocument(operations, 'https://api.example.com');
    // These create without 201: by replacing a list, as part of a batch, or by queuing a message.
    const others = [
      'upsertProductCategories',
      'saveDeliverySettings',
      'upsertProducts',
      'startConversation',
      'sendMessage',
    ];
    const creating = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods) as unknown as Entry[])
      .filter(({ operationId, responses }) => responses[201] !== undefined || others.includes(operationId));
    expect(creating.map(({ operationId }) => operationId))
      .to.include('upsertProduct')
      .and.include.members(others);
    for (const { operationId, parameters } of creating)
      expect(
        parameters.map(({ name }) => name),
        operationId,
      ).to.include('Idempotency-Key');
  });

  it('uses only codes that the table of problems explains', () => {
    for (const { id, problems = [] } of operations)
      for (const code of problems) expect(problemKinds, id).to.include.keys(code);
  });
});
