/** Every part of the document is referenced. */
import { expect } from 'chai';
import { openApiDocument } from '../../api/openapi/document.js';
import { operations } from '../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';

describe('the components of the OpenAPI document', () => {
  it('are each used', () => {
    const document = openApiDocument(operations, 'https://api.example.com', EVENT_SCHEMAS);
    const text = JSON.stringify(document);
    const components = document.components as unknown as Record<string, Record<string, object>>;
    const unused = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts)
        .filter((name) => kind !== 'securitySchemes' && !text.includes(`"#/components/${kind}/${name}"`))
        .map((name) => `${kind}/${name}`),
    );
    expect(unused).to.deep.equal([]);
  });
});
