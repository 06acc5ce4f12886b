/** Checks events posted to endpoints against the OpenAPI document, with no undocumented properties. */
import { expect } from 'chai';
import { openApiDocument } from '../../../api/openapi/document.js';
import { operations } from '../../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../../api/operations/webhooks/eventSchemas.js';
import { strictSchemas } from './answers.js';

export function declaredEvents(): (event: { readonly type: string }) => void {
  const document = openApiDocument(operations, 'https://api.example.com', EVENT_SCHEMAS);
  const valid = strictSchemas(document);
  return (event) => {
    expect(EVENT_SCHEMAS).to.include.keys(event.type);
    const webhook = (document.webhooks as Record<string, { post: { requestBody: { content: object } } }>)[event.type]!;
    const { schema } = (webhook.post.requestBody.content as { 'application/json': { schema: object } })[
      'application/json'
    ];
    valid(event.type, schema, event);
  };
}
