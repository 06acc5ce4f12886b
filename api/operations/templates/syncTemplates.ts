import { syncTemplates as sync } from '../../../application/templates/templates.js';
import { operation } from '../../contract/operation.js';
import { namesContext } from '../namesContext.js';

export const syncTemplates = operation({
  id: 'syncTemplates',
  route: 'POST {W}/templates/sync',
  summary:
    "Starts a comparison of the store's message templates with the provider's. listTemplates shows when it is done.",
  tag: 'Message templates',
  scope: 'templates:manage',
  feature: 'channel.number',
  answers: { 202: null },
  problems: ['no_channel_number'],
  async handle(request) {
    await sync(namesContext(request));
    return { status: 202 };
  },
});
