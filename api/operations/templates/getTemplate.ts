import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { TemplateBody } from './schemas.js';
import { answered } from './templateJson.js';

export const getTemplate = operation({
  id: 'getTemplate',
  route: 'GET {W}/templates/{templateId}',
  summary: 'One message template.',
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
  params: { templateId: Uuid },
  answers: { 200: TemplateBody },
  problems: ['not_found'],
  handle: async ({ params, workspace, read }) => ({
    status: 200,
    body: await answered(read, workspace.workspaceId, params.templateId.toLowerCase()),
  }),
});
