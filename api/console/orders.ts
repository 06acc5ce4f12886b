/** An order through time. */

import type { Viewer } from '../../application/console/access.js';
import { actorNames } from '../../application/console/actorNames.js';
import { orderTimeline } from '../../application/console/orderTimeline.js';
import type { Reads } from '../../engine/projections/reads.js';
import { foldOrder, orders } from '../../projections/orders.js';
import type { Services } from '../contract/services.js';
import { seesTeam } from '../operations/inbox/visibility.js';
import { wholeEventBody } from './bodies.js';
import { namesFor } from './events.js';
import { type ConsoleOperation, consoleRead, notFound, onlyStoreOf } from './request.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The steps are its history: with each its own once more, an order of 500 events would come to 125,000 of them. */
const withoutHistory = ({ events: _, ...order }: { readonly events?: unknown }): object => order;

/** False for an order of a team that the member does not see. */
async function seesOrder(reads: Pick<Reads, 'get'>, orderId: string, { member }: Viewer): Promise<boolean> {
  if (member === undefined || member.seesEveryTeam) return true;
  return seesTeam(member, (await reads.get(orders, orderId))?.keys.teamId);
}

export const orderOperations = ({ eventStore, reads }: Services): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getOrderTimeline',
    path: '/orders/{orderId}/timeline',
    members: 'orders:view',
    async answer({ params, viewer }) {
      const orderId = params.orderId!.toLowerCase();
      const found = UUID.test(orderId) ? await orderTimeline(eventStore, foldOrder, orderId) : undefined;
      const { workspaceId, steps, more } = found ?? notFound('order');
      if (workspaceId === undefined || workspaceId !== (onlyStoreOf(viewer) ?? workspaceId)) return notFound('order');
      if (!(await seesOrder(reads, orderId, viewer))) return notFound('order');
      const nameOf = await actorNames(
        reads,
        steps.map(({ event }) => event),
        namesFor(viewer),
      );
      return {
        orderId,
        workspaceId,
        steps: steps.map(({ event, order }) => ({
          event: wholeEventBody(event, nameOf),
          ...(order !== undefined && { order: withoutHistory(order) }),
        })),
        more,
      };
    },
  }),
];
