import { componentsWithFiles } from '../../../application/channel/componentFiles.js';
import { renderTemplate } from '../../../domain/templates/templateRendering.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { PreviewInputBody, PreviewOutputBody } from './schemas.js';
import { templateOf } from './templateJson.js';

export const previewTemplate = operation({
  id: 'previewTemplate',
  route: 'POST {W}/templates/{templateId}/preview',
  summary: 'Renders a message template with parameters, exactly as sending it would. Nothing is sent.',
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
  params: { templateId: Uuid },
  body: PreviewInputBody,
  bodyOptional: true,
  whenClosed: true,
  answers: { 200: PreviewOutputBody },
  problems: ['not_found', 'template_parameters_invalid', 'template_not_sendable'],
  async handle({ params, body: { components = [] }, workspace: { workspaceId }, read }) {
    const { body: template } = await templateOf(read, workspaceId, params.templateId.toLowerCase());
    renderTemplate(template, components);
    const filled = await componentsWithFiles({ read, workspaceId }, components, 'body.components');
    return { status: 200, body: { templateId: template.id, ...renderTemplate(template, filled) } };
  },
});
