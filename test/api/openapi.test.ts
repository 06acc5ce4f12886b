import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { formats } from '../../api/contract/formats.js';
import { openApiDocument } from '../../api/openapi/document.js';
import { isValidOpenApi } from '../support/conformance/openApi.js';
import { type Schema, sample } from '../support/samples/schemaSample.js';
import { Stage, sampleOperations } from '../support/stages/sampleApi.js';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into as any tool without types would
type Any = any;

describe('the OpenAPI document', () => {
  const document = openApiDocument(sampleOperations(new Stage()), 'https://api.example.com');
  const entry = (path: string, method: string): Any => document.paths[path]![method]!;
  const notes = '/api/v1/workspaces/{workspaceId}/notes';

  it('is valid OpenAPI 3.1', () => isValidOpenApi(document));

  it('contains scope, feature, credential and the tag', () => {
    const create = entry(notes, 'post');
    expect(create).to.deep.include({ 'x-scope': 'notes:manage', 'x-feature': 'notes', tags: ['Notes'] });
    expect(create.security).to.deep.equal([{ secretKey: [] }, { sessionToken: [] }]);
    expect(entry('/api/v1/partner', 'get').security).to.deep.equal([{ partnerKey: [] }]);
  });

  it('names schemas like the specification, each once', () => {
    expect(entry(notes, 'post').requestBody.content['application/json'].schema).to.deep.equal({
      $ref: '#/components/schemas/NoteInput',
    });
    expect(document.components.schemas.NotesBody!.properties).to.deep.include({
      notes: { type: 'array', items: { $ref: '#/components/schemas/NoteBody' } },
    });
    expect(document.components.schemas.NoteInput!.additionalProperties).to.equal(false);
  });

  it('contains Idempotency-Key, optional bodies, deprecation and problems', () => {
    const headers = (one: Any) => one.parameters.filter((p: Any) => p.in === 'header').map((p: Any) => p.name);
    expect(headers(entry(notes, 'post'))).to.deep.equal(['X-Request-Id', 'Idempotency-Key']);
    expect(headers(entry(notes, 'get'))).to.deep.equal(['X-Request-Id', 'If-None-Match']);
    expect(entry(`${notes}/{noteId}/cancel`, 'post').requestBody.required).to.equal(false);
    expect(entry('/api/v1/workspaces/{workspaceId}/secrets', 'post').deprecated).to.equal(true);
    expect(entry(notes, 'post').responses['409'].description)
      .to.include('`name_taken`')
      .and.include('`concurrent_change`');
  });

  it('declares 304 for reads, and for nothing else', () => {
    const { responses } = entry(notes, 'get');
    expect(responses['200'].headers).to.include.keys('ETag', 'Cache-Control');
    expect(responses['304'].headers).to.include.keys('ETag', 'X-Request-Id');
    expect(responses['304']).to.not.have.property('content');
    for (const [path, method] of [
      [notes, 'post'],
      [`${notes}/{noteId}`, 'put'],
    ] as const)
      expect(entry(path, method).responses).to.not.have.property('304');
  });

  it('rejects two schemas of one name, and two operations of one route', () => {
    const [first] = sampleOperations(new Stage());
    expect(() => openApiDocument([first!, first!], '')).to.throw('declared twice');
    const other = { ...first!, id: 'other', route: 'GET {W}/other' as const, answers: { 200: { title: 'NoteBody' } } };
    expect(() => openApiDocument([first!, other as never], '')).to.throw('NoteBody');
  });

  it('gives examples that its own schemas accept', () => {
    const ajv = new Ajv2020({ strict: false, formats });
    ajv.addSchema({ $id: 'doc', ...document } as object);
    for (const name of ['NoteInput', 'NoteBody', 'NotesBody']) {
      const value = sample({ $ref: `#/components/schemas/${name}` } as Schema, document.components.schemas);
      expect(ajv.validate({ $ref: `doc#/components/schemas/${name}` }, value), JSON.stringify(value)).to.equal(true);
    }
  });
});
