import { editTemplate as edit } from '../../../application/templates/templates.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { namesContext } from '../namesContext.js';
import { editRules } from './rules.js';
import { EditInputBody, TemplateBody } from './schemas.js';
import { answered } from './templateJson.js';

export const editTemplate = operation({
  id: 'editTemplate',
  route: 'PATCH {W}/templates/{templateId}',
  summary:
    'Edits a message template and submits it again. An approved one stays as it is until the provider has approved the edit.',
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
  params: { templateId: Uuid },
  body: EditInputBody,
  rules: editRules,
  answers: { 200: TemplateBody },
  problems: ['not_found', 'template_not_editable', 'no_channel_number'],
  async handle(request) {
    const { params, body, workspace, read } = request;
    const templateId = params.templateId.toLowerCase();
    await edit(namesContext(request), templateId, body);
    return { status: 200, body: await answered(read, workspace.workspaceId, templateId) };
  },
});
