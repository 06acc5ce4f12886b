/**
 * Conformance rows for message templates, copied by hand from specification 2 ('Templates'; paths follow the area's
 * plan), and how to create one.
 */
import { operations } from '../../../../api/operations/index.js';
import { until } from '../../doubles/fakeClock.js';
import type { Maker, Specified } from '../rows.js';
import { type ConformanceStage, operationNamed, type Store } from '../stage.js';

const managed = { scope: 'templates:manage', feature: 'channel.number' };

export const templatesSpecified: readonly Specified[] = [
  {
    id: 'listTemplates',
    route: 'GET {W}/templates',
    ...managed,
    query: ['cursor', 'limit'],
    answers: { 200: 'ListOutputBody3' },
    others: [],
  },
  {
    id: 'createTemplate',
    route: 'POST {W}/templates',
    ...managed,
    takes: 'CreateInputBody2',
    answers: { 201: 'TemplateBody' },
    others: [409, 422, 500],
  },
  {
    id: 'getTemplate',
    route: 'GET {W}/templates/{templateId}',
    ...managed,
    answers: { 200: 'TemplateBody' },
    others: [404, 422, 500],
  },
  {
    id: 'editTemplate',
    route: 'PATCH {W}/templates/{templateId}',
    ...managed,
    takes: 'EditInputBody',
    answers: { 200: 'TemplateBody' },
    others: [404, 409, 422, 500],
  },
  {
    id: 'deleteTemplate',
    route: 'DELETE {W}/templates/{templateId}',
    ...managed,
    answers: { 202: null },
    others: [404, 409, 422, 500],
  },
  {
    id: 'previewTemplate',
    route: 'POST {W}/templates/{templateId}/preview',
    ...managed,
    takes: 'PreviewInputBody',
    answers: { 200: 'PreviewOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'syncTemplates',
    route: 'POST {W}/templates/sync',
    ...managed,
    answers: { 202: null },
    others: [409, 500],
  },
];

export const templatesSchemas: Readonly<Record<string, string>> = {
  CreateInputBody2: 'name language category definition',
  EditInputBody: 'definition category?',
  TemplateBody:
    'id name language category definition parameterFormat status editPending createdAt updatedAt quality? rejectedReason? errorCode? errorMessage? syncedAt?',
  TemplateDefinitionBody: 'body header? footer? buttons? unsupported?',
  ListOutputBody3: 'templates next? syncedAt? syncError?',
  PreviewInputBody: 'components?',
  PreviewOutputBody: 'templateId body buttons text header? footer?',
};

let count = 0;
const definition = { body: { text: 'Hi {{1}}, welcome.', examples: [{ value: 'Asha' }] } };
const created = (): object => ({ name: `made_${++count}`, language: 'en', category: 'utility', definition });

/** Request fields that a sample of the schema alone cannot provide. */
export const templatesFields: Readonly<Record<string, object | (() => object)>> = {
  createTemplate: created,
  editTemplate: { definition: { body: { text: 'Welcome.' } }, category: 'utility' },
  previewTemplate: { components: [{ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] }] },
};

/** Waits for approval, since only approved templates can be edited. */
async function approved(stage: ConformanceStage, store: Store, templateId: string): Promise<void> {
  const get = operationNamed(operations, 'getTemplate');
  await until('the template is approved', async () => {
    const { body } = await stage.call(get, { params: { templateId } }, store);
    return body.status === 'approved';
  });
}

export const templatesMakers: Readonly<Record<string, Maker>> = {
  async templateId(stage, store, operation) {
    const { body } = await stage.call(operationNamed(operations, 'createTemplate'), { body: created() }, store);
    if (operation.id === 'editTemplate') await approved(stage, store, body.id);
    return body.id;
  },
};
