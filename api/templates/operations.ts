import { componentsWithFiles } from '../../application/templates/componentFiles.js';
import {
  createTemplate as create,
  editTemplate as edit,
  deleteTemplate as remove,
  syncTemplates as sync,
  type TemplateContext,
} from '../../application/templates/templates.js';
import { refuse } from '../../domain/decider.js';
import { renderTemplate } from '../../domain/templates/rendering.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import { templateSyncs } from '../../projections/templateSyncs.js';
import { templates } from '../../projections/templates.js';
import { Json, listJson, type Operation, operation, type Request, type RequestReads } from '../operation.js';
import { PageQuery, Uuid } from '../schemas.js';
import {
  CreateInputBody2,
  EditInputBody,
  ListOutputBody3,
  PreviewInputBody,
  PreviewOutputBody,
  TemplateBody,
} from './schemas.js';

const declared = { tag: 'Message templates', scope: 'templates:manage', feature: 'channel.number' } as const;

type Asked = Pick<Request<Record<never, never>>, 'commands' | 'read' | 'workspace' | 'now' | 'newId'>;
const contextOf = ({ commands, read, workspace, now, newId }: Asked): TemplateContext => ({
  commands,
  read,
  workspaceId: workspace.workspaceId,
  now,
  newId,
});

/** As it is answered: compared with the provider since the provider has it, or not yet. */
function shown({ keys, json }: StoredDocument, syncedAt: string | undefined): string {
  const compared =
    syncedAt !== undefined && typeof keys.knownSince === 'number' && keys.knownSince <= Date.parse(syncedAt);
  return compared ? `${json.slice(0, -1)},"syncedAt":${JSON.stringify(syncedAt)}}` : json;
}

/** Read before the templates that are answered with it: `syncedAt` never promises more than they show. */
const syncOf = async (read: RequestReads, workspaceId: string) => (await read.get(templateSyncs, workspaceId))?.body;

/** The template as the store sees it, or the end of the request: `not_found`, also for another store's. */
async function templateOf(read: RequestReads, workspaceId: string, id: string) {
  const row = await read.get(templates, `${workspaceId}/${id}`);
  return row ?? refuse('not_found', 'The store has no such message template.');
}

async function answered(read: RequestReads, workspaceId: string, id: string): Promise<Json> {
  const synced = await syncOf(read, workspaceId);
  return new Json(shown(await templateOf(read, workspaceId, id), synced?.syncedAt));
}

/** (Specification 2, 'Templates'; paths: the plan of the area.) */
export const listTemplates = operation({
  ...declared,
  id: 'listTemplates',
  route: 'GET {W}/templates',
  summary: "The store's message templates, by name, then language.",
  query: PageQuery,
  answers: { 200: ListOutputBody3 },
  async handle({ workspace: { workspaceId }, read }) {
    const synced = await syncOf(read, workspaceId);
    const page = await read.page(templates, { where: { workspaceId }, sort: ['name', 'language'] });
    const before = JSON.stringify(synced ?? {}).slice(1, -1);
    const row = (one: StoredDocument): string => shown(one, synced?.syncedAt);
    return { status: 200, body: listJson('templates', page, { row, ...(before !== '' && { before }) }) };
  },
});

/** The answer's template is `submitting`: what became of it is seen in its status. */
export const createTemplate = operation({
  ...declared,
  id: 'createTemplate',
  route: 'POST {W}/templates',
  summary: 'Creates a message template and submits it to the provider for review.',
  body: CreateInputBody2,
  answers: { 201: TemplateBody },
  problems: ['template_name_taken', 'no_channel_number'],
  idempotent: true,
  async handle(request) {
    const { body, workspace, read, newId } = request;
    const templateId = newId('template');
    await create(contextOf(request), templateId, body);
    return { status: 201, body: await answered(read, workspace.workspaceId, templateId) };
  },
});

export const getTemplate = operation({
  ...declared,
  id: 'getTemplate',
  route: 'GET {W}/templates/{templateId}',
  summary: 'One message template.',
  params: { templateId: Uuid },
  answers: { 200: TemplateBody },
  problems: ['not_found'],
  handle: async ({ params, workspace, read }) => ({
    status: 200,
    body: await answered(read, workspace.workspaceId, params.templateId.toLowerCase()),
  }),
});

export const editTemplate = operation({
  ...declared,
  id: 'editTemplate',
  route: 'PATCH {W}/templates/{templateId}',
  summary:
    'Edits a message template and submits it again. An approved one stays as it is until the provider has approved the edit.',
  params: { templateId: Uuid },
  body: EditInputBody,
  answers: { 200: TemplateBody },
  problems: ['not_found', 'template_not_editable', 'no_channel_number'],
  async handle(request) {
    const { params, body, workspace, read } = request;
    const templateId = params.templateId.toLowerCase();
    await edit(contextOf(request), templateId, body);
    return { status: 200, body: await answered(read, workspace.workspaceId, templateId) };
  },
});

export const deleteTemplate = operation({
  ...declared,
  id: 'deleteTemplate',
  route: 'DELETE {W}/templates/{templateId}',
  summary: 'Deletes a message template. It is deleting until the provider has confirmed, then it is gone.',
  params: { templateId: Uuid },
  answers: { 202: null },
  problems: ['not_found', 'no_channel_number'],
  async handle(request) {
    await remove(contextOf(request), request.params.templateId.toLowerCase());
    return { status: 202 };
  },
});

export const previewTemplate = operation({
  ...declared,
  id: 'previewTemplate',
  route: 'POST {W}/templates/{templateId}/preview',
  summary: 'Renders a message template with parameters, exactly as sending it would. Nothing is sent.',
  params: { templateId: Uuid },
  body: PreviewInputBody,
  bodyOptional: true,
  whenClosed: true,
  answers: { 200: PreviewOutputBody },
  problems: ['not_found', 'template_parameters_invalid', 'template_not_sendable'],
  async handle({ params, body: { components = [] }, workspace: { workspaceId }, read }) {
    const { body: template } = await templateOf(read, workspaceId, params.templateId.toLowerCase());
    renderTemplate(template, components);
    const filled = await componentsWithFiles(read, workspaceId, components, 'body.components');
    return { status: 200, body: { templateId: template.id, ...renderTemplate(template, filled) } };
  },
});

export const syncTemplates = operation({
  ...declared,
  id: 'syncTemplates',
  route: 'POST {W}/templates/sync',
  summary: "Has the store's message templates compared with the provider's; listTemplates shows when that is done.",
  answers: { 202: null },
  problems: ['no_channel_number'],
  async handle(request) {
    await sync(contextOf(request));
    return { status: 202 };
  },
});

export const templateOperations: readonly Operation[] = [
  listTemplates,
  createTemplate,
  getTemplate,
  editTemplate,
  deleteTemplate,
  previewTemplate,
  syncTemplates,
];
