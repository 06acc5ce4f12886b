/** Deciding by hand what becomes of templates. */

import { record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';
import { Reply, type SandboxRoutes } from './routes.js';
import { QUALITIES, TEMPLATE_EVENTS, type TemplateEvent } from './templateContent.js';
import type { SandboxTemplates } from './templates.js';

export function templateControl(app: SandboxRoutes, { templates }: { readonly templates: SandboxTemplates }): void {
  /** Templates of one business account, with `?account=`, or of all accounts that were ever used. */
  app.get('/sandbox/templates', async (request) => ({
    templates: templates.list(request.query.account),
  }));

  /** `{event?, reason?}` reports a new status, `{quality?}` a new rating; both as the channel's webhooks do. */
  app.post('/sandbox/templates/:id', async (request) => {
    const { id } = request.params as { id: string };
    const { event, reason, quality } = record(request.body) ?? {};
    const known = event === undefined || Object.hasOwn(TEMPLATE_EVENTS, String(event));
    const rating = QUALITIES.find((one) => one === quality);
    if (!known || (event === undefined && rating === undefined))
      throw new WrongBody(
        `event is one of ${Object.keys(TEMPLATE_EVENTS).join(', ')}; quality one of ${QUALITIES.join(', ')}.`,
      );
    if (templates.find(id) === undefined) return new Reply(404, { error: 'There is no such template.' });
    if (rating !== undefined) await templates.rate(id, rating);
    if (event !== undefined)
      await templates.move(id, event as TemplateEvent, typeof reason === 'string' ? reason : undefined);
    return templates.find(id) ?? { id, status: 'DELETED' };
  });
}
