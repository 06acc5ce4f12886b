/**
 * Operations of the API under the console's own address, with the cookie in place of a key: those of a store, and those on a
 * partner's webhook endpoints, which are below `partners/{partnerId}`.
 */

import type { ConsoleRole } from '../../domain/console/consoleEvents.js';
import { READING, type Router } from '../../infrastructure/http/router.js';
import type { Operation } from '../contract/operation.js';
import { API, type Route, routeOf, routerPath } from '../contract/routes.js';
import type { PipelineContext } from '../http/context.js';
import { pipelineOf } from '../http/pipeline.js';
import { EVERYTHING, notFound, OPERATOR } from './request.js';
import { partnerPrincipalOf, principalOf, type Viewing } from './viewing.js';

/** Operations of a store that the console does not offer. A session that makes links would outlive its own end. */
const WITHHELD: ReadonlySet<string> = new Set(['createConsoleLink']);

/** Returns whether the console offers this operation of a store. */
export const isOffered = (operationId: string): boolean => !WITHHELD.has(operationId);

/** Roles that may change something. Auditors have read-only access; members of a store reach only that store. */
const STEERS: readonly ConsoleRole[] = ['operator', 'store', 'member'];
/** Roles whose sessions name a person: only these make links for members. */
const KNOWN: readonly ConsoleRole[] = ['operator', 'member'];

/** A partner is nobody's who sees one store alone. */
const mayOf = ({ id }: Operation, { method, about }: Route): readonly ConsoleRole[] | undefined => {
  if (id === 'createMemberLink') return KNOWN;
  if (about === 'partner') return method === 'GET' ? EVERYTHING : OPERATOR;
  return method === 'GET' ? undefined : STEERS;
};

const PARTNER = `${API}/partner/`;
const ofPartners = (path: string): string => path.replace(PARTNER, `${API}/partners/{partnerId}/`);

/** Returns the console's path for an operation of the API, or undefined where the console does not offer it. */
function placeOf({ id }: Pick<Operation, 'id'>, { about, path }: Route): string | undefined {
  if (about === 'partner') return path.startsWith(`${PARTNER}webhook-`) ? ofPartners(path) : undefined;
  return about === 'workspace' && isOffered(id) ? path : undefined;
}

/** Mounts the operations below `prefix`, each called as the signed-in person. */
export function mountApi(
  router: Router,
  prefix: string,
  operations: readonly Operation[],
  context: PipelineContext,
  views: Viewing,
): void {
  for (const operation of operations) {
    const route = routeOf(operation);
    // A frame opens its session where it then uses it.
    if (route.about === 'session')
      router.on([route.method], prefix + routerPath(route.path), pipelineOf(operation, route, context).serve);
    const place = placeOf(operation, route);
    if (place === undefined) continue;
    const roles = mayOf(operation, route);
    const { serve } = pipelineOf(operation, route, context, async ({ request }, params) => {
      views.checkForeign(request);
      const viewer = await views.viewer(request);
      // The operation's own scope applies to members.
      views.check(request, viewer, roles, 'every member');
      await views.note(request, viewer, operation.id);
      if (route.about !== 'partner') return principalOf(viewer, params.workspaceId ?? '');
      const partnerId = (params.partnerId ?? '').toLowerCase();
      if ((await context.services.directory.partner(partnerId)) === undefined) return notFound('partner');
      return partnerPrincipalOf(viewer, partnerId);
    });
    router.on(route.method === 'GET' ? READING : [route.method], prefix + routerPath(place), serve);
  }
}
