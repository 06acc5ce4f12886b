import { expect } from 'chai';
import { compileInput } from '../api/http/validation.js';
import { openApiDocument } from '../api/openapi.js';
import { operations } from '../api/operations.js';
import { problemKinds } from '../api/problems.js';
import { isValidOpenApi } from './support/openApi.js';

describe('the OpenAPI document of the service', () => {
  it('is valid', () => isValidOpenApi(openApiDocument(operations, 'https://api.example.com')));

  it('comes from schemas that compile', () => {
    for (const operation of operations) expect(() => compileInput(operation), operation.id).not.to.throw();
  });

  it('names only codes that the table of problems explains', () => {
    for (const { id, problems = [] } of operations)
      for (const code of problems) expect(problemKinds, id).to.include.keys(code);
  });
});
