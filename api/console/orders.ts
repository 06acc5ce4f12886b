/** An order through time. */

import { actorNames } from '../../application/console/actorNames.js';
import { orderTimeline } from '../../application/console/orderTimeline.js';
import { foldOrder } from '../../projections/orders.js';
import type { Services } from '../contract/services.js';
import { seesTeam } from '../operations/inbox/visibility.js';
import { wholeEventBody } from './bodies.js';
import { namesFor } from './events.js';
import { type ConsoleOperation, consoleRead, notFound, seesStore } from './request.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The steps are its history: with each its own once more, an order of 500 events would come to 125,000 of them. */
const withoutHistory = ({ events: _, ...order }: { readonly events?: unknown }): object => order;

export const orderOperations = ({ eventStore, reads }: Services): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getOrderTimeline',
    path: '/orders/{orderId}/timeline',
    members: 'orders:view',
    async answer({ params, viewer }) {
      const orderId = params.orderId!.toLowerCase();
      const found = UUID.test(orderId) ? await orderTimeline(eventStore, foldOrder, orderId) : undefined;
      const { workspaceId, steps, more } = found ?? notFound('order');
      if (workspaceId === undefined || !seesStore(viewer, workspaceId)) return notFound('order');
      // The read model may be late; an order's team never changes.
      const team = steps.find(({ order }) => order !== undefined)?.order as { readonly teamId?: string } | undefined;
      if (!seesTeam(viewer.member, team?.teamId)) return notFound('order');
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
