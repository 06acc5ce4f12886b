/** Operations of the API under the console's own address, with the cookie in place of a key: those that read a store, and a few that change one. */

import type { ConsoleRole } from '../../domain/console/consoleEvents.js';
import { READING, type Router } from '../../infrastructure/http/router.js';
import type { PipelineContext } from '../http/context.js';
import { pipelineOf } from '../http/pipeline.js';
import { type Route, routeOf, routerPath } from '../http/routes.js';
import type { Operation } from '../operation.js';
import { principalOf, type Viewing } from './viewing.js';

/** Operations that change something and that the console offers too: a store's webhooks are steered here, its customers answered, its templates written. */
export const STEERED: ReadonlySet<string> = new Set([
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'replayWebhookEndpointEvent',
  'replayWebhookEndpoint',
  'rotateWebhookEndpointSecret',
  'sendWebhookTest',
  'sendMessage',
  'uploadFile',
  'createTemplate',
  'editTemplate',
  'deleteTemplate',
  'syncTemplates',
]);

/** Who may: an auditor only reads; a store's people reach their store alone. */
const STEERS: readonly ConsoleRole[] = ['operator', 'store'];

/** Whether the console has an operation of the API. */
const isOffered = ({ id }: Pick<Operation, 'id'>, { method, about }: Route): boolean =>
  about === 'workspace' && (method === 'GET' || STEERED.has(id));

/** Puts them below `prefix`, each asked as who is signed in. */
export function mountApi(
  router: Router,
  prefix: string,
  operations: readonly Operation[],
  context: PipelineContext,
  views: Viewing,
): void {
  for (const operation of operations) {
    const route = routeOf(operation);
    if (!isOffered(operation, route)) continue;
    const reads = route.method === 'GET';
    const { serve } = pipelineOf(operation, route, context, async ({ request }, params) => {
      views.checkForeign(request);
      const viewer = await views.viewer(request);
      views.check(request, viewer, reads ? undefined : STEERS);
      await views.note(request, viewer, operation.id);
      return principalOf(viewer, params.workspaceId ?? '');
    });
    router.on(reads ? READING : [route.method], prefix + routerPath(route.path), serve);
  }
}
