import { at, CURSOR, IDS } from './ids.js';

const stream = `order-${IDS.order}`;

export const historySamples = {
  HistoryBody: {
    events: [
      {
        id: IDS.event,
        stream,
        revision: 3,
        type: 'OrderStatusChanged',
        at: at('09:12:40.118'),
        actor: { type: 'member', id: IDS.member, name: 'Hodan Warsame' },
        correlationId: 'req-1042-7',
        data: { from: 'paid', to: 'preparing' },
      },
    ],
    next: CURSOR,
  },
  HistoryChangesBody: {
    kind: 'order',
    id: IDS.order,
    changes: [{ path: 'status', was: 'paid', is: 'preparing' }],
  },
};
