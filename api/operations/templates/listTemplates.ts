import type { StoredDocument } from '../../../engine/ports/documents.js';
import { templates } from '../../../projections/templates.js';
import { listJson, operation } from '../../contract/operation.js';
import { PageQuery } from '../../contract/schemas.js';
import { ListOutputBody3 } from './schemas.js';
import { shown, syncOf } from './templateJson.js';

/** (Specification 2, 'Templates'; paths: the plan of the area.) */
export const listTemplates = operation({
  id: 'listTemplates',
  route: 'GET {W}/templates',
  summary: "The store's message templates, by name, then language.",
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
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
