import { deleteTemplate as remove } from '../../../application/templates/templates.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { namesContext } from '../namesContext.js';

export const deleteTemplate = operation({
  id: 'deleteTemplate',
  route: 'DELETE {W}/templates/{templateId}',
  summary:
    'Deletes a message template. Its status is `deleting` until the provider has confirmed, then it no longer exists.',
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
  params: { templateId: Uuid },
  answers: { 202: null },
  problems: ['not_found', 'no_channel_number'],
  async handle(request) {
    await remove(namesContext(request), request.params.templateId.toLowerCase());
    return { status: 202 };
  },
});
