import { createTemplate as create } from '../../../application/templates/templates.js';
import { operation } from '../../contract/operation.js';
import { namesContext } from '../namesContext.js';
import { createRules } from './rules.js';
import { CreateInputBody2, TemplateBody } from './schemas.js';
import { answered } from './templateJson.js';

/** The answer's template is `submitting`: what became of it is seen in its status. */
export const createTemplate = operation({
  id: 'createTemplate',
  route: 'POST {W}/templates',
  summary: 'Creates a message template and submits it to the provider for review.',
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
  body: CreateInputBody2,
  rules: createRules,
  answers: { 201: TemplateBody },
  problems: ['template_name_taken', 'template_limit_reached', 'no_channel_number'],
  idempotent: true,
  async handle(request) {
    const { body, workspace, read, newId } = request;
    const templateId = newId('template');
    await create(namesContext(request), templateId, body);
    return { status: 201, body: await answered(read, workspace.workspaceId, templateId) };
  },
});
